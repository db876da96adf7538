import { Client, type ClientBase, type ClientConfig, escapeIdentifier } from 'pg';
import { refusalOf } from './restricted-role.js';

/**
 * Time limits that Postgres enforces, in milliseconds, so that a process that hangs does not delay others.
 * They have the names of Postgres' settings. Connections of migrations have other limits.
 */
export const SESSION_LIMITS = {
  lock_timeout: 3_000,
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
};

/**
 * A connection whose loss is never an uncaught exception. If no query is under way, the driver emits the loss
 * as an `error` event. A pool lends connections without a listener for this event. While Postgres shuts down,
 * it may end a connection in the same packet that completes a query or the connection's start. The borrower
 * would then add its own listener too late. With the listener here, only the next query fails.
 */
export class SteadyClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * How Postgres plans the statements of the hot path: once for each connection. Planning a statement for each
 * team or number would take longer than running it. Each statement finds few rows by an index, even if its
 * table was still small when it was planned. None runs long enough to benefit from compilation (`jit`).
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

const LIMIT_TRANSACTION = Object.entries(SESSION_LIMITS).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`);

/**
 * SQL that sets {@link SESSION_LIMITS} for the current transaction, for a pooler whose sessions are shared.
 */
export const LIMIT_THIS_TRANSACTION = LIMIT_TRANSACTION.join('; ');

/**
 * How a transaction of the hot path opens. Without a pooler it is only `BEGIN`, because the connection keeps
 * its role and its limits. A pooler that lends a connection for one transaction keeps no role or limits. Each
 * transaction therefore sets them in its first message.
 */
export class TransactionOpening {
  private readonly text: string;

  /**
   * Why a connection is discarded after a failed transaction; undefined without a pooler. After the failure,
   * PgBouncer treats some statements as prepared, although Postgres never parsed them. It ends a connection
   * that prepares them again.
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
