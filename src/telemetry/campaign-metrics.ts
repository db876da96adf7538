import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** The backlog of campaigns, in the registry of a process's other metrics. `ScrapeService` sets the gauges. */
@Injectable()
export class CampaignMetrics {
  readonly due;
  readonly overdueSeconds;
  readonly stalled;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.due = new Gauge({
      name: 'outdial_campaign_due_enrollments',
      help: 'Enrollments that are due to be dialed, of campaigns that are not paused; at most 100,000.',
      registers,
    });
    this.overdueSeconds = new Gauge({
      name: 'outdial_campaign_overdue_seconds',
      help: 'For how long the first of these enrollments is due, by the clock of Postgres.',
      registers,
    });
    this.stalled = new Gauge({
      name: 'outdial_campaigns_stalled',
      help: 'Campaigns with an enrollment that is due for 10 minutes, that placed no call for 10 minutes.',
      registers,
    });
  }
}
