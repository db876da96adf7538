import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '../config/config-error.js';
import { isMissingTable } from '../database/database-errors.js';
import { query, Transactions } from '../database/transactions.js';
import { waitForPostgres } from '../database/wait-for-postgres.js';
import { ErasedNumbers } from './erased-numbers.service.js';
import { ERASURE_KEY_CHECK, type ErasureKeyRow } from './sql/erase.sql.js';

/** Whether a process may start without the key. */
export const KEY_IS_OPTIONAL = Symbol('KEY_IS_OPTIONAL');

/** Refuses the start of a process that cannot recognize the erased numbers of its database. */
@Injectable()
export class ErasureKeyCheck implements OnModuleInit {
  private readonly logger = new Logger('Erasure');

  constructor(
    private readonly transactions: Transactions,
    private readonly numbers: ErasedNumbers,
    @Inject(KEY_IS_OPTIONAL) private readonly isOptional: boolean,
  ) {}

  /** Waits for Postgres. @throws ConfigError. */
  async onModuleInit(): Promise<void> {
    if (this.isOptional && !this.numbers.configured) return;
    const stored = await this.stored();
    if (stored === undefined) return;
    if (!this.numbers.configured) throw refusal('is not set; the database holds erased numbers');
    if (stored !== this.numbers.checkValue()) {
      throw refusal('is not the key with which the numbers of this database were erased');
    }
  }

  private async stored(): Promise<string | undefined> {
    try {
      const [row] = await waitForPostgres(this.logger, 'check ERASURE_KEY', () =>
        this.transactions.read<ErasureKeyRow>(query(ERASURE_KEY_CHECK)),
      );
      return row?.check_value;
    } catch (error) {
      // No migration has run, which readiness reports.
      if (isMissingTable(error)) return undefined;
      throw error;
    }
  }
}

function refusal(what: string): ConfigError {
  return new ConfigError(`Invalid environment variables:\n  ERASURE_KEY: ${what}`);
}
