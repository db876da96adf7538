import { type NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { whileInFlight } from '../support/keys-in-flight.js';

let world: World;
let api: NestExpressApplication;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
});
afterAll(() => world.close());
beforeEach(async () => {
  caller = await buildCaller(world.db);
});

function post(path: string, key: string, body: object, apiKey = caller.apiKey) {
  return request(api.getHttpServer())
    .post(path)
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', key)
    .send(body);
}

async function enrollBody(): Promise<object> {
  const contact = await buildContact(world.db, caller.teamId);
  const campaign = await buildCampaign(world.db, caller.teamId);
  return { contactId: contact.id, campaignId: campaign.id };
}

const ENDPOINTS = [
  ['/api/contacts', 201, () => Promise.resolve({ phoneNumber: nextNumber(), plan: 'gold' })],
  ['/api/campaigns/enrollments', 201, enrollBody],
  ['/api/campaigns/contact-enrollments', 200, () => Promise.resolve({ phoneNumber: nextNumber() })],
] as const;

describe.each(ENDPOINTS)('POST %s', (path, success, bodyOf) => {
  test('a repeated request gets the first answer', async () => {
    const body = await bodyOf();
    const first = await post(path, 'one', body);
    const second = await post(path, 'one', body);
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([success, undefined]);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([success, 'true']);
    expect(second.body).toEqual(first.body);
  });

  test('another body with the same key is 422', async () => {
    await post(path, 'two', await bodyOf());
    const other = await post(path, 'two', await bodyOf());
    expect([other.status, other.body]).toEqual([
      422,
      { error: expect.stringContaining('Idempotency-Key') as string },
    ]);
  });

  test('20 parallel requests with one key: one success; the others get its answer or 409', async () => {
    const body = await bodyOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, 'burst', body)));
    const successes = answers.filter(({ status }) => status === success);
    expect(successes.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(successes.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.filter(({ status }) => status !== success && status !== 409)).toEqual([]);
  });

  test('a wrong API key is 401, also with a stored idempotency key', async () => {
    const body = await bodyOf();
    await post(path, 'three', body);
    expect((await post(path, 'three', body, 'od_test_wrong')).status).toBe(401);
  });

  test('another team’s `teamId` is 403, also with a stored key or an active request', async () => {
    const { teamId } = await buildCaller(world.db);
    const body = await bodyOf();
    await post(path, 'four', body);
    const refusal = [403, { error: 'teamId must be the team of the API key' }];
    const reused = await post(path, 'four', { ...body, teamId });
    expect([reused.status, reused.body]).toEqual(refusal);
    await whileInFlight(world.db, caller.teamId, 'five', async () => {
      const inFlight = await post(path, 'five', { ...(await bodyOf()), teamId });
      expect([inFlight.status, inFlight.body]).toEqual(refusal);
    });
  });

  test('a malformed key is 400, naming the header', async () => {
    const answer = await post(path, 'x'.repeat(256), await bodyOf());
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: expect.stringContaining('Idempotency-Key') as string },
    ]);
  });
});

test('a refusal is not stored: the same key works after the cause is gone', async () => {
  const phoneNumber = nextNumber();
  const taken = await buildContact(world.db, caller.teamId, { phone_number: phoneNumber });
  expect((await post('/api/contacts', 'later', { phoneNumber })).body).toMatchObject({
    error: 'Contact existed',
  });
  await world.db.query('DELETE FROM contacts WHERE id = $1', [taken.id]);
  expect((await post('/api/contacts', 'later', { phoneNumber })).status).toBe(201);
});

test('a failed enrollment does not prevent the contact’s answer from being stored', async () => {
  const campaign = await buildCampaign(world.db, caller.teamId);
  await world.db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`,
  );
  await world.db.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON enrollments FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  const body = { phoneNumber: nextNumber(), campaignId: campaign.id };
  const first = await post('/api/contacts', 'broken', body);
  await world.db.query('DROP TRIGGER refuse ON enrollments');
  expect(first.status).toBe(201);
  const second = await post('/api/contacts', 'broken', body);
  expect([second.status, second.body]).toEqual([201, first.body]);
});
