import {
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { Batchers } from './batch-work.js';
import { Batcher } from './batcher/batcher.js';
import { requireSupportedPostgresAt } from './postgres-version.js';
import { requireBaseline } from './ran-migrations.js';
import { RESTRICTED_ROLE } from './restricted-role.js';
import { KeyedSemaphore } from './keyed-semaphore.js';
import { Transactions } from './transactions.js';
import { PooledTransactions } from './pooled-transactions.js';
import { waitForPostgres } from './wait-for-postgres.js';
import { ZoneDataInForce } from './zone-data-in-force.js';

/**
 * The hot path's access to Postgres, in both processes. In come named statements and items to be batched; out
 * go committed results. The module owns the pool, the bound on connections that wait for locks, and no
 * tables.
 */
@Global()
@Module({
  providers: [
    ZoneDataInForce,
    {
      provide: Transactions,
      inject: [Config],
      useFactory: (config: Config) => {
        const logger = new Logger('Postgres');
        return new PooledTransactions({
          databaseUrl: config.databaseUrl,
          poolSize: config.databasePoolSize,
          role: config.rowLevelSecurity === 'on' ? RESTRICTED_ROLE : undefined,
          transactionPooling: config.databaseTransactionPooling,
          onError: (error) => logger.warn(`connection lost: ${error.message}`),
        });
      },
    },
    {
      provide: KeyedSemaphore,
      inject: [Config],
      // The keys are teams. Work that waits for locks occupies at most half of the pool, and one team at most
      // a fifth of it.
      useFactory: ({ databasePoolSize: connections }: Config) =>
        new KeyedSemaphore(Math.ceil(connections / 2), Math.ceil(connections / 5)),
    },
    {
      provide: Batchers,
      inject: [KeyedSemaphore],
      useFactory: (semaphore: KeyedSemaphore): Batchers => ({ of: (work) => new Batcher(work, semaphore) }),
    },
  ],
  exports: [Transactions, KeyedSemaphore, Batchers, ZoneDataInForce],
})
export class TransactionsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(Transactions) private readonly transactions: PooledTransactions,
    private readonly config: Config,
  ) {}

  /**
   * The module is global, so this precedes the checks of other modules, whose statements an old Postgres may
   * not know. Waits for Postgres. @throws ConfigError for a Postgres that is too old, or a database of a version
   * before 1.0.
   */
  async onModuleInit(): Promise<void> {
    const { databaseUrl } = this.config;
    const check = waitForPostgres(new Logger('Postgres'), 'check its version', async () => {
      await requireSupportedPostgresAt(databaseUrl);
      await requireBaseline(this.transactions);
    });
    // After a refusal, an open connection would keep a command running.
    await check.catch(async (error: unknown) => {
      await this.transactions.close();
      throw error;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transactions.close();
  }
}
