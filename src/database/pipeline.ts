import { type Writable } from 'node:stream';
import { type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { CommitUnknownError } from './database-errors.js';

/** A prepared statement with its parameters, for the wire. */
interface Prepared {
  statement: { name: string; text: string };
  values: unknown[];
}

/**
 * Waits for all results, so that none is left in the pipeline. `before` is a result that the others depend
 * on.
 */
export async function allOf<T>(before: Promise<unknown>, promises: Promise<T>[]): Promise<T[]> {
  const [[began], settled] = await Promise.all([Promise.allSettled([before]), Promise.allSettled(promises)]);
  if (began?.status === 'rejected') throw began.reason;
  return valuesOf(settled);
}

/**
 * Throws the first failure in the order of the statements. In a pipeline, the later failures only follow from
 * the first.
 */
function valuesOf<T>(settled: PromiseSettledResult<T>[]): T[] {
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * Sends the statements of `work` as one packet. Otherwise the driver would write each statement separately,
 * which costs more CPU time than Postgres needs to run the statement. Invocations may be nested.
 */
export function pipelined<T>(client: PoolClient, work: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

export function send(client: PoolClient, queries: Prepared[]): Promise<QueryResult<QueryResultRow>>[] {
  return pipelined(client, () =>
    queries.map(({ statement, values }) => client.query({ ...statement, values })),
  );
}

export function commit(
  client: PoolClient,
  begun: Promise<unknown>,
  writes: Prepared[],
): Promise<QueryResult<QueryResultRow>[]> {
  return pipelined(client, () => committed(begun, send(client, writes), client.query('COMMIT')));
}

/**
 * The results of `writes` once they are committed. A COMMIT counts only if Postgres answers COMMIT: after a
 * failed statement it answers ROLLBACK instead, and a lost connection leaves the answer unknown.
 */
async function committed<T>(
  before: Promise<unknown>,
  writes: Promise<T>[],
  commit: Promise<QueryResult>,
): Promise<T[]> {
  // All promises get handlers before the first wait, because a lost connection rejects all of them at once.
  const written = allOf(before, writes);
  written.catch(() => undefined);
  const [outcome] = await Promise.allSettled([commit]);
  if (outcome.status === 'rejected') {
    throw new CommitUnknownError('The result of COMMIT is unknown', { cause: outcome.reason });
  }
  const results = await written;
  if (outcome.value.command !== 'COMMIT') throw new Error('The transaction was rolled back');
  return results;
}
