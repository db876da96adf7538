import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** What both processes count by; global, because everything is counted somewhere. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
