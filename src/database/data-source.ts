import { Socket } from 'node:net';
import { AbstractLogger, DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATION_LOCK_WAIT_MS } from './brief-locks.js';
import { LimitedTransactions } from './limited-transactions.js';
import { MIGRATIONS } from './migrations.js';
import { sessionName } from './session-name.js';
import { SESSION_LIMITS, SteadyClient } from './session.js';
import { SnakeNaming } from './snake-naming.js';

// Milliseconds.
const CONNECT_TIMEOUT = 3_000;
// If Postgres hangs, the session's limits do not apply. The pool closes idle connections before their sockets
// time out.
const SILENCE_TIMEOUT = 8_000;
const IDLE_TIMEOUT = 6_000;

/**
 * `migrations` is for a data source that migrates: its statements take as long as they take, and wait briefly
 * for locks. `poolSize` counts connections.
 */
export interface DatabaseOptions {
  /** The classes that its repositories map; none for a data source that only runs SQL. */
  entities?: (new () => object)[];
  poolSize?: number;
  migrations?: boolean;
  /** Whether the URL is that of a pooler which lends connections for one transaction at a time. */
  transactionPooling?: boolean;
  applicationName?: string;
  /** Receives what happens to idle connections, such as a restart of Postgres. */
  onPoolError?: (error: Error) => void;
}

/** What {@link createDataSource} makes a data source of, for Nest's TypeOrmModule. */
export function dataSourceOptions(databaseUrl: string, options: DatabaseOptions = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseUrl,
    entities: options.entities ?? [],
    migrations: MIGRATIONS,
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
    subscribers: options.transactionPooling ? [LimitedTransactions] : [],
    extra: {
      Client: SteadyClient,
      ...(options.migrations
        ? { lock_timeout: MIGRATION_LOCK_WAIT_MS }
        : { ...POOL_LIMITS, ...(options.transactionPooling ? {} : SESSION_LIMITS) }),
    },
  };
}

const POOL_LIMITS = {
  idleTimeoutMillis: IDLE_TIMEOUT,
  keepAlive: true,
  stream: impatientSocket,
};

/**
 * The data source of every process, not yet initialized: explicit migrations, no schema synchronization, and
 * time limits on every session.
 *
 * @param databaseUrl a `postgres://` URL.
 */
export function createDataSource(databaseUrl: string, options: DatabaseOptions = {}): DataSource {
  return new DataSource(dataSourceOptions(databaseUrl, options));
}

/** TypeORM writes to the console, past the process's own log, and only what it throws as well. */
class SilentLogger extends AbstractLogger {
  protected writeLog(): void {}
}

/**
 * Destroys the socket after a timeout, so that a connection whose query has an unknown result never returns
 * to the pool.
 */
function impatientSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_TIMEOUT, () => {
    socket.destroy(Object.assign(new Error('Postgres did not answer in time'), { code: 'ETIMEDOUT' }));
  });
  return socket;
}
