import { type QueryResult, type QueryResultRow } from 'pg';

/**
 * One prepared statement of the hot path. `name` is unique for each text, so Postgres plans the statement
 * once for each connection. With an empty name, Postgres plans it each time.
 */
export interface Statement {
  name: string;
  text: string;
}

/** A statement with its parameters. */
export interface Query {
  statement: Statement;
  values: unknown[];
}

/**
 * A query that sets the teams whose rows a transaction sees. Without row-level security, `withoutRole` is run
 * instead, if it is set.
 */
export interface Scope extends Query {
  withoutRole?: Query;
}

export function query(statement: Statement, ...values: unknown[]): Query {
  return { statement, values };
}

/** The next step of a transaction after the results of its queries. */
export type TransactionStep<T> =
  /**
   * Runs these queries and commits. Once the commit is confirmed, `value` returns the result of the
   * transaction.
   */
  | { commit: Query[]; value: (results: QueryResult<QueryResultRow>[]) => T }
  | { rollback: T }
  /** A further round trip. Its results go to `decide`, which returns the step after it. */
  | { next: Query[]; decide: DecideStep<T> };

/** Decides the next step by the results of the previous queries, in the order of the queries. */
export type DecideStep<T> = (results: QueryResult<QueryResultRow>[]) => TransactionStep<T>;

/** A transaction whose steps are in the order of the code. */
export interface OpenTransaction {
  /**
   * Runs the queries in one round trip. The first one also sends BEGIN.
   *
   * @returns the results, in the order of the queries.
   * @throws the database's error. All other queries of the transaction then fail as well.
   */
  send(queries: Query[]): Promise<QueryResult<QueryResultRow>[]>;

  /**
   * Runs the queries and commits, in one round trip. Only after {@link send}, and at most once.
   *
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent.
   */
  commit(queries: Query[]): Promise<QueryResult<QueryResultRow>[]>;
}

/** Transactions that see the rows of one team, or of a few. */
export type TeamTransactions = Pick<
  Transactions,
  'read' | 'autocommit' | 'inOneRoundTrip' | 'transact' | 'run'
>;

/**
 * Transactions that usually take two round trips. The first sends BEGIN and the statements that take locks
 * and read facts. After the decision, the second sends the writes and COMMIT. `PooledTransactions` implements
 * them on a pool of connections.
 */
export abstract class Transactions {
  /**
   * Transactions that see the rows of the teams of the scope, without further round trips. All other
   * transactions see the rows of no team; only security-definer functions reach across teams.
   *
   * @param scope one of `team-scope.ts`. Where row-level security is off, its `withoutRole` is run instead.
   */
  abstract within(scope: Scope): TeamTransactions;

  /** One statement that only reads, in one round trip. */
  abstract read<R extends QueryResultRow>(one: Query): Promise<R[]>;

  /**
   * One statement that is a transaction of its own, in one round trip.
   *
   * @throws CommitUnknownError, or the driver's error, when the connection was lost. The statement may then
   *   have been committed.
   */
  abstract autocommit<R extends QueryResultRow>(one: Query): Promise<R[]>;

  /**
   * A transaction without a decision, in one round trip: COMMIT is sent with the statements. After a failed
   * statement Postgres rolls back instead.
   *
   * @throws CommitUnknownError when the connection was lost. The transaction may then have been committed.
   */
  abstract inOneRoundTrip(queries: Query[]): Promise<QueryResult<QueryResultRow>[]>;

  /**
   * Runs `work` in a new transaction, which is rolled back unless `work` commits it.
   *
   * @throws what `work` throws, after a rollback.
   */
  abstract transact<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T>;

  /**
   * {@link transact} for work that is given as steps: runs `opening`, passes the results to `decide`, and runs
   * the step that it returns.
   *
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent.
   * @throws the database's error, after a rollback, when any statement failed.
   */
  abstract run<T>(opening: Query[], decide: DecideStep<T>): Promise<T>;

  /**
   * Opens all connections and has Postgres plan the statements on each. Otherwise the first requests of a
   * burst would wait tens of milliseconds for this. The transactions of the statements are rolled back.
   *
   * @throws the driver's error; connections that were not opened are opened when they are needed.
   */
  abstract warmUp(queries: Query[]): Promise<void>;
}
