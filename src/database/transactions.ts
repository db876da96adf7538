import { Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';

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

/** The commit was asked for and its result is unknown: the writes may or may not have happened. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError';
}

/** Limits of every connection: a hung process holds nobody longer than these (milliseconds). */
export const LOCK_TIMEOUT_MS = 3_000;
export const STATEMENT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 7_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Transactions of exactly two round trips: BEGIN, locks and facts go out together; then, once the facts are judged,
 * the writes and COMMIT do. Statements are named, so each is parsed and planned once a connection.
 */
export class Transactions {
  private readonly pool: Pool;
  private readonly onError: (error: Error) => void;

  constructor(options: { databaseUrl: string; poolSize: number; onError: (error: Error) => void }) {
    this.onError = options.onError;
    this.pool = new Pool({
      connectionString: options.databaseUrl,
      max: options.poolSize,
      pipeline: true,
      application_name: 'outdial',
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      // For a server that does not answer at all; a query in a pipeline also waits for those before it.
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    // An idle connection that breaks emits here; unhandled, it would end the process.
    this.pool.on('error', this.onError);
  }

  /** One read outside any transaction, in one round trip. */
  read<R extends QueryResultRow>(query: Query): Promise<R[]> {
    return this.autocommit(query);
  }

  /** One statement that is a transaction of its own, in one round trip: it happens as a whole, or throws. */
  async autocommit<R extends QueryResultRow>({ statement, values }: Query): Promise<R[]> {
    const result = await this.pool.query<R>({ ...statement, values });
    return result.rows;
  }

  /**
   * Runs `opening` in a new transaction, gives all its results to `plan`, and does what that says.
   *
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent.
   * @throws the database's error, after a rollback, when any statement failed.
   */
  async run<T>(opening: Query[], plan: Planner<T>): Promise<T> {
    const client = await this.pool.connect();
    // The pool listens only to idle ones.
    client.on('error', this.onError);
    let broken: Error | undefined;
    try {
      return await this.runOn(client, opening, plan);
    } catch (error) {
      broken = await this.rollBack(client, error);
      throw error;
    } finally {
      client.off('error', this.onError);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async runOn<T>(client: PoolClient, opening: Query[], plan: Planner<T>): Promise<T> {
    const [, ...facts] = await allOf([client.query<QueryResultRow>('BEGIN'), ...send(client, opening)]);
    let next = plan(facts);
    while ('next' in next) next = next.plan(await allOf(send(client, next.next)));
    if ('rollback' in next) {
      await client.query('ROLLBACK');
      return next.rollback;
    }
    const writes = send(client, next.commit);
    const results = await committed(writes, client.query('COMMIT'));
    return next.value(results);
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

function send(client: PoolClient, queries: Query[]): Promise<QueryResult<QueryResultRow>>[] {
  return queries.map(({ statement, values }) => client.query({ ...statement, values }));
}

/** Waits for all of them, so that none is left behind in the pipeline. */
async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  return valuesOf(await Promise.allSettled(promises));
}

/** Throws the first failure in order: in a pipeline the later ones only echo it. */
function valuesOf<T>(settled: PromiseSettledResult<T>[]): T[] {
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * The results of `writes` once they are committed. A COMMIT counts only when Postgres said COMMIT: after a failed
 * statement it answers ROLLBACK instead, and a lost connection leaves the answer unknown.
 */
async function committed<T>(writes: Promise<T>[], commit: Promise<QueryResult>): Promise<T[]> {
  // Handlers on all of them at once: a lost connection rejects them together.
  const written = Promise.allSettled(writes);
  const [outcome] = await Promise.allSettled([commit]);
  if (outcome.status === 'rejected') {
    throw new CommitUnknownError('The result of COMMIT is unknown', { cause: outcome.reason });
  }
  const results = valuesOf(await written);
  if (outcome.value.command !== 'COMMIT') throw new Error('The transaction was rolled back');
  return results;
}
