import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

// Seconds.
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

const OUTCOMES = ['delivered', 'retry', 'failed', 'released'] as const;

/** What a process counts of webhooks, in the registry of its other metrics. */
@Injectable()
export class WebhookMetrics {
  private readonly attempts;
  private readonly seconds;
  /** `ScrapeService` sets these gauges. */
  readonly overdueSeconds;
  readonly disabledEndpoints;
  readonly failingEndpoints;
  readonly failingSeconds;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'outdial_webhook_attempts_total',
      help: 'Attempts to deliver an event, by result: delivered; retry; failed, not retried; released by a stopped worker.',
      labelNames: ['outcome'] as const,
      registers,
    });
    this.seconds = new Histogram({
      name: 'outdial_webhook_attempt_duration_seconds',
      help: 'Time that receivers of webhooks took to answer, or until the attempt was given up.',
      buckets: BUCKETS,
      registers,
    });
    this.overdueSeconds = new Gauge({
      name: 'outdial_webhook_overdue_seconds',
      help: 'How long the oldest due delivery of an enabled endpoint waits, by the clock of Postgres.',
      registers,
    });
    this.disabledEndpoints = new Gauge({
      name: 'outdial_webhook_endpoints_disabled',
      help: 'Endpoints that were disabled because they answered 410, or failed for five days.',
      registers,
    });
    this.failingEndpoints = new Gauge({
      name: 'outdial_webhook_endpoints_failing',
      help: 'Enabled endpoints of which every attempt has failed since a failed one.',
      registers,
    });
    this.failingSeconds = new Gauge({
      name: 'outdial_webhook_endpoints_failing_seconds',
      help: 'For how long every attempt of an endpoint has failed: of the endpoint that fails for the longest time.',
      registers,
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
  }

  attempted(outcome: (typeof OUTCOMES)[number]): void {
    this.attempts.inc({ outcome });
  }

  took(seconds: number): void {
    this.seconds.observe(seconds);
  }
}
