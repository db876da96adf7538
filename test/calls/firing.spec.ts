import { randomUUID } from 'node:crypto';
import { DIAL_WITHIN_MS, DialService } from '../../src/dialing/dial.service.js';
import { aDial } from '../carriers/support.js';
import { acceptedId, Calling } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, weekdays } from '../support/call-builders.js';
import { setClock } from '../support/clock.js';

// The worker takes no jobs of its own here: each wake-up is a test's.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => setClock(calling.db, '2026-03-02T12:00:00Z'));
afterEach(() => calling.setRules());

describe('a wake-up has no effect', () => {
  test('for an unknown call', async () => {
    expect(await worker.fire(randomUUID())).toEqual({ kind: 'ignored', why: 'not_found' });
  });

  test('for an earlier or a later generation', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await calling.db.query('UPDATE call_requests SET generation = 3 WHERE id = $1', [id]);
    for (const generation of [0, 2, 4]) {
      expect(await worker.fire(id, generation)).toEqual({ kind: 'ignored', why: 'old_generation' });
    }
    expect(await calling.row(id)).toMatchObject({ status: 'queued' });
    expect(calling.dials(phoneNumber)).toEqual([]);
    expect(await worker.fire(id, 3)).toEqual({ kind: 'claimed' });
  });

  test('for a canceled or an already dialed call', async () => {
    const caller = await buildCaller(calling.db);
    const canceled = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await calling.cancel(caller, canceled).expect(200);
    const dialed = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await worker.fire(dialed);
    await calling.until(caller, dialed, 'completed');
    for (const id of [canceled, dialed]) {
      const before = await calling.row(id);
      expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'not_pending' });
      expect(await calling.row(id)).toEqual(before);
    }
  });

  test('before the due time, except that it schedules another wake-up', async () => {
    const caller = await buildCaller(calling.db, {}, weekdays('UTC'));
    await setClock(calling.db, '2026-03-02T08:30:00Z');
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const fired = await worker.fire(id);
    expect(fired).toEqual({ kind: 'early', delayMs: expect.any(Number) as number });
    const { delayMs } = fired as { delayMs: number };
    expect(delayMs).toBeLessThanOrEqual(30 * 60_000);
    expect(delayMs).toBeGreaterThan(29 * 60_000);
    expect(await calling.row(id)).toMatchObject({ status: 'scheduled', generation: 0 });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });
});

describe('a call is dialed once', () => {
  test.each([2, 10])('if it fires %d times in parallel', async (times) => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const fired = await Promise.all(Array.from({ length: times }, () => worker.fire(id)));
    expect(fired.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    const others = fired.filter(({ kind }) => kind !== 'claimed');
    expect(others).toEqual(others.map(() => ({ kind: 'ignored', why: 'not_pending' })));
    expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: id, from: caller.callerNumber }]);
    const { history } = await calling.row(id);
    expect(history.filter(({ to }) => to === 'dialing')).toHaveLength(1);
  });

  test('if two workers fire it', async () => {
    const other = await calling.startIdleWorker();
    const caller = await buildCaller(calling.db);
    const numbers = Array.from({ length: 10 }, nextNumber);
    const ids = await Promise.all(numbers.map((phoneNumber) => calling.accepted(caller, { phoneNumber })));
    await Promise.all(ids.flatMap((id) => [worker.fire(id), other.fire(id)]));
    for (const number of numbers) expect(calling.dials(number)).toHaveLength(1);
  });

  test('with its claim, its decision and the carrier’s request stored', async () => {
    const caller = await buildCaller(calling.db, {}, { prompt_template: 'Hello {{contact}}' });
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, name: 'Ada' });
    await worker.fire(id);
    await calling.until(caller, id, 'completed');
    const row = await calling.row(id);
    expect(row).toMatchObject({ prompt: 'Hello Ada', caller_id: caller.callerNumber, carrier: 'simulator' });
    expect(row.carrier_call_id).toBe(calling.dials(phoneNumber)[0]?.carrierCallId);
    expect(row.processed_at).toEqual(row.claimed_at);
    expect(row.decisions).toMatchObject([{ allow: true }, { allow: true }]);
    expect(
      row.decisions.map((decision) => (decision as unknown as { rules: unknown[] }).rules.length),
    ).toEqual([10, 10]);
    expect(row.history.map(({ from, to, cause }) => `${from} ${to} ${cause}`)).toEqual([
      'null queued triggered',
      'queued dialing claimed',
      'dialing in_progress carrier_accepted',
      'in_progress completed carrier_report',
    ]);
    const times = row.history.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(times[0]).toMatch(/^2026-03-02T12:00:\d\d\.\d{3}Z$/);
  });
});

describe('a call outside calling hours', () => {
  test('is rescheduled with a new generation, and stays counted', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1 }, weekdays('UTC'));
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const before = await calling.row(id);
    await setClock(calling.db, '2026-03-02T17:00:00Z');
    expect(await worker.fire(id)).toEqual({ kind: 'rescheduled' });

    const row = await calling.row(id);
    expect(row).toMatchObject({
      status: 'scheduled',
      generation: 1,
      accepted_at: before.accepted_at,
      wakes: 0,
    });
    expect(row.runs_at).toEqual(new Date('2026-03-03T09:00:00Z'));
    expect(row.expires_at).toEqual(new Date('2026-03-04T09:00:00Z'));
    expect(row.history.slice(1)).toEqual([
      {
        at: expect.stringMatching(/^2026-03-02T17:00:0/) as string,
        from: 'queued',
        to: 'scheduled',
        cause: 'outside_calling_hours',
      },
    ]);
    expect(calling.dials(phoneNumber)).toEqual([]);
    const wakeUp = await calling.queue.getJob(`call-${id}-1`);
    expect(wakeUp?.data).toMatchObject({ callRequestId: id, generation: 1 });
    expect(Math.abs((wakeUp?.opts.delay ?? 0) - 16 * 3_600_000)).toBeLessThan(60_000);

    expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'old_generation' });
    await setClock(calling.db, '2026-03-03T09:00:00Z');
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 1 });
    expect(await worker.fire(id, 1)).toEqual({ kind: 'claimed' });
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 1 });
  });

  test('is decided by the agent’s hours and the contact’s zone as they are now', async () => {
    const caller = await buildCaller(calling.db, {}, weekdays('UTC'));
    const [one, other] = [nextNumber(), nextNumber()];
    const moved = await calling.accepted(caller, { phoneNumber: one });
    const own = await calling.accepted(caller, { phoneNumber: other, timezone: 'UTC' });
    await calling.db.query(`UPDATE contacts SET timezone = 'Asia/Tokyo' WHERE team_id = $1`, [caller.teamId]);
    expect(await worker.fire(moved)).toEqual({ kind: 'rescheduled' });
    expect((await calling.row(moved)).runs_at).toEqual(new Date('2026-03-03T00:00:00Z'));
    expect(await worker.fire(own)).toEqual({ kind: 'claimed' });
    await calling.db.query(`UPDATE voice_agents SET closed_dates = '{2026-03-03}' WHERE id = $1`, [
      caller.agentId,
    ]);
    await setClock(calling.db, '2026-03-03T00:00:00Z');
    expect(await worker.fire(moved, 1)).toEqual({ kind: 'rescheduled' });
    expect((await calling.row(moved)).runs_at).toEqual(new Date('2026-03-04T00:00:00Z'));
  });

  test('is not checked by guardrails before the new opening', async () => {
    const caller = await buildCaller(calling.db, {}, weekdays('UTC'));
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
    await setClock(calling.db, '2026-03-02T17:00:00Z');
    expect(await worker.fire(id)).toEqual({ kind: 'rescheduled' });
    await setClock(calling.db, '2026-03-03T09:00:00Z');
    expect(await worker.fire(id, 1)).toEqual({ kind: 'blocked' });
  });

  test('is rescheduled until the next opening is more than a week after acceptance', async () => {
    const caller = await buildCaller(calling.db, {}, weekdays('UTC'));
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    for (const day of [2, 3, 4, 5, 6]) {
      await setClock(calling.db, `2026-03-0${day}T17:00:00Z`);
      expect(await worker.fire(id, day - 2)).toEqual({ kind: 'rescheduled' });
    }
    const { runs_at, expires_at } = await calling.row(id);
    expect([runs_at, expires_at]).toEqual([
      new Date('2026-03-09T09:00:00Z'),
      new Date('2026-03-10T09:00:00Z'),
    ]);
    await setClock(calling.db, '2026-03-09T17:00:00Z');
    expect(await worker.fire(id, 5)).toEqual({ kind: 'expired' });
  });
});

describe('a claim that is too old', () => {
  test('is not dialed: it ends failed, unprocessed, its usage is released, and the number may be called again', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1, number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await claim(id, caller.callerNumber);
    const claimedAtMonotonic = performance.now() - DIAL_WITHIN_MS - 1;
    const dialer = worker.app.get(DialService);
    await dialer.dial({
      carrier: 'simulator',
      request: { ...aDial(phoneNumber), callRequestId: id, from: caller.callerNumber },
      claimedAtMonotonic,
    });
    expect(calling.dials(phoneNumber)).toEqual([]);
    expect(await calling.row(id)).toMatchObject({
      status: 'failed',
      reason: 'NOT_DIALED',
      processed_at: null,
      counted_month: null,
    });
    expect((await calling.row(id)).history.at(-1)).toMatchObject({
      from: 'dialing',
      to: 'failed',
      cause: 'not_dialed',
    });
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 0 });
    acceptedId(await calling.trigger(caller, { phoneNumber }));
  });

  test('a claim for a carrier that is not configured any more is not dialed', async () => {
    const caller = await buildCaller(calling.db, {}, { carrier: 'carrier-pigeon' });
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await worker.fire(id);
    expect(await calling.row(id)).toMatchObject({
      status: 'failed',
      reason: 'CARRIER_NOT_CONFIGURED',
      processed_at: null,
    });
  });

  function claim(id: string, callerId: string) {
    return calling.db.query(
      `UPDATE call_requests SET status = 'dialing', claimed_at = outdial_now(), processed_at = outdial_now(),
         caller_id = $2 WHERE id = $1`,
      [id, callerId],
    );
  }
});
