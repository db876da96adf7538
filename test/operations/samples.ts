import { type INestApplicationContext } from '@nestjs/common';
import { Transactions } from '../../src/database/transactions.js';
import { ScrapeService } from '../../src/operations/scrape.service.js';
import { CallQueue } from '../../src/queue/call-queue.js';
import { CampaignMetrics } from '../../src/telemetry/campaign-metrics.js';
import { ImportMetrics } from '../../src/telemetry/import-metrics.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { RegisterMetrics } from '../../src/telemetry/register-metrics.js';
import { WebhookMetrics } from '../../src/telemetry/webhook-metrics.js';

/** What Prometheus would read: `name{labels}` → value. */
export type Samples = Record<string, number>;

export function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** How much one series has grown since it was read before; one that was not there stood at 0. */
export const grown = (before: Samples, after: Samples, series: string) =>
  (after[series] ?? 0) - (before[series] ?? 0);

/** A measurement of this moment: another one than the process's own, which is up to some seconds old. */
export async function fresh(app: INestApplicationContext): Promise<Samples> {
  const scrape = new ScrapeService(
    app.get(Metrics),
    app.get(Transactions),
    app.get(CallQueue),
    app.get(WebhookMetrics),
    app.get(ImportMetrics),
    app.get(CampaignMetrics),
    app.get(RegisterMetrics),
  );
  return samplesOf(await scrape.text());
}
