import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isNotMigrated } from '../database/database-errors.js';
import { query, Transactions } from '../database/transactions.js';
import { waitForPostgres } from '../database/wait-for-postgres.js';
import {
  CHECK_DATABASE_IDENTITY,
  COUNT_RESTORED_CALLS,
  HOLD_RESTORED_CALLS,
  type IdentityCheck,
} from './restore.sql.js';

const BATCH = 500;
/**
 * How often the check tries to lock the rows of calls, within about a second. Most other transactions end in
 * this time.
 */
const ROUNDS = 10;
const ROUND_MS = 100;

/**
 * Detects that the database was restored from a backup, before the process uses it. It then pauses the
 * platform. Calls that may have been dialed after the backup become `dial_unknown`, so that they are not
 * dialed again.
 */
@Injectable()
export class RestoreCheck implements OnModuleInit {
  private readonly logger = new Logger('Restore');

  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  /** Waits for Postgres. */
  async onModuleInit(): Promise<void> {
    try {
      await waitForPostgres(this.logger, 'check which database it is', () => this.check());
    } catch (error) {
      // The readiness check reports the migrations that have not run.
      if (!isNotMigrated(error)) throw error;
    }
  }

  /**
   * @returns how many calls are left, because other transactions still hold their rows after about a second.
   *   These calls are not dialed while the platform is paused, and the next check processes them.
   * @throws the database's error.
   */
  async check(): Promise<number> {
    const [row] = await this.transactions.autocommit<{ is: IdentityCheck }>(query(CHECK_DATABASE_IDENTITY));
    if (row?.is !== 'noticed' && row?.is !== 'waiting') return 0;
    if (row.is === 'noticed') {
      this.logger.error('the database was restored: dialing is paused until an operator resumes it');
    }
    return this.holdCalls();
  }

  private async holdCalls(): Promise<number> {
    let total = 0;
    let left = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await pause(ROUND_MS);
      for (let held = BATCH; held === BATCH; total += held) held = await this.holdBatch();
      left = await this.countLeft();
      if (left === 0) break;
    }
    if (total > 0) {
      this.logger.warn(`${total} pending calls may have been dialed after the backup: dial_unknown`);
    }
    if (left > 0) {
      this.logger.warn(`${left} more calls may have been dialed; other transactions hold their rows`);
    }
    return left;
  }

  private async holdBatch(): Promise<number> {
    const [row] = await this.transactions.autocommit<{ held: number }>(
      // A command may have no default carrier. Calls of agents without a carrier are then not looked up at a
      // carrier.
      query(HOLD_RESTORED_CALLS, this.config.carrier ?? null, BATCH),
    );
    return row?.held ?? 0;
  }

  private async countLeft(): Promise<number> {
    const [row] = await this.transactions.autocommit<{ calls: number }>(query(COUNT_RESTORED_CALLS));
    return row?.calls ?? 0;
  }
}
