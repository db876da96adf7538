import { Expose } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { Secret } from './secret.decorator.js';

/** Logs and metrics. */
export class TelemetryConfig {
  @Expose({ name: 'LOG_LEVEL' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string = 'info';

  /** Bearer token of /metrics on both processes; unset: /metrics needs no token. */
  @Expose({ name: 'METRICS_TOKEN' })
  @IsOptional()
  @Secret()
  metricsToken?: string;
}
