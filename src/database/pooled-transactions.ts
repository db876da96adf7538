import {
  type ClientBase,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { namingActor } from './actor.js';
import { CommitUnknownError } from './database-errors.js';
import { allOf, commit, send, pipelined } from './pipeline.js';
import { takeRole } from './restricted-role.js';
import { sessionName } from './session-name.js';
import { PLANNING, SESSION_LIMITS, SteadyClient, TransactionOpening } from './session.js';
import {
  type DecideStep,
  type OpenTransaction,
  type Query,
  type Scope,
  type TeamTransactions,
  Transactions,
} from './transactions.js';

export interface TransactionsOptions {
  databaseUrl: string;
  poolSize: number;
  onError: (error: Error) => void;
  /** The role that each connection acts as, instead of the URL's user, so that row-level security applies. */
  role?: string;
  /** Whether the URL is that of a pooler which lends connections for one transaction at a time. */
  transactionPooling?: boolean;
}

// Milliseconds.
const QUERY_TIMEOUT_MS = 7_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** The driver awaits the promise that `onConnect` returns, but the driver's types do not show this. */
interface PoolHooks {
  onConnect: (client: ClientBase) => Promise<void>;
}

/**
 * {@link Transactions} on a pool. Statements are named, so Postgres parses and plans each statement once for
 * each connection.
 */
export class PooledTransactions extends Transactions {
  private readonly pool: Pool;
  private readonly onError: (error: Error) => void;
  private readonly role: string | undefined;
  private readonly opening: TransactionOpening;

  constructor(options: TransactionsOptions) {
    super();
    const { role, transactionPooling: pooled = false } = options;
    this.onError = options.onError;
    this.role = role;
    this.opening = new TransactionOpening(role, pooled);
    const config: PoolConfig & PoolHooks = {
      connectionString: options.databaseUrl,
      max: options.poolSize,
      // Open connections stay open. Otherwise the next burst would wait for new connections.
      min: options.poolSize,
      Client: SteadyClient,
      pipeline: true,
      application_name: sessionName(),
      ...(pooled ? {} : SESSION_LIMITS),
      // This limit ends a query if the server does not answer at all. In a pipeline, it also counts the time
      // of the queries before.
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      // Runs once for each connection, before its first use.
      onConnect: async (client) => {
        if (pooled) return;
        for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET ${name} = ${value}`);
        if (role !== undefined) await takeRole(client, role);
      },
    };
    this.pool = new Pool(config);
    // An idle connection that breaks emits its error on the pool. Without a listener, the error would end the
    // process.
    this.pool.on('error', this.onError);
  }

  within(scope: Scope): TeamTransactions {
    return {
      read: (one) => this.autocommit(one, scope, []),
      autocommit: (one) => this.autocommit(one, scope),
      inOneRoundTrip: (queries) => this.inOneRoundTrip(queries, scope),
      transact: (work) => this.transact(work, scope),
      run: (opening, decide) => this.run(opening, decide, scope),
    };
  }

  read<R extends QueryResultRow>(one: Query): Promise<R[]> {
    return this.autocommit(one, undefined, []);
  }

  async autocommit<R extends QueryResultRow>(one: Query, scope?: Scope, actor = namingActor()): Promise<R[]> {
    const first = [...this.scopeOf(scope), ...actor];
    if (first.length > 0 || this.opening.pooled) {
      const [result] = await this.inOneTrip([one], first);
      return (result?.rows ?? []) as R[];
    }
    const result = await this.pool.query<R>({ ...one.statement, values: one.values });
    return result.rows;
  }

  inOneRoundTrip(queries: Query[], scope?: Scope): Promise<QueryResult<QueryResultRow>[]> {
    return this.inOneTrip(queries, this.openingOf(scope));
  }

  private inOneTrip(queries: Query[], first: Query[]): Promise<QueryResult<QueryResultRow>[]> {
    return this.onClient(
      async (client) => {
        const results = await pipelined(client, () =>
          commit(client, this.opening.begin(client), [...first, ...queries]),
        );
        return results.slice(first.length);
      },
      (_, error) => (error instanceof CommitUnknownError ? error : undefined),
    );
  }

  transact<T>(work: (transaction: OpenTransaction) => Promise<T>, scope?: Scope): Promise<T> {
    return this.onClient(
      async (client) => {
        const transaction = new ClientTransaction(client, this.opening, this.openingOf(scope));
        const value = await work(transaction);
        await transaction.rollBackUnlessCommitted();
        return value;
      },
      (client, error) => this.rollBack(client, error),
    );
  }

  run<T>(opening: Query[], decide: DecideStep<T>, scope?: Scope): Promise<T> {
    return this.transact(async (transaction) => {
      let step = decide(await transaction.send(opening));
      while ('next' in step) step = step.decide(await transaction.send(step.next));
      return 'rollback' in step ? step.rollback : step.value(await transaction.commit(step.commit));
    }, scope);
  }

  async warmUp(queries: Query[]): Promise<void> {
    // All connections are requested before one is released, so each run gets a different connection.
    const opened = Array.from({ length: this.pool.options.max }, () =>
      this.run<void>(queries, () => ({ rollback: undefined })),
    );
    await Promise.all(opened);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** What comes first in a transaction: its scope, and its actor where one is known. */
  private openingOf(scope: Scope | undefined): Query[] {
    const actor = namingActor();
    return actor.length === 0 ? this.scopeOf(scope) : [...this.scopeOf(scope), ...actor];
  }

  /** Without a role, row-level security is off: the scope is left out, or replaced by its `withoutRole`. */
  private scopeOf(scope: Scope | undefined): Query[] {
    if (scope === undefined) return [];
    if (this.role !== undefined) return [scope];
    return scope.withoutRole === undefined ? [] : [scope.withoutRole];
  }

  /** `afterFailure` returns an error if the connection is unusable after a failure. */
  private async onClient<T>(
    work: (client: PoolClient) => Promise<T>,
    afterFailure: (client: PoolClient, error: unknown) => Promise<Error | undefined> | Error | undefined,
  ): Promise<T> {
    const client = await this.pool.connect();
    // The pool listens only to idle connections.
    client.on('error', this.onError);
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      broken = (await afterFailure(client, error)) ?? this.opening.unusableAfterFailure;
      throw error;
    } finally {
      client.off('error', this.onError);
      client.release(broken);
    }
  }

  /** Returns the error that makes the connection unusable; undefined if it is usable. */
  private async rollBack(client: PoolClient, cause: unknown): Promise<Error | undefined> {
    if (cause instanceof CommitUnknownError) return cause;
    try {
      await client.query('ROLLBACK');
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** A transaction on one connection. Its first message contains BEGIN and the queries of its scope. */
class ClientTransaction implements OpenTransaction {
  private begun: Promise<unknown> | undefined;
  private isOpen = false;

  constructor(
    private readonly client: PoolClient,
    private readonly opening: TransactionOpening,
    private readonly scope: Query[],
  ) {}

  async send(queries: Query[]): Promise<QueryResult<QueryResultRow>[]> {
    const { client, scope } = this;
    if (this.begun !== undefined) return allOf(this.begun, send(client, queries));
    const [begun, sent] = pipelined(client, () => [
      this.opening.begin(client),
      send(client, [...scope, ...queries]),
    ]);
    this.begun = begun;
    this.isOpen = true;
    return (await allOf(begun, sent)).slice(scope.length);
  }

  commit(queries: Query[]): Promise<QueryResult<QueryResultRow>[]> {
    if (this.begun === undefined) throw new Error('The transaction has not begun');
    this.isOpen = false;
    return commit(this.client, this.begun, queries);
  }

  async rollBackUnlessCommitted(): Promise<void> {
    if (this.isOpen) await this.client.query('ROLLBACK');
  }
}
