import { Expose } from 'class-transformer';
import { IsOptional, IsUrl } from 'class-validator';
import { Secret } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

/** ElevenLabs' environment variables. */
export class ElevenLabsConfig {
  static readonly needs = {
    ELEVENLABS_API_KEY: ['PUBLIC_URL'],
    ELEVENLABS_WEBHOOK_SECRET: ['ELEVENLABS_API_KEY'],
  };

  /** The key of the deployment's own workspace; unset: each agent has a carrier account of its team. */
  @Expose({ name: 'ELEVENLABS_API_KEY' })
  @IsOptional()
  @Secret()
  elevenlabsApiKey?: string;

  /** The secret of the workspace's webhook; unset: no report is accepted, and each call is looked up. */
  @Expose({ name: 'ELEVENLABS_WEBHOOK_SECRET' })
  @IsOptional()
  @Secret()
  elevenlabsWebhookSecret?: string;

  /** Calls per second, from all workers and accounts together; unset: no limit. */
  @Expose({ name: 'ELEVENLABS_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1_000)
  elevenlabsCallsPerSecond?: number;

  /** Milliseconds that the requests of one dial together may take. */
  @Expose({ name: 'ELEVENLABS_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  elevenlabsTimeoutMs = 15_000;

  @Expose({ name: 'ELEVENLABS_API_URL' })
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  elevenlabsApiUrl = 'https://api.elevenlabs.io';
}
