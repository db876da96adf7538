import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** Rows of an import by their result. Enrolled rows are among those that were created or updated. */
export interface ImportCounts {
  created: number;
  updated: number;
  enrolled: number;
  failed: number;
}

const OUTCOMES = ['created', 'updated', 'failed'] as const;
export const OPEN_IMPORT_STATES = ['staging', 'running'] as const;

/** What a process counts of imports, in the registry of its other metrics. */
@Injectable()
export class ImportMetrics {
  private readonly rows;
  private readonly enrolled;
  /** `ScrapeService` sets `open` and `idleSeconds`. */
  readonly open;
  readonly idleSeconds;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.rows = new Counter({
      name: 'outdial_import_rows_total',
      help: 'Rows of imports that were processed, by result: created, updated, failed.',
      labelNames: ['outcome'] as const,
      registers,
    });
    this.enrolled = new Counter({
      name: 'outdial_import_enrollments_total',
      help: 'Enrollments that imports made.',
      registers,
    });
    this.open = new Gauge({
      name: 'outdial_imports',
      help: 'Imports that have not ended, by status: staging, running.',
      labelNames: ['status'] as const,
      registers,
    });
    this.idleSeconds = new Gauge({
      name: 'outdial_imports_idle_seconds',
      help: 'The longest time for which a running import has waited unprocessed, by the clock of Postgres.',
      registers,
    });
    for (const outcome of OUTCOMES) this.rows.inc({ outcome }, 0);
  }

  /** Counts the rows of a stored batch. */
  rowsDone(counts: ImportCounts): void {
    for (const outcome of OUTCOMES) this.rows.inc({ outcome }, counts[outcome]);
    this.enrolled.inc(counts.enrolled);
  }
}
