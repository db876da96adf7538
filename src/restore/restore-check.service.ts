import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isDatabaseUnavailable, isNotMigrated } from '../database/database-errors.js';
import { query, Transactions } from '../database/transactions.js';
import { CHECK_DATABASE_IDENTITY, HOLD_RESTORED_CALLS, type IdentityCheck } from './restore.sql.js';

const RETRY_MS = 1_000;
const BATCH = 500;

/**
 * Detects that the database was restored from a backup, before the process uses it. It then pauses the platform. Calls that may have been
 * dialed after the backup become `dial_unknown`, so that they are not dialed again.
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
    for (;;) {
      try {
        return await this.check();
      } catch (error) {
        // Readiness names the migrations that have not run.
        if (isNotMigrated(error)) return;
        if (!isDatabaseUnavailable(error)) throw error;
        this.logger.warn('Postgres is away: waiting to check which database it is');
        await setTimeout(RETRY_MS);
      }
    }
  }

  /** @throws the database's error. */
  async check(): Promise<void> {
    const [row] = await this.transactions.autocommit<{ is: IdentityCheck }>(query(CHECK_DATABASE_IDENTITY));
    if (row?.is !== 'noticed' && row?.is !== 'waiting') return;
    if (row.is === 'noticed') {
      this.logger.error('the database was restored: dialing is paused until an operator resumes it');
    }
    let total = 0;
    for (let held = BATCH; held === BATCH; total += held) held = await this.hold();
    if (total > 0)
      this.logger.warn(`${total} pending calls may have been dialed after the backup: dial_unknown`);
  }

  private async hold(): Promise<number> {
    const [row] = await this.transactions.autocommit<{ held: number }>(
      // Commands may have no default carrier. Calls of agents without a carrier are then not looked up.
      query(HOLD_RESTORED_CALLS, this.config.carrier ?? null, BATCH),
    );
    return row?.held ?? 0;
  }
}
