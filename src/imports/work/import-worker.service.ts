import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { CLOSE_STALE, RELEASE_IMPORT, REMOVE_OLD, TAKE_IMPORT, type TakenImport } from '../sql/work.sql.js';
import { Pace } from '../pace.js';
import { ImportBatches } from './import-batches.service.js';

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

/**
 * Processes imports, in every worker. A team's imports run in the order of their creation. Teams are served
 * round-robin: the team whose import was leased the longest ago is next.
 */
@Injectable()
export class ImportWorkerService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ImportWorkerService.name);
  private loops: PeriodicLoop[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly batches: ImportBatches,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { sweeperIntervalMs: pauseMs } = this.config;
    const process = (signal: AbortSignal) => this.logged(() => this.run(signal));
    this.loops = Array.from({ length: AT_A_TIME }, () => new PeriodicLoop(process, pauseMs));
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
    let taken = signal.aborted ? null : await this.take();
    while (taken !== null)
      taken = (await this.process(taken, signal)) ?? (signal.aborted ? null : await this.take());
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
  private async process(taken: TakenImport, signal: AbortSignal): Promise<TakenImport | null> {
    let until = performance.now() + ROUND_MS;
    const pace = new Pace(MS_PER_ROW, signal);
    try {
      let chunk = await this.batches.prepare(taken, taken.next_row);
      while (chunk !== null && (await this.batches.store(taken, chunk)) && !signal.aborted) {
        if (performance.now() > until) {
          const other = await this.take();
          if (other !== null) return other;
          until = performance.now() + ROUND_MS;
        }
        await pace.rest(chunk.rows.length);
        chunk = await this.batches.prepare(taken, chunk.from + chunk.rows.length);
      }
      return null;
    } finally {
      await this.release(taken);
    }
  }

  private async take(): Promise<TakenImport | null> {
    const [taken] = await this.transactions.autocommit<TakenImport>(query(TAKE_IMPORT));
    return taken ?? null;
  }

  private async release({ id, team_id: teamId }: TakenImport): Promise<void> {
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
