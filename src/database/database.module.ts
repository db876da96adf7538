import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { type DatabaseOptions, dataSourceOptions } from './data-source.js';

// How often a starting process tries to connect to Postgres, and the pause after each attempt. After the last
// attempt the process exits.
const START_ATTEMPTS = 30;
const START_RETRY_MS = 1_000;

/**
 * TypeORM's connections, for the operator's side of the API. In come the entities of the features; out goes
 * the `DataSource`. The module has no tables of its own: `migrations/` makes the tables of all features.
 *
 * Postgres must accept a connection within about half a minute after the start, or two minutes if the
 * attempts time out. If Postgres is lost later, statements fail (`isDatabaseUnavailable`). The pool connects
 * again as soon as Postgres answers.
 */
@Module({})
export class DatabaseModule {
  /** @param entities patterns of the files of all entities whose repositories the process uses. */
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
