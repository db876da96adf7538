import { type Response } from 'supertest';
import { buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { bearer, reasonOf } from '../support/calling.js';
import { LockHolder } from '../support/lock-holder.js';
import { useCampaigns } from '../campaigns/support/campaign-tests.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';

/* The platform's own Do Not Call list, which holds for every team. */

const { calling, worker } = useCampaigns();
const holder = LockHolder.ofFile(calling);
const LIST = '/do-not-call';

const add = (...phoneNumbers: unknown[]) => calling.operator('post', LIST, { phoneNumbers, reason: 'asked' });
const itemsOf = (answer: Response) => (answer.body as { items: Row[] }).items;

test('POST adds numbers in every plausible form, GET lists and reads them, and DELETE removes them', async () => {
  const answer = await add('+52 1 55 1234 5678', 'call (1) 415-555-9401 please', 'x', 'tel: 00 49 30 901820');
  expect([answer.status, answer.body]).toMatchObject([
    201,
    {
      added: 3,
      listed: [
        { phoneNumbers: ['+525512345678'] },
        { phoneNumbers: ['+14155559401'] },
        { phoneNumbers: ['+4930901820'] },
      ],
      rejected: [{ phoneNumber: 'x', error: 'phoneNumbers[2] is not a phone number' }],
    },
  ]);
  const entry = { reason: 'asked', createdAt: expect.any(String) as string };
  const numbers = ['+14155559401', '+4930901820', '+525512345678'];
  expect(itemsOf(await calling.operator('get', LIST))).toEqual(
    numbers.map((phoneNumber) => ({ phoneNumber, ...entry })),
  );
  for (const spelling of ['+5215512345678', '+52 1 55 1234 5678']) {
    const read = await calling.operator('get', `${LIST}/${encodeURIComponent(spelling)}`);
    expect([spelling, read.body]).toMatchObject([spelling, { phoneNumber: '+525512345678' }]);
  }
  const history = await calling.operator('get', `${LIST}/history?phoneNumber=%2B14155559401`);
  expect(itemsOf(history)).toMatchObject([
    { action: 'added', scope: 'platform', source: 'operator', actorKind: 'token', reason: 'asked' },
  ]);
  for (const number of numbers) await calling.operated('delete', `${LIST}/${number}`);
  expect((await calling.operator('delete', `${LIST}/+14155559401`)).status).toBe(404);
  expect((await calling.operator('get', `${LIST}/+14155559401`)).status).toBe(404);
  expect((await calling.operator('get', `${LIST}/junk`)).status).toBe(404);
  expect(itemsOf(await calling.operator('get', LIST))).toEqual([]);
  expect((await add('x')).status).toBe(400);
});

test('is the operator’s alone', async () => {
  const caller = await buildCaller(calling.db);
  for (const method of ['get', 'post'] as const)
    await calling.http()[method](`/api/admin${LIST}`).set(bearer(caller.apiKey)).expect(401);
  await calling.http().get(`/api/admin${LIST}`).expect(401);
});

test('ends pending calls and live enrollments of every team, and refuses later ones', async () => {
  const callers = [await buildCaller(calling.db), await buildCaller(calling.db, {}, hoursOpeningIn(3))];
  const phoneNumber = nextNumber();
  const calls = [];
  for (const caller of callers) calls.push(await calling.accepted(caller, { phoneNumber }));
  const spared = await calling.accepted(callers[0] as Caller, { phoneNumber: nextNumber() });
  const enrolled = await buildCaller(calling.db);
  const campaign = await PlayedCampaign.build(calling, enrolled, {
    steps: [{ key: 'first', after: 'PT1H' }],
  });
  const { id } = await campaign.enroll({ phone_number: phoneNumber });
  expect((await add(phoneNumber)).body).toMatchObject({ added: 1 });
  for (const call of calls) {
    const row = await calling.row(call);
    expect(row).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    expect(row.history.at(-1)).toMatchObject({ to: 'blocked', cause: 'do_not_call' });
  }
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
  expect(await calling.row(spared)).toMatchObject({ status: 'queued' });
  expect((await add(phoneNumber)).body).toMatchObject({ added: 0 });
  await calling.operated('delete', `${LIST}/${phoneNumber}`);
  await calling.accepted(enrolled, { phoneNumber });
});

test('a refusal says that the list is the platform’s, and nothing of other teams', async () => {
  const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const phoneNumber = nextNumber();
  await calling.operated('post', `/teams/${other.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
  expect((await calling.trigger(caller, { phoneNumber })).status).toBe(200);
  const listed = nextNumber();
  await add(listed);
  const refused = await calling.trigger(caller, { phoneNumber: listed });
  expect([refused.status, reasonOf(refused)]).toEqual([500, 'DO_NOT_CALL']);
  const last = await calling.latestRow(caller.teamId);
  expect(last?.decisions).toMatchObject([
    {
      rules: expect.arrayContaining([
        { reason: 'DO_NOT_CALL', allow: false, evidence: { onDoNotCall: true, scope: 'platform' } },
      ]) as object[],
    },
  ]);
  const explained = await calling
    .http()
    .post(`/api/voice-agents/${caller.agentId}/calls/explain`)
    .set(bearer(caller.apiKey))
    .send({ phoneNumber: listed });
  expect(JSON.stringify(explained.body)).toContain('"scope":"platform"');
  const own = await calling
    .http()
    .get(`/api/do-not-call/history?phoneNumber=${encodeURIComponent(listed)}`)
    .set(bearer(caller.apiKey));
  expect(itemsOf(own)).toEqual([]);
});

test('only by SQL: a firing and a campaign do not dial the number', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
  const { id: enrollment, to } = await campaign.enroll();
  await calling.db.query('INSERT INTO platform_do_not_call (phone_number) VALUES ($1), ($2)', [
    phoneNumber,
    to,
  ]);
  expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(enrollment)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
  expect([...calling.dials(phoneNumber), ...calling.dials(to)]).toEqual([]);
});

test('Argentinian numbers with and without the 9 are one person', async () => {
  const caller = await buildCaller(calling.db);
  await add('+5491157447711');
  expect(reasonOf(await calling.trigger(caller, { phoneNumber: '+541157447711' }))).toBe('DO_NOT_CALL');
  await calling.operated('delete', `${LIST}/+541157447711`);
});

test('more teams than one transaction ends', async () => {
  const phoneNumber = nextNumber();
  const callers = await Promise.all(Array.from({ length: 45 }, () => buildCaller(calling.db)));
  const calls = await Promise.all(callers.map((caller) => calling.accepted(caller, { phoneNumber })));
  expect((await add(phoneNumber)).status).toBe(201);
  const rows = await Promise.all(calls.map((id) => calling.row(id)));
  expect(rows.filter(({ status }) => status !== 'blocked')).toEqual([]);
});

describe('the platform’s lock of a number', () => {
  const list = (phoneNumber: string) =>
    holder.query('INSERT INTO platform_do_not_call (phone_number) VALUES ($1)', [phoneNumber]);

  test('makes a trigger wait, which then sees the entry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const [answer] = await holder.whileHeld(
      () => holder.platformNumber(phoneNumber),
      () => [calling.trigger(caller, { phoneNumber }).then((response) => response)],
      () => list(phoneNumber),
    );
    expect(reasonOf(answer as Response)).toBe('DO_NOT_CALL');
  });

  test('makes a firing wait, which then sees the entry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const [fired] = await holder.whileHeld(
      () => holder.platformNumber(phoneNumber),
      () => [worker.fire(id)],
      () => list(phoneNumber),
    );
    expect(fired).toEqual({ kind: 'blocked' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('keeps the engine from dialing, which dials no listed number afterwards', async () => {
    const caller = await buildCaller(calling.db);
    const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
    const { id, to } = await campaign.enroll();
    await holder.query('BEGIN');
    await holder.platformNumber(to);
    await campaign.at(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ status: 'active' });
    expect(calling.dials(to)).toEqual([]);
    await list(to);
    await holder.query('COMMIT');
    await campaign.at(worker.app, 1_000);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
  });

  test('makes an addition wait for a decision in progress, and it then ends the decided call', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const contact = await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber });
    let id = '';
    const [answer] = await holder.whileHeld(
      () => holder.query('SELECT pg_advisory_xact_lock_shared(platform_number_lock_key($1))', [phoneNumber]),
      () => [add(phoneNumber).then((response) => response)],
      async () => {
        const { rows } = await holder.query<{ id: string }>(
          `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at,
             expires_at, woken_at, history)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, 'queued', now(), now(), now() + interval '1 day', now(), '[]')
           RETURNING id`,
          [caller.teamId, caller.agentId, contact.id, phoneNumber],
        );
        id = rows[0]?.id ?? '';
      },
    );
    expect((answer as Response).status).toBe(201);
    expect(await calling.row(id)).toMatchObject({ status: 'blocked' });
  });

  test('is shared: decisions of several teams about a number do not wait for each other', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const phoneNumber = nextNumber();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock_shared(platform_number_lock_key($1))', [phoneNumber]);
    for (const one of [caller, other]) expect((await calling.trigger(one, { phoneNumber })).status).toBe(200);
    await holder.query('COMMIT');
  });

  test('that is held for too long: nothing is decided, and the answer asks for a retry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    await holder.query('BEGIN');
    await holder.platformNumber(phoneNumber);
    const answer = await calling.trigger(caller, { phoneNumber });
    await holder.query('COMMIT');
    expect([answer.status, reasonOf(answer)]).toEqual([500, 'SERVICE_UNAVAILABLE']);
    expect(await calling.rows(caller.teamId)).toEqual([]);
  });
});
