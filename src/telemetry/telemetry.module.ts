import { Global, Module } from '@nestjs/common';
import { CampaignMetrics } from './campaign-metrics.js';
import { ImportMetrics } from './import-metrics.js';
import { Metrics } from './metrics.js';
import { RegisterMetrics } from './register-metrics.js';
import { WebhookMetrics } from './webhook-metrics.js';

/**
 * The counters of a process. In come observations of every component, so the module is global; out go the
 * values that `/metrics` prints. No tables: a restart begins at zero.
 */
@Global()
@Module({
  providers: [Metrics, CampaignMetrics, ImportMetrics, RegisterMetrics, WebhookMetrics],
  exports: [Metrics, CampaignMetrics, ImportMetrics, RegisterMetrics, WebhookMetrics],
})
export class TelemetryModule {}
