import { randomUUID } from 'node:crypto';
import { type TriggerResult } from '../../src/calls/trigger/command.js';
import { ContactsService } from '../../src/contacts/contacts.service.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import { Calling } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { setClock } from '../support/clock.js';
import { triggerDirectly } from '../support/trigger-directly.js';

// One iteration of the event loop collects a batch, so these tests call the services directly.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

afterEach(() => calling.setRules());
beforeEach(() => setClock(calling.db, '2026-03-02T12:00:00Z'));

const trigger = (caller: Pick<Caller, 'agentId' | 'apiKey' | 'teamId'>, body: Record<string, unknown>) =>
  triggerDirectly(calling, caller, body);

const refused = (reason: string) => expect.objectContaining({ kind: 'refused', reason }) as TriggerResult;
const accepted = expect.objectContaining({ kind: 'accepted', runsAt: null }) as TriggerResult;

test('triggers of two teams in one batch each get their own answer', async () => {
  const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const forbidden = nextNumber();
  await insertRow(calling.db, 'do_not_call', { team_id: one.teamId, phone_number: forbidden });
  const numbers = Array.from({ length: 3 }, nextNumber);
  const results = await Promise.all([
    trigger(one, { phoneNumber: numbers[0], name: 'Ada', topic: 'a' }),
    trigger(one, { phoneNumber: forbidden }),
    trigger(other, { phoneNumber: numbers[1], topic: 'b' }),
    // Free to the one team, though forbidden to the other.
    trigger(other, { phoneNumber: forbidden, topic: 'c' }),
    trigger({ ...one, apiKey: 'unknown' }, { phoneNumber: nextNumber() }),
    trigger({ ...one, apiKey: other.apiKey }, { phoneNumber: nextNumber() }),
    trigger({ ...one, agentId: randomUUID() }, { phoneNumber: nextNumber() }),
    trigger(one, { phoneNumber: numbers[2], fromPhoneNumber: other.callerNumber }),
    trigger(one, { phoneNumber: numbers[2], teamId: other.teamId }),
  ]);
  expect(results).toEqual([
    accepted,
    refused('DO_NOT_CALL'),
    accepted,
    accepted,
    refused('INVALID_API_KEY'),
    refused('INVALID_API_KEY'),
    refused('AGENT_NOT_FOUND'),
    refused('FROM_NUMBER_INVALID'),
    refused('INVALID_REQUEST'),
  ]);
  const [ofOne, ofOther] = [await calling.rows(one.teamId), await calling.rows(other.teamId)];
  const summary = (rows: typeof ofOne) =>
    rows.map(({ phone_number, status, variables }) => ({ phone_number, status, variables }));
  expect(summary(ofOne)).toEqual(
    expect.arrayContaining([
      { phone_number: numbers[0], status: 'queued', variables: { topic: 'a' } },
      { phone_number: forbidden, status: 'blocked', variables: {} },
    ]),
  );
  expect(summary(ofOther)).toEqual(
    expect.arrayContaining([
      { phone_number: numbers[1], status: 'queued', variables: { topic: 'b' } },
      { phone_number: forbidden, status: 'queued', variables: { topic: 'c' } },
    ]),
  );
  expect([ofOne.length, ofOther.length]).toEqual([2, 2]);
  // They were one batch, which reads the clock once.
  expect(new Set([...ofOne, ...ofOther].map((row) => (row.accepted_at as Date).getTime())).size).toBe(1);
});

test('one of two triggers to one number is accepted', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const results = await Promise.all([1, 2, 3].map(() => trigger(caller, { phoneNumber })));
  expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
  expect(results.filter(({ kind }) => kind === 'refused')).toEqual([
    refused('ALREADY_SCHEDULED'),
    refused('ALREADY_SCHEDULED'),
  ]);
});

test('requests to one number are decided in their order, and all update its contact', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const results = await Promise.all([
    trigger(caller, { phoneNumber, name: 'Ada', email: 'ada@example.org' }),
    trigger(caller, { phoneNumber, name: 'Bob', timezone: 'Asia/Tokyo' }),
    trigger(caller, { phoneNumber }),
  ]);
  expect(results).toEqual([accepted, refused('ALREADY_SCHEDULED'), refused('ALREADY_SCHEDULED')]);
  const [contact] = await calling.db.query<unknown[]>(
    'SELECT name, email, timezone FROM contacts WHERE team_id = $1 AND phone_number = $2',
    [caller.teamId, phoneNumber],
  );
  expect(contact).toEqual({ name: 'Bob', email: 'ada@example.org', timezone: 'Asia/Tokyo' });
  const zones = (await calling.rows(caller.teamId)).map(({ status, timezone }) => [status, timezone]);
  expect(zones.sort()).toEqual([
    ['blocked', null],
    ['blocked', 'Asia/Tokyo'],
    ['queued', null],
  ]);
});

test('the plan counts each request of a batch, far from its limit and near it', async () => {
  const far = await buildCaller(calling.db, { monthly_call_limit: 1_000_000 });
  const near = await buildCaller(calling.db, { monthly_call_limit: 3 });
  const results = await Promise.all(
    Array.from({ length: 6 }, () =>
      [far, near].map((caller) => trigger(caller, { phoneNumber: nextNumber() })),
    ).flat(),
  );
  const kinds = (team: number) =>
    results
      .filter((_, index) => index % 2 === team)
      .map(({ kind }) => kind)
      .sort();
  expect(kinds(0)).toEqual(Array.from({ length: 6 }, () => 'accepted'));
  expect(kinds(1)).toEqual([
    ...Array.from({ length: 3 }, () => 'accepted'),
    ...Array.from({ length: 3 }, () => 'refused'),
  ]);
  expect(await calling.usage(far.teamId)).toEqual({ '2026-03': 6 });
  expect(await calling.usage(near.teamId)).toEqual({ '2026-03': 3 });
});

test('one request that cannot be decided does not fail the others', async () => {
  const caller = await buildCaller(calling.db);
  // Validation refuses hours that never open.
  const closed = await buildCaller(calling.db, {}, { calling_hours: {} });
  const [failed, ...others] = await Promise.allSettled([
    trigger(closed, { phoneNumber: nextNumber() }),
    trigger(caller, { phoneNumber: nextNumber() }),
    trigger(caller, { phoneNumber: nextNumber() }),
  ]);
  expect(failed.status).toBe('rejected');
  expect(others).toEqual(others.map(() => ({ status: 'fulfilled', value: accepted })));
});

test('a batch of different firings gives each call its own result', async () => {
  // So that no call ends, and frees its concurrency slot, while others are decided.
  calling.setRules({ match: '*', outcome: 'silent', listed: false });
  const caller = await buildCaller(calling.db);
  const closed = await buildCaller(
    calling.db,
    {},
    {
      calling_hours: {
        monday: [{ start: '09:00', end: '13:00' }],
        tuesday: [{ start: '09:00', end: '13:00' }],
      },
      timezone: 'UTC',
    },
  );
  const limited = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const ids = {
    expired: await calling.accepted(caller, { phoneNumber: nextNumber() }),
    dialed: await calling.accepted(caller, { phoneNumber: nextNumber() }),
    blocked: await calling.accepted(caller, { phoneNumber: nextNumber() }),
    rescheduled: await calling.accepted(closed, { phoneNumber: nextNumber() }),
    again: await calling.accepted(closed, { phoneNumber: nextNumber() }),
    concurrencySlot: await calling.accepted(limited, { phoneNumber: nextNumber() }),
    noConcurrencySlot: await calling.accepted(limited, { phoneNumber: nextNumber() }),
  };
  const blocked = await calling.row(ids.blocked);
  await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: blocked.phone_number });
  await setClock(calling.db, '2026-03-02T14:00:00Z');
  await calling.db.query(`UPDATE call_requests SET expires_at = '2026-03-02T13:00:00Z' WHERE id = $1`, [
    ids.expired,
  ]);
  const unknown = randomUUID();
  const [expired, dialed, twice, stopped, rescheduled, again, nothing, ...ofLimited] = await Promise.all([
    worker.fire(ids.expired),
    worker.fire(ids.dialed),
    worker.fire(ids.dialed),
    worker.fire(ids.blocked),
    worker.fire(ids.rescheduled),
    worker.fire(ids.again),
    worker.fire(unknown),
    worker.fire(ids.concurrencySlot),
    worker.fire(ids.noConcurrencySlot),
  ]);
  expect([expired, stopped, rescheduled, again].map(({ kind }) => kind)).toEqual([
    'expired',
    'blocked',
    'rescheduled',
    'rescheduled',
  ]);
  expect([dialed.kind, twice.kind].sort()).toEqual(['claimed', 'ignored']);
  expect(nothing).toEqual({ kind: 'ignored', why: 'not_found' });
  expect(ofLimited.map(({ kind }) => kind).sort()).toEqual(['claimed', 'waiting']);
  const status = async (id: string) => (await calling.row(id)).status;
  expect(await Promise.all([ids.expired, ids.blocked, ids.rescheduled, ids.again].map(status))).toEqual([
    'expired',
    'blocked',
    'scheduled',
    'scheduled',
  ]);
  await calling.until(caller, ids.dialed, 'in_progress');
  expect(calling.dials((await calling.row(ids.dialed)).phone_number as string)).toHaveLength(1);
});

test('the calls of one batch get concurrency slots in the order of their due times', async () => {
  calling.setRules({ match: '*', outcome: 'silent', listed: false });
  const limited = await buildCaller(calling.db, { max_concurrent_calls: 1 });
  const older = await calling.accepted(limited, { phoneNumber: nextNumber() });
  const newer = await calling.accepted(limited, { phoneNumber: nextNumber() });
  expect(await Promise.all([worker.fire(newer), worker.fire(older)])).toEqual([
    { kind: 'waiting' },
    { kind: 'claimed' },
  ]);
});

test('a batch of contacts of two teams stores each in its own team, and refuses a foreign team', async () => {
  const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const numbers = Array.from({ length: 4 }, nextNumber);
  const store = ({ apiKey, teamId }: Pick<Caller, 'apiKey' | 'teamId'>, value: Record<string, unknown>) =>
    calling.api
      .get(ContactsService)
      .createOrUpdate(
        {
          keyHash: hashApiKey(apiKey),
          teamId,
          scopes: null,
          body: { ok: true, value },
          idempotencyKey: { ok: true, value: null },
          trace: { requestId: randomUUID() },
        },
        { ok: true, value: null },
      )
      .then(
        ({ status }) => status,
        (error: { code?: string }) => error.code,
      );
  const answers = await Promise.all([
    store(one, { phoneNumber: numbers[3], name: 'Ada' }),
    store(other, { phoneNumber: numbers[0], name: 'Bob' }),
    store(one, { phoneNumber: numbers[1], teamId: other.teamId }),
    store({ ...one, apiKey: 'unknown' }, { phoneNumber: numbers[2] }),
    store(other, { phoneNumber: numbers[3], name: 'Cy' }),
  ]);
  expect(answers).toEqual([200, 200, 'FORBIDDEN', 'UNAUTHORIZED', 200]);
  const rows = await calling.db.query<{ team_id: string; name: string }[]>(
    'SELECT team_id, phone_number, name FROM contacts WHERE phone_number = ANY($1) ORDER BY name',
    [numbers],
  );
  expect(rows).toEqual([
    { team_id: one.teamId, phone_number: numbers[3], name: 'Ada' },
    { team_id: other.teamId, phone_number: numbers[0], name: 'Bob' },
    { team_id: other.teamId, phone_number: numbers[3], name: 'Cy' },
  ]);
});
