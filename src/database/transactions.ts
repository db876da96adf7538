import { type QueryResult, type QueryResultRow } from 'pg';

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

/** What a transaction does after the results of its queries are known. */
export type TransactionStep<T> =
  /** Run these and commit. `value` is the result of the transaction if, and only if, the commit is confirmed. */
  | { commit: Query[]; value: (results: QueryResult<QueryResultRow>[]) => T }
  | { rollback: T }
  /** Another round trip first: for what must be known before the rest may wait for locks. */
  | { next: Query[]; decide: DecideStep<T> };

/** Decides the next step by the results of the queries before it, in their order. */
export type DecideStep<T> = (results: QueryResult<QueryResultRow>[]) => TransactionStep<T>;

/** Transactions that see the rows of one team, or of a few. */
export type TeamTransactions = Pick<Transactions, 'read' | 'autocommit' | 'inOneRoundTrip' | 'run'>;

/**
 * Transactions of two round trips: BEGIN, locks and facts go out together; then, once the facts are judged, the writes and COMMIT do.
 * `PooledTransactions` implements them on a pool of connections.
 */
export abstract class Transactions {
  /**
   * The same for the rows of one team, or of the few that the scope names, without further round trips. Everything outside of it sees the
   * rows of no team, and only the functions that the migrations made for that reach across teams.
   *
   * @param scope one of `team-scope.ts`; where row-level security is off, its `withoutRole` stands for it.
   */
  abstract within(scope: Scope): TeamTransactions;

  /** One read outside any transaction, in one round trip. */
  abstract read<R extends QueryResultRow>(one: Query): Promise<R[]>;

  /**
   * One statement that is a transaction of its own, in one round trip: it happens as a whole, or throws.
   *
   * @throws CommitUnknownError, or the driver's error, when the connection was lost and it may have happened.
   */
  abstract autocommit<R extends QueryResultRow>(one: Query): Promise<R[]>;

  /**
   * A transaction in which nothing is decided, in one round trip: COMMIT goes out with the statements. Postgres makes a
   * rollback of it after a failure.
   *
   * @throws CommitUnknownError when the connection was lost and it may have happened.
   */
  abstract inOneRoundTrip(queries: Query[]): Promise<QueryResult<QueryResultRow>[]>;

  /**
   * Runs `opening` in a new transaction, gives all its results to `decide`, and does what that says.
   *
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent.
   * @throws the database's error, after a rollback, when any statement failed.
   */
  abstract run<T>(opening: Query[], decide: DecideStep<T>): Promise<T>;
}
