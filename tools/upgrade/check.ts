import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type LockSampler } from './lock-sampler.js';
import { type Traffic } from './traffic.js';

const LONGEST_LOCK_MS = 1_000;
const SETTLE_MS = 120_000;
const SHOWN = 5;
/** A worker that stops ends the calls of its simulator as failed. */
const ENDED = ['completed', 'failed'];

/** Waits until every accepted call has ended. */
export async function settle(db: Pool, accepted: readonly string[]): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const { rows } = await db.query<{ open: number }>(
      `SELECT count(*)::integer AS open FROM call_requests
       WHERE id = ANY($1) AND status IN ('scheduled', 'queued', 'dialing', 'in_progress')`,
      [accepted],
    );
    if (rows[0]?.open === 0 || performance.now() > deadline) return;
    await pause(200);
  }
}

/** What went wrong, as sentences. @param dialLog of the simulator in every worker. */
export async function check(
  db: Pool,
  traffic: Traffic,
  locks: LockSampler,
  dialLog: string,
): Promise<string[]> {
  const text = await readFile(dialLog, 'utf8').catch(() => '');
  const dials = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { callRequestId } = JSON.parse(line) as { callRequestId: string };
    dials.set(callRequestId, (dials.get(callRequestId) ?? 0) + 1);
  }
  const { rows } = await db.query<{ id: string; status: string }>(
    'SELECT id, status FROM call_requests WHERE id = ANY($1)',
    [traffic.accepted],
  );
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const wrong = traffic.accepted.flatMap((id) => {
    const times = dials.get(id) ?? 0;
    const status = statuses.get(id) ?? 'missing';
    return times === 1 && ENDED.includes(status) ? [] : [`${id} was dialed ${times} times and is ${status}`];
  });
  return [
    ...some(
      'requests failed',
      traffic.failures.map((one) => `${one.phase}: ${one.request}: ${one.answer}`),
    ),
    ...some('calls went wrong', wrong),
    ...(locks.processes.ms > LONGEST_LOCK_MS
      ? [`a statement waited ${Math.round(locks.processes.ms)} ms for a table: ${locks.processes.what}`]
      : []),
  ];
}

function some(what: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  return [`${lines.length} ${what}:`, ...lines.slice(0, SHOWN).map((line) => `  ${line}`)];
}
