import { Client, type ClientBase, type ClientConfig, escapeIdentifier } from 'pg';
import { refusalOf } from './restricted-role.js';

/**
 * The limits that Postgres enforces on every connection, in milliseconds, so that a process that hangs delays
 * no other. Named as Postgres names them.
 */
export const SESSION_LIMITS = {
  lock_timeout: 3_000,
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
};

/**
 * A connection whose end is never an uncaught exception. The driver emits an end that no query waits for as
 * an event, and a pool lends connections without a listener. While it is shut down, Postgres may end a
 * connection in the packet that completes its start or a query. The next borrower's own listener is then too
 * late. The next query fails.
 */
export class SteadyClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * How statements of the hot path are planned: once for a connection. To plan them for each team or number
 * takes longer than to run them. All of them find few rows by index, however small a table is when they are
 * planned. None runs long enough for its plan to be compiled.
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

const LIMIT_TRANSACTION = Object.entries(SESSION_LIMITS).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`);

/** The same for the current transaction, for a pooler whose sessions are shared. */
export const LIMIT_THIS_TRANSACTION = LIMIT_TRANSACTION.join('; ');

/**
 * How a transaction of the hot path opens. Without a pooler it is only `BEGIN`, because the connection keeps
 * its role and its limits. A pooler that lends a connection for one transaction keeps no role or limits. Each
 * transaction therefore sets its own in its first message.
 */
export class TransactionOpening {
  private readonly text: string;

  /**
   * Why a connection is given up on which a transaction failed. PgBouncer takes statements for prepared that
   * Postgres did not parse, because one before them had failed, and ends the connection that prepares them
   * again.
   */
  readonly unusableAfterFailure: Error | undefined;

  constructor(
    private readonly role: string | undefined,
    readonly pooled: boolean,
  ) {
    if (pooled) this.unusableAfterFailure = new Error('A transaction failed on a pooled connection');
    const taken = role === undefined ? [] : [`SET LOCAL ROLE ${escapeIdentifier(role)}`];
    const planning = Object.entries(PLANNING).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
    this.text = pooled ? ['BEGIN', ...taken, LIMIT_THIS_TRANSACTION, ...planning].join('; ') : 'BEGIN';
  }

  /** @throws RoleRefusedError, or the driver's error. */
  async begin(client: ClientBase): Promise<unknown> {
    try {
      return await client.query(this.text);
    } catch (error) {
      throw this.role === undefined ? error : refusalOf(error, this.role);
    }
  }
}
