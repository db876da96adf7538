import { type Response } from 'express';
import { limitLockWaits, teamOfKey } from '../database/team-scope.js';
import { type Query, type Transactions } from '../database/transactions.js';
import { AppError } from '../http/app-error.js';
import { sendJson } from '../http/send-json.js';
import {
  type IdempotencyKey,
  checkKey,
  KEY_IN_FLIGHT,
  KEY_REUSED,
  openKey,
  storeAnswer,
  type StoredAnswer,
} from './idempotency.js';
import { type KeyLockRow } from './idempotency.sql.js';

/** The rows of the statement, or the stored answer to an earlier request with the same key. */
export type RunOnce<Row> = { rows: Row[]; replay: null } | { rows: null; replay: StoredAnswer };

/**
 * Runs the one statement of a request. With an idempotency key, the statement runs in the transaction that
 * stores the answer. It is skipped if the key already has an answer. The statement refuses a request that
 * names another team than its API key's, even if there is a stored answer. The waits for locks are limited as
 * `KeyedSemaphore.runWithLocks` requires.
 *
 * @param teamId the request's `teamId`, or null.
 * @param answerOf the answer of a success; null rolls the statement back and stores nothing.
 * @throws AppError `UNPROCESSABLE` for a key that came with another request, `CONFLICT` while the first
 *   request with the key is in flight.
 */
export async function runOnce<Row extends { team_id: string }>(
  transactions: Transactions,
  keyHash: Buffer,
  key: IdempotencyKey | null,
  teamId: string | null,
  work: Query,
  answerOf: (row: Row) => StoredAnswer | null,
): Promise<RunOnce<Row>> {
  const own = transactions.within(teamOfKey(keyHash));
  if (key === null) {
    const [, result] = await own.inOneRoundTrip([limitLockWaits(), work]);
    return { rows: (result?.rows ?? []) as Row[], replay: null };
  }

  return own.transact<RunOnce<Row>>(async (transaction) => {
    const [, locked, found] = await transaction.send([limitLockWaits(), ...openKey(keyHash, key)]);
    // An unknown API key (401) and another team's `teamId` (403) take precedence: the statement itself
    // refuses them.
    const caller = locked?.rows[0] as KeyLockRow | undefined;
    if (caller !== undefined && (teamId === null || teamId === caller.team_id)) {
      const use = checkKey(key, locked, found);
      if (use.kind === 'replay') return { rows: null, replay: use.answer };
      if (use.kind === 'reused') throw reused();
      if (use.kind === 'in_flight') throw inFlight();
    }
    const [result] = await transaction.send([work]);
    const rows = (result?.rows ?? []) as Row[];
    const [row] = rows;
    const answer = row === undefined ? null : answerOf(row);
    if (row !== undefined && answer !== null) {
      await transaction.commit([storeAnswer(row.team_id, key, answer)]);
    }
    return { rows, replay: null };
  });
}

export const reused = (): AppError => new AppError('UNPROCESSABLE', KEY_REUSED);
export const inFlight = (): AppError => new AppError('CONFLICT', KEY_IN_FLIGHT);

/** An answer, and whether it was given before. */
export interface OnceAnswer extends StoredAnswer {
  replayed: boolean;
}

export function send(response: Response, { status, body, replayed }: OnceAnswer): void {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  sendJson(response, status, body);
}
