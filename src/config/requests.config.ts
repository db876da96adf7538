import { Expose } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { AddressRanges } from './address-ranges.decorator.js';
import { WholeNumber } from './whole-number.decorator.js';

/** How much the API accepts from its clients. */
export class RequestsConfig {
  /** Requests per second of each API key, and the most requests of a key at once. 0 means no limit. */
  @Expose({ name: 'API_RATE_LIMIT' })
  @WholeNumber(0, 100_000)
  apiRateLimit = 1000;

  /**
   * Reverse proxies in front of the API. Only a request that comes from one of them is counted and logged by
   * the address in its `X-Forwarded-For`.
   */
  @Expose({ name: 'TRUSTED_PROXIES' })
  @IsOptional()
  @AddressRanges()
  trustedProxies?: string;

  /** Connections that one API process holds at a time. */
  @Expose({ name: 'MAX_CONNECTIONS' })
  @WholeNumber(10, 1_000_000)
  maxConnections = 10_000;

  /**
   * Milliseconds for which a stopping API process is not ready but still accepts requests, so that load
   * balancers notice.
   */
  @Expose({ name: 'SHUTDOWN_DELAY_MS' })
  @WholeNumber(0, 60_000)
  shutdownDelayMs = 0;

  /** Megabytes of memory for the bodies of all requests that one API process is answering. */
  @Expose({ name: 'BODY_MEMORY_MB' })
  @WholeNumber(4, 4_096)
  bodyMemoryMb = 32;
}
