import { type Response } from 'supertest';
import { Calling, reasonOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { LockHolder } from '../support/lock-holder.js';
import { contactIdOf } from '../support/number-history.js';

// The facts of a decision must be read after the locks were taken. A test holds a lock, waits until a
// transaction waits for it, changes the facts that the transaction is going to read, and releases it.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
const holder = LockHolder.ofFile(calling);

/** Requests of one team, which wait in its queue but for one or two. */
const SEVERAL = 5;

const putOnDoNotCall = ({ teamId }: Caller, number: string) =>
  holder.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [teamId, number]);
const trigger = async (caller: Caller, phoneNumber: string): Promise<Response> =>
  calling.trigger(caller, { phoneNumber });

describe('the lock of a number', () => {
  test('makes a trigger wait, which then sees the call that was stored meanwhile', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const contactId = await contactIdOf(calling.db, caller.teamId, phoneNumber);
    const [answer] = await holder.whileHeld(
      () => holder.number(caller, phoneNumber),
      () => [trigger(caller, phoneNumber)],
      () =>
        holder.query(
          `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at,
             expires_at, woken_at, history)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, 'queued', now(), now(), now() + interval '1 day', now(), '[]')`,
          [caller.teamId, caller.agentId, contactId, phoneNumber],
        ),
    );
    expect(reasonOf(answer as Response)).toBe('ALREADY_SCHEDULED');
  });

  test('makes a firing wait, which then sees the Do Not Call entry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const [fired] = await holder.whileHeld(
      () => holder.number(caller, phoneNumber),
      () => [worker.fire(id)],
      () => putOnDoNotCall(caller, phoneNumber),
    );
    expect(fired).toEqual({ kind: 'blocked' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('a transaction that waited decides by the time at which it got the lock', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    let released = 0;
    const [answer] = await holder.whileHeld(
      () => holder.number(caller, phoneNumber),
      () => [trigger(caller, phoneNumber)],
      async () => {
        const { rows } = await holder.query<{ at: Date }>('SELECT clock_timestamp() AS at');
        released = rows[0]?.at.getTime() ?? 0;
      },
    );
    expect((answer as Response).status).toBe(200);
    const [row] = await calling.rows(caller.teamId);
    expect((row?.accepted_at as Date).getTime()).toBeGreaterThanOrEqual(released);
  });

  test('makes an addition to the Do Not Call list and a cancellation wait', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const addition = async (): Promise<number> => {
      const path = `/teams/${caller.teamId}/do-not-call`;
      return (await calling.operated('post', path, { phoneNumbers: [nextNumber(), phoneNumber] })).status;
    };
    const [added] = await holder.whileHeld(
      () => holder.number(caller, phoneNumber),
      () => [addition()],
    );
    expect(added).toBe(201);
    expect(await calling.row(id)).toMatchObject({ status: 'blocked' });
    const other = nextNumber();
    const pending = await calling.accepted(caller, { phoneNumber: other });
    const cancel = async (): Promise<number> => (await calling.cancel(caller, pending)).status;
    expect(
      await holder.whileHeld(
        () => holder.number(caller, other),
        () => [cancel()],
      ),
    ).toEqual([200]);
  });

  test('covers one number of one team', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const phoneNumber = nextNumber();
    await holder.query('BEGIN');
    await holder.number(caller, phoneNumber);
    expect((await trigger(caller, nextNumber())).status).toBe(200);
    expect((await trigger(other, phoneNumber)).status).toBe(200);
    await holder.query('COMMIT');
  });

  test('that is held for too long: nothing is decided, and the answer asks for a retry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    await holder.query('BEGIN');
    await holder.number(caller, phoneNumber);
    const answer = await trigger(caller, phoneNumber);
    await holder.query('COMMIT');
    expect([answer.status, reasonOf(answer)]).toEqual([500, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(await calling.rows(caller.teamId)).toEqual([]);
    expect((await trigger(caller, phoneNumber)).status).toBe(200);
  });
});

describe('the lock of a team', () => {
  const useUp = async ({ teamId }: Caller, used: number) => {
    await holder.query('DELETE FROM plan_usage WHERE team_id = $1', [teamId]);
    await holder.query(
      `INSERT INTO plan_usage (team_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2)`,
      [teamId, used],
    );
  };

  test('makes triggers of a team with a plan limit wait, which then see the usage', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const answers = await holder.whileHeld(
      () => holder.team(caller),
      () => [trigger(caller, nextNumber()), trigger(caller, nextNumber()), trigger(caller, nextNumber())],
      () => useUp(caller, 4),
    );
    expect(answers.map((answer) => reasonOf(answer) ?? 'ACCEPTED').sort()).toEqual([
      'ACCEPTED',
      'PLAN_LIMIT',
      'PLAN_LIMIT',
    ]);
  });

  test('is shared far from the limit, and exclusive near it', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1_000_000 });
    await holder.query('BEGIN');
    await holder.sharedTeam(caller);
    expect((await trigger(caller, nextNumber())).status).toBe(200);
    await holder.query('COMMIT');
    await calling.db.query('UPDATE teams SET monthly_call_limit = 10 WHERE id = $1', [caller.teamId]);
    const [answer] = await holder.whileHeld(
      () => holder.sharedTeam(caller),
      () => [trigger(caller, nextNumber())],
    );
    expect(answer?.status).toBe(200);
  });

  test('is shared and exclusive for firings alike', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const ids = [
      await calling.accepted(caller, { phoneNumber: nextNumber() }),
      await calling.accepted(caller, { phoneNumber: nextNumber() }),
    ];
    await calling.db.query('UPDATE call_requests SET counted_month = NULL WHERE team_id = $1', [
      caller.teamId,
    ]);
    const fired = await holder.whileHeld(
      () => holder.team(caller),
      () => ids.map((id) => worker.fire(id)),
      () => useUp(caller, 4),
    );
    expect(fired.map(({ kind }) => kind).sort()).toEqual(['blocked', 'claimed']);
  });

  test('makes a limit that is being set apply to triggers before and after it', async () => {
    const caller = await buildCaller(calling.db);
    const answers = await holder.whileHeld(
      () => holder.team(caller),
      () => Array.from({ length: SEVERAL }, () => trigger(caller, nextNumber())),
      () => holder.query('UPDATE teams SET monthly_call_limit = 1 WHERE id = $1', [caller.teamId]),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
  });

  test('makes a limit that is being set apply to firings before and after it', async () => {
    const caller = await buildCaller(calling.db);
    const numbers = Array.from({ length: SEVERAL }, nextNumber);
    const ids = await Promise.all(numbers.map((phoneNumber) => calling.accepted(caller, { phoneNumber })));
    await calling.db.query('UPDATE call_requests SET counted_month = NULL WHERE team_id = $1', [
      caller.teamId,
    ]);
    const fired = await holder.whileHeld(
      () => holder.team(caller),
      () => ids.map((id) => worker.fire(id)),
      () => holder.query('UPDATE teams SET monthly_call_limit = 1 WHERE id = $1', [caller.teamId]),
    );
    expect(fired.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(fired.filter(({ kind }) => kind === 'blocked')).toHaveLength(SEVERAL - 1);
  });

  test('makes a release of usage wait: a cancellation and an addition to the Do Not Call list', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const [one, other] = [nextNumber(), nextNumber()];
    const canceled = await calling.accepted(caller, { phoneNumber: one });
    await calling.accepted(caller, { phoneNumber: other });
    const cancel = async (): Promise<number> => (await calling.cancel(caller, canceled)).status;
    const add = async (): Promise<number> =>
      (await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [other] }))
        .status;
    expect(
      await holder.whileHeld(
        () => holder.team(caller),
        () => [cancel(), add()],
      ),
    ).toEqual([200, 201]);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
  });

  test('is not exclusive for a team without a plan limit', async () => {
    const caller = await buildCaller(calling.db);
    await holder.query('BEGIN');
    await holder.sharedTeam(caller);
    expect((await trigger(caller, nextNumber())).status).toBe(200);
    await holder.query('COMMIT');
  });
});
