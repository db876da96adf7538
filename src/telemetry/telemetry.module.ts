import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/**
 * The counters of a process. In come observations of every component, so the module is global; out go the values that
 * `/metrics` prints. No tables: a restart begins at zero.
 */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
