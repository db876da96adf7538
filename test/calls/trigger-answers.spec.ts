import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { CALL_MESSAGES, type CallReason, refusal, refusalBody } from '../support/call-answers.js';
import { Calling } from '../support/calling.js';
import { buildContact, buildPool, insertRow, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';

// No worker runs here: what is accepted stays as it was accepted.
const calling = Calling.ofFile();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const addTo = (table: string, teamId: string, phoneNumber: string) =>
  insertRow(calling.db, table, { team_id: teamId, phone_number: phoneNumber });

async function contactsOf(teamId: string): Promise<Row[]> {
  return calling.db.query<Row[]>('SELECT * FROM contacts WHERE team_id = $1', [teamId]);
}

describe('200', () => {
  test('inside calling hours: success, callRequestId and contactId only', async () => {
    const caller = await buildCaller(calling.db);
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect(answer.status).toBe(200);
    const [contact] = await contactsOf(caller.teamId);
    expect(answer.body).toEqual({
      success: true,
      callRequestId: expect.stringMatching(UUID) as string,
      contactId: contact?.id,
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const [row] = await calling.rows(caller.teamId);
    expect(row).toMatchObject({
      id: (answer.body as { callRequestId: string }).callRequestId,
      status: 'queued',
    });
    expect(row?.decisions).toMatchObject([{ allow: true, reason: null }]);
  });

  test('contactId is that of the team’s existing contact', async () => {
    const caller = await buildCaller(calling.db);
    const [known, unknown] = [await buildContact(calling.db, caller.teamId), nextNumber()];
    const numbers = [known.phone_number, unknown, known.phone_number];
    const contactIds = [];
    for (const phoneNumber of numbers) {
      const answer = await calling.trigger(caller, { phoneNumber, fullName: `Ada ${contactIds.length}` });
      contactIds.push((answer.body as { contactId?: string }).contactId);
      await calling.db.query(`UPDATE call_requests SET expires_at = runs_at WHERE team_id = $1`, [
        caller.teamId,
      ]);
    }
    const rows = await contactsOf(caller.teamId);
    const created = rows.find(({ phone_number }) => phone_number === unknown);
    expect(contactIds).toEqual([known.id, created?.id, known.id]);
  });

  test('outside calling hours: rescheduled, with the next opening in UTC as runsAt; guardrails are not checked', async () => {
    const hours = hoursOpeningIn(2);
    const caller = await buildCaller(calling.db, {}, hours);
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect(answer.status).toBe(200);
    const [contact] = await contactsOf(caller.teamId);
    expect(answer.body).toEqual({
      success: true,
      callRequestId: expect.stringMatching(UUID) as string,
      contactId: contact?.id,
      rescheduled: true,
      runsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/) as string,
    });
    const runsAt = new Date((answer.body as { runsAt: string }).runsAt);
    const start = (hours.calling_hours as { monday: [{ start: string }] }).monday[0].start;
    expect(runsAt.toISOString().slice(11, 16)).toBe(start);
    expect(runsAt.getTime() - Date.now()).toBeGreaterThan(0);
    expect(runsAt.getTime() - Date.now()).toBeLessThanOrEqual(2 * 3_600_000);
    const [row] = await calling.rows(caller.teamId);
    expect(row).toMatchObject({ status: 'scheduled', runs_at: runsAt, decisions: [] });
    expect(row?.expires_at).toEqual(new Date(runsAt.getTime() + 24 * 3_600_000));
  });

  test('the wake-up is queued: at once, or delayed until the opening', async () => {
    const open = await buildCaller(calling.db);
    const closed = await buildCaller(calling.db, {}, hoursOpeningIn(2));
    const phoneNumber = nextNumber();
    const queued = await calling.accepted(open, { phoneNumber, name: 'Ada' });
    const scheduled = await calling.accepted(closed, { phoneNumber: nextNumber() });
    const now = await calling.queue.getJob(`call-${queued}-0`);
    expect(now?.data).toMatchObject({ callRequestId: queued, generation: 0 });
    // Ids only: a queue is no place for people's numbers.
    for (const personal of [phoneNumber, 'Ada']) expect(JSON.stringify(now?.data)).not.toContain(personal);
    expect(await now?.getState()).toBe('prioritized');
    const later = await calling.queue.getJob(`call-${scheduled}-0`);
    expect(await later?.getState()).toBe('delayed');
    const { runs_at } = await calling.row(scheduled);
    const dueAt = (later?.timestamp ?? 0) + (later?.opts.delay ?? 0);
    expect(Math.abs(dueAt - runs_at.getTime())).toBeLessThan(20_000);
  });
});

/** A refusal by a guardrail, which keeps the contact and the call. */
const GUARDRAILS: {
  reason: CallReason;
  status: number;
  team?: Row;
  before?: (caller: Caller, phoneNumber: string) => Promise<unknown>;
}[] = [
  { reason: 'COUNTRY_NOT_ALLOWED', status: 400, team: { allowed_countries: ['DE'] } },
  {
    reason: 'ZONE_UNKNOWN',
    status: 400,
    before: ({ teamId }, number) =>
      buildContact(calling.db, teamId, { phone_number: number, name: 'Ada', timezone: 'BST' }),
  },
  { reason: 'NOT_WHITELISTED', status: 400, team: { whitelist_only: true } },
  { reason: 'PLAN_LIMIT', status: 429, team: { monthly_call_limit: 0 } },
  {
    reason: 'NUMBER_LIMIT_DAILY',
    status: 429,
    team: { number_daily_limit: 1 },
    before: processed('23 hours'),
  },
  {
    reason: 'NUMBER_LIMIT_WEEKLY',
    status: 429,
    team: { number_weekly_limit: 1 },
    before: processed('6 days'),
  },
  {
    reason: 'NUMBER_LIMIT_MONTHLY',
    status: 429,
    team: { number_monthly_limit: 1 },
    before: processed('29 days'),
  },
  {
    reason: 'DO_NOT_CALL',
    status: 500,
    before: ({ teamId }, number) => addTo('do_not_call', teamId, number),
  },
  { reason: 'RECENTLY_CALLED', status: 500, before: processed('11 hours') },
  {
    reason: 'ALREADY_SCHEDULED',
    status: 500,
    before: (caller, number) => buildStoredCall(calling.db, caller, number),
  },
];

function processed(ago: string) {
  return (caller: Caller, phoneNumber: string) => buildProcessedCall(calling.db, caller, phoneNumber, ago);
}

describe('guardrails', () => {
  test.each(GUARDRAILS)('$status $reason stores the contact, and the call as blocked', async (row) => {
    const { reason, status, team, before } = row;
    const caller = await buildCaller(calling.db, team);
    const phoneNumber = nextNumber();
    await before?.(caller, phoneNumber);
    const earlier = (await calling.rows(caller.teamId)).map(({ id }) => id);
    const answer = await calling.trigger(caller, { phoneNumber, fullName: 'Ada', topic: 'engines' });
    expect(refusal(answer)).toEqual([status, refusalBody(status, reason)]);

    expect(await contactsOf(caller.teamId)).toMatchObject([{ phone_number: phoneNumber, name: 'Ada' }]);
    const calls = (await calling.rows(caller.teamId)).filter(({ id }) => !earlier.includes(id));
    expect(calls).toMatchObject([{ status: 'blocked', reason, counted_month: null }]);
    expect(calls[0]?.variables).toEqual({});
    expect(calls[0]?.ended_at).not.toBeNull();
    expect(calls[0]?.history).toMatchObject([{ from: null, to: 'blocked', cause: 'triggered' }]);
    expect(calls[0]?.decisions).toMatchObject([{ allow: false, reason }]);
    expect(await calling.queue.getJob(`call-${calls[0]?.id}-0`)).toBeUndefined();
    expect(await calling.usage(caller.teamId)).toEqual({});
  });

  const FIRED = GUARDRAILS.filter(
    ({ reason }) => reason !== 'COUNTRY_NOT_ALLOWED' && reason !== 'ZONE_UNKNOWN',
  );
  test.each(FIRED)('$reason does not refuse outside calling hours', async ({ team, before }) => {
    const caller = await buildCaller(calling.db, team, hoursOpeningIn(2));
    const phoneNumber = nextNumber();
    await before?.(caller, phoneNumber);
    const answer: Response = await calling.trigger(caller, { phoneNumber });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ rescheduled: true })]);
  });

  test('the country is checked outside calling hours, too, before the caller ID; the refusal is stored', async () => {
    const team = { allowed_countries: ['DE'], whitelist_only: true };
    const caller = await buildCaller(calling.db, team, hoursOpeningIn(2));
    const foreign = await buildPool(calling.db, (await buildCaller(calling.db)).teamId);
    for (const numberPoolId of [undefined, randomUUID(), foreign.id]) {
      const body = { phoneNumber: nextNumber(), fromPhoneNumber: '+14155550100', numberPoolId };
      expect(refusal(await calling.trigger(caller, body))).toEqual([
        400,
        refusalBody(400, 'COUNTRY_NOT_ALLOWED'),
      ]);
    }
    const calls = await calling.rows(caller.teamId);
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      expect(call).toMatchObject({ status: 'blocked', reason: 'COUNTRY_NOT_ALLOWED', number_pool_id: null });
      expect(call.decisions[0]?.rules.filter(({ allow }) => !allow).map(({ reason }) => reason)).toEqual([
        'COUNTRY_NOT_ALLOWED',
        'NOT_WHITELISTED',
      ]);
    }
    expect(await contactsOf(caller.teamId)).toHaveLength(3);
  });

  test('another team’s data about a number has no effect', async () => {
    const other = await buildCaller(calling.db);
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    await addTo('do_not_call', other.teamId, phoneNumber);
    await buildProcessedCall(calling.db, other, phoneNumber, '1 hour');
    await buildStoredCall(calling.db, other, phoneNumber);
    await calling.accepted(caller, { phoneNumber });
  });

  test('the whitelist is checked only for a whitelist-only team', async () => {
    const strict = await buildCaller(calling.db, { whitelist_only: true });
    const phoneNumber = nextNumber();
    await addTo('whitelist', strict.teamId, phoneNumber);
    await calling.accepted(strict, { phoneNumber });
    await calling.accepted(await buildCaller(calling.db), { phoneNumber });
  });

  test('the messages of the contract’s three 500s describe the fault', () => {
    expect(CALL_MESSAGES.DO_NOT_CALL).toContain('Do Not Call');
    expect(CALL_MESSAGES.RECENTLY_CALLED).toContain('12 hours');
    expect(CALL_MESSAGES.ALREADY_SCHEDULED).toContain('already scheduled');
  });
});
