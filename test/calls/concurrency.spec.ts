import { MAX_UNCOMMITTED } from '../../src/dialing/facts/plan.sql.js';
import { Calling, reasonOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';

// The worker takes no jobs of its own here, so that what was accepted stays pending.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeAll(async () => {
  // With all connections open, requests really meet.
  const caller = await buildCaller(calling.db);
  await triggers(caller, 30, nextNumber);
});
beforeEach(() => moveClock(calling.db, '0'));

/** How often each answer was given; ACCEPTED for 200. */
function tally(reasons: (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason ?? 'ACCEPTED'] = (counts[reason ?? 'ACCEPTED'] ?? 0) + 1;
  return counts;
}

const inParallel = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

const triggers = async (caller: Caller, count: number, number: () => string) =>
  tally(
    await inParallel(count, async () => reasonOf(await calling.trigger(caller, { phoneNumber: number() }))),
  );

describe('contract rule 9', () => {
  test('50 parallel triggers for one number: exactly one 200', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    expect(await triggers(caller, 50, () => phoneNumber)).toEqual({ ACCEPTED: 1, ALREADY_SCHEDULED: 49 });
    const rows = await calling.rows(caller.teamId);
    expect(rows.filter(({ status }) => status === 'queued')).toHaveLength(1);
    expect(rows.filter(({ status }) => status === 'blocked')).toHaveLength(49);
    const fired = await Promise.all(rows.map(({ id }) => worker.fire(id)));
    expect(fired.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('parallel triggers in every spelling of a number, for every agent of the team, create one contact', async () => {
    const caller = await buildCaller(calling.db);
    const spellings = ['+14155559999', '+1 (415) 555-9999', '＋１ ４１５ ５５５ ９９９９', '+1.415.555.9999'];
    let sent = 0;
    const next = () => spellings[sent++ % spellings.length] as string;
    expect(await triggers(caller, 20, next)).toEqual({ ACCEPTED: 1, ALREADY_SCHEDULED: 19 });
    const contacts: unknown = await calling.db.query('SELECT phone_number FROM contacts WHERE team_id = $1', [
      caller.teamId,
    ]);
    expect(contacts).toEqual([{ phone_number: '+14155559999' }]);
  });

  test.each([
    ['+541157447721', '+5491157447721'],
    ['+525512345621', '+5215512345621'],
  ])('parallel triggers for %s and %s, one person: exactly one 200', async (...forms) => {
    const caller = await buildCaller(calling.db);
    let sent = 0;
    const next = () => forms[sent++ % forms.length] as string;
    expect(await triggers(caller, 30, next)).toEqual({ ACCEPTED: 1, ALREADY_SCHEDULED: 29 });
    const rows = await calling.rows(caller.teamId);
    const fired = await Promise.all(rows.map(({ id }) => worker.fire(id)));
    expect(fired.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(forms.flatMap((form) => calling.dials(form))).toHaveLength(1);
  });
});

describe('the plan limit', () => {
  test('60 parallel triggers against a monthly limit of 5: exactly five', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    expect(await triggers(caller, 60, nextNumber)).toEqual({ ACCEPTED: 5, PLAN_LIMIT: 55 });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([5]);
  });

  test('200 parallel triggers with one call left: exactly one', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 3 });
    await calling.accepted(caller, { phoneNumber: nextNumber() });
    await calling.accepted(caller, { phoneNumber: nextNumber() });
    expect(await triggers(caller, 200, nextNumber)).toEqual({ ACCEPTED: 1, PLAN_LIMIT: 199 });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([3]);
  });

  test('triggers near and far from the limit: exactly as many as are left', async () => {
    const [{ distance }] = await calling.db.query<[{ distance: number }]>(
      `SELECT ${MAX_UNCOMMITTED} AS distance`,
    );
    const limit = distance + 500;
    const caller = await buildCaller(calling.db, { monthly_call_limit: limit });
    const setUsage = async (left: number) => {
      await calling.db.query('DELETE FROM plan_usage WHERE team_id = $1', [caller.teamId]);
      await calling.db.query(
        `INSERT INTO plan_usage (team_id, month, used)
         VALUES ($1, date_trunc('month', outdial_now() AT TIME ZONE 'UTC'), $2)`,
        [caller.teamId, limit - left],
      );
    };
    // The first thirty are far from the limit, and the others near it.
    await setUsage(distance + 30);
    expect(await triggers(caller, 60, nextNumber)).toEqual({ ACCEPTED: 60 });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([limit - distance + 30]);
    await setUsage(30);
    expect(await triggers(caller, 60, nextNumber)).toEqual({ ACCEPTED: 30, PLAN_LIMIT: 30 });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([limit]);
  });

  test('scheduled calls that fire in parallel: exactly as many as are left', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 3 });
    const ids = await inParallel(
      12,
      async () => (await buildStoredCall(calling.db, caller, nextNumber())).id,
    );
    const fired = tally((await Promise.all(ids.map((id) => worker.fire(id)))).map(({ kind }) => kind));
    expect(fired).toEqual({ claimed: 3, blocked: 9 });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([3]);
  });

  test('triggers and cancellations in parallel never exceed the limit', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const ids = await inParallel(5, () => calling.accepted(caller, { phoneNumber: nextNumber() }));
    const [canceled, answers] = await Promise.all([
      Promise.all(ids.slice(0, 3).map(async (id) => (await calling.cancel(caller, id)).status)),
      triggers(caller, 30, nextNumber),
    ]);
    expect(canceled).toEqual([200, 200, 200]);
    expect(answers.ACCEPTED ?? 0).toBeLessThanOrEqual(3);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([2 + (answers.ACCEPTED ?? 0)]);
    const more = await triggers(caller, 30, nextNumber);
    expect((answers.ACCEPTED ?? 0) + (more.ACCEPTED ?? 0)).toBe(3);
  });

  test('a limit that is set during triggers counts all earlier calls and applies to all later ones', async () => {
    const caller = await buildCaller(calling.db);
    const started = Date.now();
    let answered = 0;
    let limitSet: Promise<number> | undefined;
    const accepted = await inParallel(60, async () => {
      const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
      answered += 1;
      if (answered === 10) {
        limitSet = calling
          .operated('patch', `/teams/${caller.teamId}`, { monthlyCallLimit: 15 })
          .then(() => Date.now());
      }
      return answer.status === 200;
    });
    const setAt = (await limitSet) ?? 0;
    expect(setAt).toBeGreaterThan(started);
    const count = accepted.filter(Boolean).length;
    expect(count).toBeGreaterThanOrEqual(15);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([count]);
    const rows = (await calling.rows(caller.teamId)).filter(({ status }) => status === 'queued');
    expect(rows).toHaveLength(count);
    for (const row of rows.slice(15)) expect((row.accepted_at as Date).getTime()).toBeLessThanOrEqual(setAt);
    expect(await triggers(caller, 10, nextNumber)).toEqual({ PLAN_LIMIT: 10 });
  });
});

describe('per-number limits', () => {
  test('parallel firings to one number dial once, and never exceed the daily limit', async () => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 2 });
    const phoneNumber = nextNumber();
    await buildProcessedCall(calling.db, caller, phoneNumber, '13 hours');
    const fireTen = async () => {
      const ids = await inParallel(
        10,
        async () => (await buildStoredCall(calling.db, caller, phoneNumber)).id,
      );
      return tally((await Promise.all(ids.map((id) => worker.fire(id)))).map(({ kind }) => kind));
    };
    expect(await fireTen()).toEqual({ claimed: 1, blocked: 9 });
    await moveClock(calling.db, '10 hours');
    expect(await fireTen()).toEqual({ blocked: 10 });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('parallel triggers at a reached limit are all refused', async () => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    await buildProcessedCall(calling.db, caller, phoneNumber, '13 hours');
    expect(await triggers(caller, 20, () => phoneNumber)).toEqual({ NUMBER_LIMIT_DAILY: 20 });
  });

  test('triggers during the firing of a call to the number never lead to two dials', async () => {
    const caller = await buildCaller(calling.db);
    for (let round = 0; round < 5; round += 1) {
      const phoneNumber = nextNumber();
      const first = await calling.accepted(caller, { phoneNumber });
      const [, answers] = await Promise.all([worker.fire(first), triggers(caller, 10, () => phoneNumber)]);
      expect((answers.ALREADY_SCHEDULED ?? 0) + (answers.RECENTLY_CALLED ?? 0)).toBe(10);
      expect(calling.dials(phoneNumber)).toHaveLength(1);
    }
  });
});
