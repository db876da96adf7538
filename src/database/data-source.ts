import { Socket } from 'node:net';
import { AbstractLogger, DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATION_LOCK_WAIT_MS } from './brief-locks.js';
import { LimitedTransactions } from './limited-transactions.js';
import { NamedActors } from './named-actors.js';
import { sessionName } from './session-name.js';
import { SESSION_LIMITS, SteadyClient } from './session.js';
import { SnakeNaming } from './snake-naming.js';

// Milliseconds.
const CONNECT_TIMEOUT = 3_000;
// A Postgres that hangs does not enforce the session's limits, so the socket has a timeout of its own. The
// pool closes idle connections before this timeout.
const SILENCE_TIMEOUT = 8_000;
const IDLE_TIMEOUT = 6_000;

/** Classes of migrations, or patterns of their files. */
export type Migrations = NonNullable<DataSourceOptions['migrations']>;

/**
 * With `migrations`, the data source is for migrations: its statements have no time limit, and wait only
 * briefly for locks. `unlimited`: statements may take minutes, as the transfer of a long list does. `poolSize` is a
 * number of connections.
 */
export interface DatabaseOptions {
  /** Patterns of the files of its entities; unset for a data source that only runs SQL. */
  entities?: string[];
  poolSize?: number;
  migrations?: Migrations;
  unlimited?: boolean;
  /** Whether the URL is that of a pooler which lends connections for one transaction at a time. */
  transactionPooling?: boolean;
  applicationName?: string;
  /** Receives the errors of idle connections, for example after a restart of Postgres. */
  onPoolError?: (error: Error) => void;
}

/**
 * The options from which {@link createDataSource} makes a data source. Nest's TypeOrmModule takes them, too.
 */
export function dataSourceOptions(databaseUrl: string, options: DatabaseOptions = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseUrl,
    entities: options.entities ?? [],
    // Only a data source for migrations loads their files.
    migrations: options.migrations ?? [],
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    // gen_random_uuid() is built into Postgres; the name only makes TypeORM expect that function.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logger: new SilentLogger(),
    connectTimeoutMS: CONNECT_TIMEOUT,
    applicationName: options.applicationName ?? sessionName(),
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    subscribers:
      options.transactionPooling && !options.unlimited ? [LimitedTransactions, NamedActors] : [NamedActors],
    extra: { Client: SteadyClient, ...limitsOf(options) },
  };
}

function limitsOf({ migrations, unlimited, transactionPooling }: DatabaseOptions): object {
  if (unlimited) return { keepAlive: true };
  if (migrations) return { lock_timeout: MIGRATION_LOCK_WAIT_MS };
  return { ...POOL_LIMITS, ...(transactionPooling ? {} : SESSION_LIMITS) };
}

const POOL_LIMITS = {
  idleTimeoutMillis: IDLE_TIMEOUT,
  keepAlive: true,
  stream: impatientSocket,
};

/**
 * A data source that is not yet initialized. It runs only explicit migrations and never synchronizes the
 * schema. Its statements have time limits, except with `migrations`.
 *
 * @param databaseUrl a `postgres://` URL.
 */
export function createDataSource(databaseUrl: string, options: DatabaseOptions = {}): DataSource {
  return new DataSource(dataSourceOptions(databaseUrl, options));
}

/**
 * TypeORM's own logger would write to the console and not to the log of the process. Errors that it would
 * write are also thrown.
 */
class SilentLogger extends AbstractLogger {
  protected writeLog(): void {}
}

/**
 * Returns a socket that destroys itself after {@link SILENCE_TIMEOUT} without data. A connection whose query
 * has an unknown result therefore never returns to the pool.
 */
function impatientSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_TIMEOUT, () => {
    socket.destroy(Object.assign(new Error('Postgres did not answer in time'), { code: 'ETIMEDOUT' }));
  });
  return socket;
}
