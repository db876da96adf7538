import { Expose } from 'class-transformer';
import { IsOptional, IsUrl } from 'class-validator';
import { Secret } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

/** Retell's environment variables. */
export class RetellConfig {
  static readonly needs = {
    RETELL_API_KEY: ['PUBLIC_URL'],
    RETELL_WEBHOOK_KEY: ['RETELL_API_KEY'],
  };

  /** The key of the deployment's own account; unset: each agent has a carrier account of its team. */
  @Expose({ name: 'RETELL_API_KEY' })
  @IsOptional()
  @Secret()
  retellApiKey?: string;

  /** The key with the webhook badge, with which Retell signs reports; unset: it is the API key. */
  @Expose({ name: 'RETELL_WEBHOOK_KEY' })
  @IsOptional()
  @Secret()
  retellWebhookKey?: string;

  /** Calls per second, from all workers and accounts together; unset: no limit. */
  @Expose({ name: 'RETELL_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1_000)
  retellCallsPerSecond?: number;

  /** Milliseconds that Retell may take to answer one request. */
  @Expose({ name: 'RETELL_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  retellTimeoutMs = 10_000;

  @Expose({ name: 'RETELL_API_URL' })
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  retellApiUrl = 'https://api.retellai.com';
}
