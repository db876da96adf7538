import { buildAgent, buildContact, buildPhoneNumber, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { expect400By, getBy, pageBy, walkBy } from './list-client.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
let caller: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const LIST = '/api/do-not-call';
const add = (body: object, { apiKey } = caller) => calling.http().post(LIST).set(bearer(apiKey)).send(body);
const remove = (number: string, { apiKey } = caller) =>
  calling
    .http()
    .delete(`${LIST}/${encodeURIComponent(number)}`)
    .set(bearer(apiKey));
const numbersOf = async (by = caller) =>
  (await pageBy(calling, by, LIST)).items.map(({ phoneNumber }) => phoneNumber);

describe('/api/do-not-call', () => {
  test('POST adds each number once, and rejects what is none; the operator sees the same list', async () => {
    const answer = await add({ phoneNumbers: ['+14155550122', '(415) 555-0122', 'x'], reason: 'asked us' });
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        added: 1,
        rejected: [{ phoneNumber: 'x', error: 'phoneNumbers[2] is not a phone number' }],
      },
    ]);
    const { items } = await pageBy(calling, caller, LIST);
    expect(items).toMatchObject([{ phoneNumber: '+14155550122', reason: 'asked us' }]);
    const operators = await calling.operator('get', `/teams/${caller.teamId}/do-not-call`);
    expect((operators.body as { items: object[] }).items).toEqual(items);
    expect((await add({ phoneNumbers: ['+14155550122'] })).body).toMatchObject({ added: 0, rejected: [] });
    expect((await add({ phoneNumbers: [] })).status).toBe(400);
    expect((await add({ phoneNumbers: ['+14155550122'], why: 'x' })).status).toBe(400);
  });

  test('POST ends pending calls, and the number is not called until it is removed', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await add({ phoneNumbers: [phoneNumber] }).expect(201);
    expect(await calling.row(id)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    const refused = await calling.trigger(caller, { phoneNumber });
    expect(refused.body).toMatchObject({ reason: 'DO_NOT_CALL' });
    await remove(phoneNumber).expect(204);
    expect((await remove(phoneNumber)).status).toBe(404);
    await calling.accepted(caller, { phoneNumber });
  });

  test('GET lists the newest first in pages, also during additions', async () => {
    const numbers = Array.from({ length: 7 }, nextNumber);
    for (const [n, phone_number] of numbers.entries()) {
      const created_at = `2026-01-01T00:00:00.00000${Math.floor(n / 2)}Z`;
      await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number, created_at });
    }
    const { items, sizes } = await walkBy(calling, caller, LIST, 3, () =>
      add({ phoneNumbers: [nextNumber()] }),
    );
    expect(sizes).toEqual([3, 3, 1]);
    expect(new Set(items.map(({ phoneNumber }) => phoneNumber))).toEqual(new Set(numbers));
  });

  test('the entry of an erased contact is removed by its number, or as the list shows it', async () => {
    for (const shown of [false, true]) {
      const { id, phone_number: number } = await buildContact(calling.db, caller.teamId);
      await add({ phoneNumbers: [number] }).expect(201);
      await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
      const [stored] = await numbersOf();
      expect(stored).toMatch(/^erased:/);
      expect((await add({ phoneNumbers: [number] })).body).toMatchObject({ added: 0, rejected: [] });
      await remove(shown ? String(stored) : number).expect(204);
      expect(await numbersOf()).toEqual([]);
    }
  });

  test('what only begins like an erased number is none', async () => {
    expect((await remove('erased:\0')).status).toBe(404);
    const key = JSON.stringify(['2026-01-01T00:00:00.000000Z', 'erased:\0']);
    const cursor = Buffer.from(key).toString('base64url');
    await expect400By(calling, caller, `${LIST}?cursor=${cursor}`, 'cursor must be the nextCursor');
  });

  test('another team’s list is apart', async () => {
    const phoneNumber = nextNumber();
    await add({ phoneNumbers: [phoneNumber] }).expect(201);
    const stranger = await buildCaller(calling.db);
    expect(await numbersOf(stranger)).toEqual([]);
    expect((await remove(phoneNumber, stranger)).status).toBe(404);
    expect(await numbersOf()).toEqual([phoneNumber]);
    expect((await calling.http().get(LIST)).status).toBe(401);
  });

  test('a number with a held lock delays no other team, and is added after the lock is released', async () => {
    const phoneNumber = nextNumber();
    const runner = calling.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock(number_lock_key($1, $2))', [caller.teamId, phoneNumber]);
    const waiting = add({ phoneNumbers: [phoneNumber] }).then((answer) => answer.status);
    const stranger = await buildCaller(calling.db);
    expect((await add({ phoneNumbers: [phoneNumber] }, stranger)).status).toBe(201);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await waiting).toBe(201);
  });
});

test('GET /api/voice-agents lists the team’s own, the newest first, without templates and settings', async () => {
  const { id } = await buildAgent(calling.db, caller.teamId, {
    name: 'Newest',
    prompt_template: 'secret',
    carrier_settings: { trunk: 'x' },
  });
  await buildAgent(calling.db, caller.teamId, { deleted_at: new Date() });
  const { items, nextCursor } = await pageBy(calling, caller, '/api/voice-agents');
  expect(items.map((item) => item.agentId)).toEqual([id, caller.agentId]);
  expect(items[0]).toEqual({
    agentId: id,
    id,
    name: 'Newest',
    timezone: 'UTC',
    callingHours: null,
    closedDates: [],
    outboundPhoneNumber: null,
    numberPoolId: null,
    carrier: null,
    carrierAccountId: null,
    purpose: null,
    createdAt: expect.any(String) as string,
  });
  expect(nextCursor).toBeNull();
  expect((await walkBy(calling, caller, '/api/voice-agents', 1)).sizes).toEqual([1, 1]);
  const stranger = await buildCaller(calling.db);
  const others = (await pageBy(calling, stranger, '/api/voice-agents')).items.map((item) => item.id);
  expect(others).toEqual([stranger.agentId]);
});

test('GET /api/phone-numbers lists the team’s own, the newest first', async () => {
  const number = await buildPhoneNumber(calling.db, caller.teamId, { active: false });
  const { items } = await pageBy(calling, caller, '/api/phone-numbers');
  expect(items.map(({ phoneNumber }) => phoneNumber)).toEqual([number.phone_number, caller.callerNumber]);
  expect(items[0]).toEqual({
    id: number.id,
    phoneNumber: number.phone_number,
    active: false,
    outboundEnabled: true,
    createdAt: expect.any(String) as string,
  });
  expect((await walkBy(calling, caller, '/api/phone-numbers', 1)).sizes).toEqual([1, 1]);
  expect((await getBy(calling, caller, '/api/phone-numbers?active=true')).status).toBe(400);
});
