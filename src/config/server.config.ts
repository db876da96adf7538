import { isIP } from 'node:net';
import { Expose } from 'class-transformer';
import { IsFQDN, IsIn, IsOptional, IsUrl, Matches, ValidateIf } from 'class-validator';
import { HTTP_URL, HTTP_URL_MESSAGE } from './urls.js';
import { WholeNumber } from './whole-number.decorator.js';

/** Where both processes listen, and where they are reached. */
export class ServerConfig {
  @Expose({ name: 'NODE_ENV' })
  @IsIn(['development', 'production', 'test'])
  nodeEnv: 'development' | 'production' | 'test' = 'development';

  /** Address on which the API and the worker's probes listen; unset: all addresses of the machine. */
  @Expose({ name: 'HOST' })
  @IsOptional()
  @ValidateIf(({ host }: ServerConfig) => isIP(host ?? '') === 0)
  @IsFQDN(
    { require_tld: false, allow_underscores: true },
    { message: 'must be an IP address or the name of a host' },
  )
  host?: string;

  /** TCP port of the API. */
  @Expose({ name: 'PORT' })
  @WholeNumber(0, 65535)
  port = 3000;

  /**
   * The address under which carriers reach the API to report, without a slash at its end. Some carriers
   * include this address in the signatures of their reports.
   */
  @Expose({ name: 'PUBLIC_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  @Matches(/^[^?#@]*[^/?#@]$/, { message: 'must have no credentials, no query and no slash at its end' })
  publicUrl?: string;

  /** TCP port of the worker's probes. */
  @Expose({ name: 'WORKER_PORT' })
  @WholeNumber(0, 65535)
  workerPort = 3001;
}
