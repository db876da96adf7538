import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { team } from '../../database/team-scope.js';
import { query, type Statement, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import {
  CLOSE_STALE,
  RELEASE_IMPORT,
  REMOVE_OLD,
  TAKE_CONSENTS,
  TAKE_IMPORT,
  TAKE_SUPPRESSIONS,
  type TakenConsents,
  type TakenImport,
  type TakenSuppressions,
} from '../sql/work.sql.js';
import { Pace } from '../pace.js';
import { ConsentBatches, type ConsentChunk } from './consent-batches.service.js';
import { ImportBatches } from './import-batches.service.js';
import { type PreparedChunk } from './prepared-chunk.js';
import { SuppressionBatches } from './suppression-batches.service.js';
import { type SuppressionChunk } from './suppression-rows.js';

/** The most imports that a worker processes at the same time. Each is of another team. */
const AT_A_TIME = 2;
/**
 * If an import was processed for this time, in milliseconds, and another import waits, the other one is next.
 */
const ROUND_MS = 500;
/** The least time for a row, in milliseconds: 100,000 rows take at least 15 seconds. */
const MS_PER_ROW = 0.15;
/** The cleaning loop pauses this many times as long as the other loops. */
const CLEANING_EVERY = 10;
/** The most rows that one statement removes from each table. */
const REMOVED_AT_A_TIME = 100;

type Taken = Record<string, unknown> & { id: string; team_id: string; next_row: number };
interface Chunk {
  from: number;
  rows: readonly unknown[];
}

/** How the imports of one type are processed. */
interface ImportWork<T extends Taken, C extends Chunk> {
  /** The statement that leases the next import. */
  next: Statement;
  batches: {
    prepare: (taken: T, from: number) => Promise<C | null>;
    store: (taken: T, chunk: C) => Promise<boolean>;
  };
}

/**
 * Processes imports, in every worker. A team's imports run in the order of their creation. Teams are served
 * round-robin: the team whose import was leased the longest ago is next.
 */
@Injectable()
export class ImportWorkerService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ImportWorkerService.name);
  private readonly contacts: ImportWork<TakenImport, PreparedChunk>;
  private readonly suppressions: ImportWork<TakenSuppressions, SuppressionChunk>;
  private readonly consents: ImportWork<TakenConsents, ConsentChunk>;
  private loops: PeriodicLoop[] = [];

  constructor(
    private readonly transactions: Transactions,
    batches: ImportBatches,
    suppressions: SuppressionBatches,
    consents: ConsentBatches,
    private readonly config: Config,
  ) {
    this.contacts = { next: TAKE_IMPORT, batches };
    this.suppressions = { next: TAKE_SUPPRESSIONS, batches: suppressions };
    this.consents = { next: TAKE_CONSENTS, batches: consents };
  }

  onApplicationBootstrap(): void {
    const { sweeperIntervalMs: pauseMs } = this.config;
    const contacts = (signal: AbortSignal) => this.logged(() => this.runAll(this.contacts, signal));
    const suppressions = (signal: AbortSignal) => this.logged(() => this.runAll(this.suppressions, signal));
    this.loops = Array.from({ length: AT_A_TIME }, () => new PeriodicLoop(contacts, pauseMs));
    const consents = (signal: AbortSignal) => this.logged(() => this.runAll(this.consents, signal));
    this.loops.push(new PeriodicLoop(suppressions, pauseMs), new PeriodicLoop(consents, pauseMs));
    this.loops.push(
      new PeriodicLoop((signal) => this.logged(() => this.clean(signal)), pauseMs * CLEANING_EVERY),
    );
  }

  /** Waits for the batches that are under way. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Processes imports until there is none, or `signal` aborts. @throws the database's error. */
  async run(signal: AbortSignal): Promise<void> {
    await this.runAll(this.contacts, signal);
    await this.runAll(this.suppressions, signal);
    await this.runAll(this.consents, signal);
  }

  private async runAll<T extends Taken, C extends Chunk>(
    work: ImportWork<T, C>,
    signal: AbortSignal,
  ): Promise<void> {
    let taken = signal.aborted ? null : await this.take<T>(work);
    while (taken !== null)
      taken = (await this.process(work, taken, signal)) ?? (signal.aborted ? null : await this.take<T>(work));
  }

  /**
   * Marks interrupted uploads, and imports unfinished after three days, as failed. Removes imports a week
   * after their end.
   * @throws the database's error.
   */
  async clean(signal: AbortSignal): Promise<void> {
    const [row] = await this.transactions.autocommit<{ closed: number }>(query(CLOSE_STALE));
    if (row !== undefined && row.closed > 0)
      this.logger.warn(`${row.closed} imports failed: interrupted, or not finished in time`);
    for (let removed = 1; removed > 0 && !signal.aborted;) {
      const [done] = await this.transactions.autocommit<{ removed: number }>(
        query(REMOVE_OLD, REMOVED_AT_A_TIME),
      );
      removed = done?.removed ?? 0;
    }
  }

  /**
   * Processes an import to its end, or until {@link ROUND_MS} have passed and another import waits. It pauses
   * between chunks, so that calls get processor time.
   *
   * @returns the other import, already leased by this worker. Null: the import has no further rows, a
   *   chunk was stale, or `signal` aborted.
   */
  private async process<T extends Taken, C extends Chunk>(
    work: ImportWork<T, C>,
    taken: T,
    signal: AbortSignal,
  ): Promise<T | null> {
    const { batches } = work;
    let until = performance.now() + ROUND_MS;
    const pace = new Pace(MS_PER_ROW, signal);
    try {
      let chunk = await batches.prepare(taken, taken.next_row);
      while (chunk !== null && (await batches.store(taken, chunk)) && !signal.aborted) {
        if (performance.now() > until) {
          const other = await this.take<T>(work);
          if (other !== null) return other;
          until = performance.now() + ROUND_MS;
        }
        await pace.rest(chunk.rows.length);
        chunk = await batches.prepare(taken, chunk.from + chunk.rows.length);
      }
      return null;
    } finally {
      await this.release(taken);
    }
  }

  private async take<T extends Taken>({ next }: { next: Statement }): Promise<T | null> {
    const [taken] = await this.transactions.autocommit<T>(query(next));
    return taken ?? null;
  }

  private async release({ id, team_id: teamId }: Taken): Promise<void> {
    await this.transactions.within(team(teamId)).autocommit(query(RELEASE_IMPORT, id, teamId));
  }

  private async logged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error(`run failed: ${describeError(error)}`);
    }
  }
}
