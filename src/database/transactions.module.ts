import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { RESTRICTED_ROLE } from './restricted-role.js';
import { TeamSemaphore } from './team-semaphore.js';
import { Transactions } from './transactions.js';

/** The pool of the hot path, for both processes. */
@Global()
@Module({
  providers: [
    {
      provide: Transactions,
      inject: [Config],
      useFactory: (config: Config) => {
        const logger = new Logger('Postgres');
        return new Transactions({
          databaseUrl: config.databaseUrl,
          poolSize: config.databasePoolSize,
          role: config.rowLevelSecurity === 'on' ? RESTRICTED_ROLE : undefined,
          transactionPooling: config.databaseTransactionPooling,
          onError: (error) => logger.warn(`connection lost: ${error.message}`),
        });
      },
    },
    {
      provide: TeamSemaphore,
      inject: [Config],
      // What waits for locks leaves half of the pool to all else, and one team a fifth of it.
      useFactory: ({ databasePoolSize: connections }: Config) =>
        new TeamSemaphore(Math.ceil(connections / 2), Math.ceil(connections / 5)),
    },
  ],
  exports: [Transactions, TeamSemaphore],
})
export class TransactionsModule implements OnApplicationShutdown {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async onApplicationShutdown(): Promise<void> {
    await this.transactions.close();
  }
}
