import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Pace } from '../pace.js';
import { RELEASE_UNDO, TAKE_UNDO, type TakenUndo } from '../sql/undo.sql.js';
import { UndoBatches } from './undo-batches.service.js';

/** An undo is interrupted after this time, in milliseconds, so that another one can be next. */
const ROUND_MS = 500;
/** The least time for a contact, in milliseconds: 100,000 contacts take at least 30 seconds. */
const MS_PER_CONTACT = 0.3;

/** Undoes imports, in every worker, one at a time. Imports are served round-robin. */
@Injectable()
export class UndoWorkerService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UndoWorkerService.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly batches: UndoBatches,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop((signal) => this.logged(signal), this.config.sweeperIntervalMs);
  }

  /** Waits for the batch that is under way. */
  async onModuleDestroy(): Promise<void> {
    await this.loop?.stop();
  }

  /** Undoes imports until there is none, or `signal` aborts. @throws the database's error. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [taken] = await this.transactions.autocommit<TakenUndo>(query(TAKE_UNDO));
      if (taken === undefined) return;
      await this.process(taken, signal);
    }
  }

  /** Undoes an import to its end, or for {@link ROUND_MS}. */
  private async process(taken: TakenUndo, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ROUND_MS;
    const pace = new Pace(MS_PER_CONTACT, signal);
    try {
      let batch = await this.batches.undo(taken, taken.undone_after);
      while (batch !== null && !signal.aborted && performance.now() < until) {
        await pace.rest(batch.contacts);
        batch = await this.batches.undo(taken, batch.after);
      }
    } finally {
      const { id, team_id: teamId } = taken;
      await this.transactions.within(team(teamId)).autocommit(query(RELEASE_UNDO, id, teamId));
    }
  }

  private async logged(signal: AbortSignal): Promise<void> {
    try {
      await this.run(signal);
    } catch (error) {
      this.logger.error(`run failed: ${describeError(error)}`);
    }
  }
}
