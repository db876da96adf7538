import {
  type ClientBase,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { CommitUnknownError } from './database-errors.js';
import { allOf, commit, send, together } from './pipeline.js';
import { takeRole } from './restricted-role.js';
import { PLANNING, SESSION_LIMITS, TransactionOpening } from './session.js';

/** One prepared statement of the hot path. `name` is unique per text, so that Postgres plans it once a connection. */
export interface Statement {
  name: string;
  text: string;
}

/** A statement with its parameters. */
export interface Query {
  statement: Statement;
  values: unknown[];
}

/** Whose rows a transaction is about; `withoutRole` stands for it where row-level security is off. */
export interface Scope extends Query {
  withoutRole?: Query;
}

export function query(statement: Statement, ...values: unknown[]): Query {
  return { statement, values };
}

/** What a transaction shall do after its facts are known. */
export type Plan<T> =
  /** Run these and commit; `value` is what the transaction is worth if, and only if, the commit is confirmed. */
  | { commit: Query[]; value: (results: QueryResult<QueryResultRow>[]) => T }
  | { rollback: T }
  /** Another round trip first: for what must be known before the rest may wait for locks. */
  | { next: Query[]; plan: Planner<T> };

/** Decides by the results of the queries before it, in their order. */
export type Planner<T> = (results: QueryResult<QueryResultRow>[]) => Plan<T>;

/** Transactions that see the rows of one team, or of a few. */
export type TeamTransactions = Pick<Transactions, 'read' | 'autocommit' | 'inOneRoundTrip' | 'run'>;

export interface TransactionsOptions {
  databaseUrl: string;
  poolSize: number;
  onError: (error: Error) => void;
  /** What each connection acts as instead of the URL's user, so that row-level security binds it. */
  role?: string;
  /** Whether the URL is that of a pooler which lends connections for one transaction at a time. */
  transactionPooling?: boolean;
}

// Milliseconds.
const QUERY_TIMEOUT_MS = 7_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** The driver waits for this one, which its types do not tell. */
interface PoolHooks {
  onConnect: (client: ClientBase) => Promise<void>;
}

/**
 * Transactions of exactly two round trips: BEGIN, locks and facts go out together; then, once the facts are judged,
 * the writes and COMMIT do. Statements are named, so each is parsed and planned once a connection.
 */
export class Transactions {
  private readonly pool: Pool;
  private readonly onError: (error: Error) => void;
  private readonly role: string | undefined;
  private readonly opening: TransactionOpening;

  constructor(options: TransactionsOptions) {
    const { role, transactionPooling: pooled = false } = options;
    this.onError = options.onError;
    this.role = role;
    this.opening = new TransactionOpening(role, pooled);
    const config: PoolConfig & PoolHooks = {
      connectionString: options.databaseUrl,
      max: options.poolSize,
      pipeline: true,
      application_name: 'outdial',
      ...(pooled ? {} : SESSION_LIMITS),
      // For a server that does not answer at all; a query in a pipeline also waits for those before it.
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      // Once on a connection, before anybody uses it.
      onConnect: async (client) => {
        if (pooled) return;
        for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET ${name} = ${value}`);
        if (role !== undefined) await takeRole(client, role);
      },
    };
    this.pool = new Pool(config);
    // An idle connection that breaks emits here; unhandled, it would end the process.
    this.pool.on('error', this.onError);
  }

  /**
   * The same for the rows of one team, or of the few that the scope names, without further round trips. Whatever is not in here sees the rows of no team, and
   * only the functions that the migrations made for that reach across teams.
   *
   * @param scope one of `team-scope.ts`; without a role there is nothing to see less of, and its `withoutRole` stands for it.
   */
  within(scope: Scope): TeamTransactions {
    return {
      read: (one) => this.autocommit(one, scope),
      autocommit: (one) => this.autocommit(one, scope),
      inOneRoundTrip: (queries) => this.inOneRoundTrip(queries, scope),
      run: (opening, plan) => this.run(opening, plan, scope),
    };
  }

  /** One read outside any transaction, in one round trip. */
  read<R extends QueryResultRow>(one: Query): Promise<R[]> {
    return this.autocommit(one);
  }

  /**
   * One statement that is a transaction of its own, in one round trip: it happens as a whole, or throws.
   *
   * @throws CommitUnknownError, or the driver's error, when the connection was lost and it may have happened.
   */
  async autocommit<R extends QueryResultRow>(one: Query, scope?: Scope): Promise<R[]> {
    if (this.scopeOf(scope).length > 0 || this.opening.pooled) {
      const [result] = await this.inOneRoundTrip([one], scope);
      return (result?.rows ?? []) as R[];
    }
    const result = await this.pool.query<R>({ ...one.statement, values: one.values });
    return result.rows;
  }

  /**
   * A transaction in which nothing is decided, in one round trip: COMMIT goes out with the statements. Postgres makes a
   * rollback of it after a failure.
   *
   * @throws CommitUnknownError when the connection was lost and it may have happened.
   */
  inOneRoundTrip(queries: Query[], scope?: Scope): Promise<QueryResult<QueryResultRow>[]> {
    const first = this.scopeOf(scope);
    return this.onClient(
      async (client) => {
        const results = await together(client, () =>
          commit(client, this.opening.begin(client), [...first, ...queries]),
        );
        return results.slice(first.length);
      },
      (_, error) => (error instanceof CommitUnknownError ? error : undefined),
    );
  }

  /**
   * Runs `opening` in a new transaction, gives all its results to `plan`, and does what that says. `scope` is for
   * {@link within} alone.
   *
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent.
   * @throws the database's error, after a rollback, when any statement failed.
   */
  run<T>(opening: Query[], plan: Planner<T>, scope?: Scope): Promise<T> {
    return this.onClient(
      (client) => this.runOn(client, this.scopeOf(scope), opening, plan),
      (client, error) => this.rollBack(client, error),
    );
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Without a role there is nothing to see less of. */
  private scopeOf(scope: Scope | undefined): Query[] {
    if (scope === undefined) return [];
    if (this.role !== undefined) return [scope];
    return scope.withoutRole === undefined ? [] : [scope.withoutRole];
  }

  /** `afterFailure` says whether the connection is unusable then, and why. */
  private async onClient<T>(
    work: (client: PoolClient) => Promise<T>,
    afterFailure: (client: PoolClient, error: unknown) => Promise<Error | undefined> | Error | undefined,
  ): Promise<T> {
    const client = await this.pool.connect();
    // The pool listens only to idle ones.
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

  private async runOn<T>(client: PoolClient, first: Query[], opening: Query[], plan: Planner<T>): Promise<T> {
    const [begun, opened] = together(client, () => [
      this.opening.begin(client),
      send(client, [...first, ...opening]),
    ]);
    const results = await allOf(begun, opened);
    let next = plan(results.slice(first.length));
    while ('next' in next) next = next.plan(await allOf(begun, send(client, next.next)));
    if ('rollback' in next) {
      await client.query('ROLLBACK');
      return next.rollback;
    }
    return next.value(await commit(client, begun, next.commit));
  }

  /** Returns the error that makes the connection unusable, if it is. */
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
