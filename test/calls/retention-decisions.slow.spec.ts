import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { buildPhoneNumber, buildPool, insertRow, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { acceptedId, Calling, type CallRow } from '../support/calling.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall } from '../support/number-history.js';
import { randomFrom } from '../support/random.js';

/*
 * Two teams have the same settings and the same history. One keeps its calls without end, the other for as
 * few days as it may. Both get the same requests at the same instants: nothing that was removed may have
 * changed a decision.
 */

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-29T10:00:00.000Z');
const HISTORY_DAYS = 60;
const HISTORY_CALLS = 150;
const NUMBERS = 6;
const POOL = 5;
const ROUNDS = 10;
const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

interface Twins {
  keeping: Caller;
  removing: Caller;
  numbers: string[];
  pool: string[];
}

async function buildTwins(random: () => number): Promise<Twins> {
  const limit = (most: number) => (random() < 0.6 ? 1 + Math.floor(random() * most) : null);
  const team = {
    monthly_call_limit: limit(60),
    number_daily_limit: limit(2),
    number_weekly_limit: limit(5),
    number_monthly_limit: limit(14),
  };
  const pool = Array.from({ length: POOL }, nextNumber);
  const build = async (days: number) => {
    const caller = await buildCaller(calling.db, { ...team, call_retention_days: days });
    const { id } = await buildPool(calling.db, caller.teamId);
    for (const phone_number of pool) {
      await buildPhoneNumber(calling.db, caller.teamId, { phone_number });
      await insertRow(calling.db, 'number_pool_members', {
        team_id: caller.teamId,
        number_pool_id: id,
        phone_number,
      });
    }
    await calling.db.query('UPDATE voice_agents SET number_pool_id = $1 WHERE id = $2', [id, caller.agentId]);
    return caller;
  };
  return {
    keeping: await build(0),
    removing: await build(31),
    numbers: Array.from({ length: NUMBERS }, nextNumber),
    pool,
  };
}

/** A call of the past, the n-th of the history: what ended, what did not, and what is still to come. */
function pastCall(random: () => number, { numbers, pool }: Twins, n: number): [string, Row] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  // Each caller ID but the last was used once, at an instant of its own, before the days of the removing
  // team.
  const ago = n < POOL ? HISTORY_DAYS - n : random() * HISTORY_DAYS;
  const at = new Date(START - Math.round(ago * DAY_MS) - n);
  const callerId = pool[Math.min(n, POOL - 1)];
  const month = `${at.toISOString().slice(0, 7)}-01`;
  const status =
    n < POOL
      ? 'completed'
      : pick([
          'completed',
          'completed',
          'no_answer',
          'busy',
          'failed',
          'blocked',
          'canceled',
          'expired',
          'dial_unknown',
          'scheduled',
        ]);
  const times = { accepted_at: at, runs_at: at, woken_at: at };
  const ended = { ended_at: new Date(at.getTime() + 90_000) };
  const dialed = {
    claimed_at: at,
    processed_at: at,
    caller_id: callerId,
    carrier: 'simulator',
    counted_month: month,
  };
  const row: Row = { status, ...times };
  if (status === 'scheduled')
    Object.assign(row, { expires_at: new Date(START + (random() - 0.5) * 10 * DAY_MS) });
  else if (status === 'dial_unknown') Object.assign(row, dialed);
  else if (['completed', 'no_answer', 'busy'].includes(status)) Object.assign(row, ended, dialed);
  else if (status === 'failed') Object.assign(row, ended, { caller_id: callerId, claimed_at: at });
  else Object.assign(row, ended);
  return [pick(numbers), row];
}

/** What came of a request, without ids. */
interface Outcome {
  answer: unknown;
  fired: string | null;
  call: Pick<CallRow, 'status' | 'reason' | 'caller_id' | 'decisions' | 'counted_month'> | null;
}

async function outcomeOf(caller: Caller, phoneNumber: string): Promise<Outcome> {
  const answer = await calling.trigger(caller, { phoneNumber });
  const said = { status: answer.status, body: answer.body as unknown };
  let fired: string | null = null;
  if (answer.status === 200) {
    const id = acceptedId(answer);
    fired = (await worker.fire(id)).kind;
    await eventually(
      () => calling.row(id),
      ({ status }) => !['dialing', 'in_progress'].includes(status),
    );
  }
  const call = await calling.latestRow(caller.teamId);
  const shown = call && {
    status: call.status,
    reason: call.reason,
    caller_id: call.caller_id,
    decisions: call.decisions,
    counted_month: call.counted_month,
  };
  return JSON.parse(JSON.stringify({ answer: said, fired, call: shown }).replaceAll(UUIDS, 'id')) as Outcome;
}

test.each([1, 2, 3, 4])(
  'removed calls do not change a decision about later requests (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    await stopClock(calling.db, new Date(START).toISOString());
    const twins = await buildTwins(random);
    const teams = [twins.keeping, twins.removing] as const;
    for (let n = 0; n < HISTORY_CALLS; n += 1) {
      const [number, row] = pastCall(random, twins, n);
      for (const caller of teams) await buildStoredCall(calling.db, caller, number, row);
    }
    for (const { teamId } of teams) {
      await calling.operated('patch', `/teams/${teamId}`, { monthlyCallLimit: 60 + Math.floor(seed) });
    }

    const seen = new Set<string>();
    let now = START;
    let removed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      now += Math.round(random() * 4 * DAY_MS);
      await stopClock(calling.db, new Date(now).toISOString());
      removed += await worker.app.get(RetentionService).removeCalls(new AbortController().signal);
      for (let request = 0; request < 4; request += 1) {
        // Uses of the caller IDs are told apart by their instants.
        now += 1 + Math.round(random() * 600_000);
        await stopClock(calling.db, new Date(now).toISOString());
        const number = twins.numbers[Math.floor(random() * NUMBERS)] as string;
        const [kept, removing] = [
          await outcomeOf(twins.keeping, number),
          await outcomeOf(twins.removing, number),
        ];
        expect(removing).toEqual(kept);
        seen.add(kept.fired ?? `refused: ${kept.call?.reason}`);
      }
      // The limit is counted from the calls that are there.
      for (const { teamId } of teams) {
        await calling.operated('patch', `/teams/${teamId}`, { monthlyCallLimit: 60 + Math.floor(seed) });
      }
      expect(await calling.usage(twins.removing.teamId)).toEqual(await calling.usage(twins.keeping.teamId));
    }
    expect(removed).toBeGreaterThan(HISTORY_CALLS / 4);
    expect((await calling.rows(twins.keeping.teamId)).length).toBeGreaterThan(HISTORY_CALLS);
    expect(seen.size).toBeGreaterThan(1);
  },
  120_000,
);
