import { Expose } from 'class-transformer';
import { IsOptional, IsUrl } from 'class-validator';
import { Secret } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

/** Vapi's environment variables. */
export class VapiConfig {
  static readonly needs = { VAPI_API_KEY: ['PUBLIC_URL'] };

  /** The private key of the deployment's own account; unset: each agent has a carrier account of its team. */
  @Expose({ name: 'VAPI_API_KEY' })
  @IsOptional()
  @Secret()
  vapiApiKey?: string;

  /** Calls per second, from all workers and accounts together; unset: no limit. */
  @Expose({ name: 'VAPI_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1_000)
  vapiCallsPerSecond?: number;

  /** Milliseconds that the requests of one dial together may take. */
  @Expose({ name: 'VAPI_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  vapiTimeoutMs = 10_000;

  @Expose({ name: 'VAPI_API_URL' })
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  vapiApiUrl = 'https://api.vapi.ai';
}
