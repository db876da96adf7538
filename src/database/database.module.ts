import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { type DatabaseOptions, dataSourceOptions } from './data-source.js';

// A process that starts before Postgres waits this long for it. Then it exits, and its supervisor decides.
const START_ATTEMPTS = 30;
const START_RETRY_MS = 1_000;

/**
 * TypeORM's connections, for the operator's side of the API. In come the entities that the features hand up;
 * out goes the `DataSource`. No tables of its own: `migrations/` and `functions/` make all of them.
 *
 * Postgres must answer within about half a minute after the start. If it is lost later, statements fail
 * (`isDatabaseUnavailable`), and the pool connects again once it is back.
 */
@Module({})
export class DatabaseModule {
  /** @param entities the classes of all features whose repositories the process uses. */
  static forRoot(entities: DatabaseOptions['entities']): DynamicModule {
    const useFactory = (config: Config) => {
      const logger = new Logger('Database');
      return {
        ...dataSourceOptions(config.databaseOperatorUrl ?? config.databaseUrl, {
          entities,
          poolSize: config.databasePoolSize,
          transactionPooling: config.databaseTransactionPooling,
          onPoolError: (error) => logger.warn(`Lost a connection to Postgres: ${error.message}`),
        }),
        retryAttempts: START_ATTEMPTS,
        retryDelay: START_RETRY_MS,
      };
    };
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRootAsync({ inject: [Config], useFactory })],
    };
  }
}
