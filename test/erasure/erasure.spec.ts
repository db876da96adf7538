import { type INestApplicationContext } from '@nestjs/common';
import { type Response } from 'supertest';
import { OutcomeService } from '../../src/calls/dial/outcome.service.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { buildCall, buildCampaign, buildContact, buildEnrollment, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { dumpOf, placesOf, redisTextOf } from './everything-stored.js';

const KEY = 'erasure-key-of-the-tests';

let calling: Calling;
let worker: INestApplicationContext;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: KEY });
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());

const erase = ({ apiKey }: Pick<Caller, 'apiKey'>, contactId: string) =>
  calling.http().delete(`/api/contacts/${contactId}`).set(bearer(apiKey));

const post = (caller: Caller, path: string, body: object, key?: string) =>
  calling
    .http()
    .post(path)
    .set({ ...bearer(caller.apiKey), ...(key !== undefined && { 'Idempotency-Key': key }) })
    .send(body);

const contactOf = (answer: Response) => (answer.body as { contactId: string }).contactId;

async function enrollmentOf(teamId: string, contactId: string, status: string, source: string) {
  const campaign = await buildCampaign(calling.db, teamId);
  const keys = {
    team_id: teamId,
    campaign_id: campaign.id,
    contact_id: contactId,
    version_id: campaign.current_version_id,
  };
  return buildEnrollment(calling.db, keys, { status, source });
}

describe('a person of whom everything is known', () => {
  const NUMBER = '+14155557391';
  const PERSON = {
    name: 'Zebulon Quartermaine',
    email: 'zeb@quartermaine.example',
    companyName: 'Quartermaine Kites',
    companyWebsite: 'https://kites.example',
  };
  const WORDS = [
    ...['Zebulon', 'Quartermaine', 'kites.example', 'Pacific/Chatham'],
    ...[NUMBER, '14155557391', '4155557391', '415-555-7391', '(415) 555-7391'],
    // A property, a variable, what the agent said, a label, and the reason of an entry.
    ...[
      'left-handed',
      'order-81726',
      'Hello, Zebulon',
      'Dear Zebulon',
      'met at the fair',
      'wrote an angry letter',
    ],
  ];

  let caller: Caller;
  let contactId: string;
  let calls: string[];
  let before: Map<string, string>;

  beforeAll(async () => {
    caller = await buildCaller(
      calling.db,
      { monthly_call_limit: 10, default_country: 'US' },
      {
        prompt_template: 'Hello, {{contact.name}}: {{order}} {{shoe_size}}',
        first_message_template: 'Dear {{contact.name}}: {{contact.hand}}',
      },
    );
    const stored = await post(
      caller,
      '/api/contacts',
      { phoneNumber: '(415) 555-7391', ...PERSON, timezone: 'Pacific/Chatham', hand: 'left-handed' },
      'crm 415-555-7391',
    );
    contactId = contactOf(stored);
    const body = { phoneNumber: NUMBER, order: 'order-81726', timezone: 'Pacific/Chatham' };
    const talked = await post(caller, `/api/voice-agents/${caller.agentId}/calls`, body, 'talked');
    const talkedId = (talked.body as { callRequestId: string }).callRequestId;
    await calling.until(caller, talkedId, 'completed');
    // Two more: refused at once, and waiting for the next opening of another agent.
    await calling.trigger(caller, body).expect(500);
    const later = await buildCaller(calling.db, {}, hoursOpeningIn(5));
    await calling.db.query('UPDATE voice_agents SET team_id = $1, outbound_phone_number = $2 WHERE id = $3', [
      caller.teamId,
      caller.callerNumber,
      later.agentId,
    ]);
    const waitingId = await calling.accepted({ ...caller, agentId: later.agentId }, body);
    calls = [talkedId, waitingId];
    await enrollmentOf(caller.teamId, contactId, 'active', 'met at the fair');
    await enrollmentOf(caller.teamId, contactId, 'completed', 'met at the fair');
    const list = { phoneNumbers: [NUMBER] };
    await calling.operated('post', `/teams/${caller.teamId}/whitelist`, list);
    await calling.db.query('INSERT INTO do_not_call (team_id, phone_number, reason) VALUES ($1, $2, $3)', [
      caller.teamId,
      NUMBER,
      'wrote an angry letter',
    ]);
    before = await dumpOf(calling.db);
    await erase(caller, contactId).expect(204);
  });

  test('was found in all of these tables', () => {
    const tables = new Set(placesOf(WORDS, before).map((place) => place.split(':')[0]));
    expect([...tables].sort()).toEqual(
      ['call_requests', 'contacts', 'do_not_call', 'enrollments', 'idempotency_keys', 'whitelist'].sort(),
    );
    const found = new Set(placesOf(WORDS, before).map((place) => place.split(': ')[1]));
    expect(WORDS.filter((word) => !found.has(word))).toEqual(['(415) 555-7391']);
  });

  test('is found nowhere after the erasure, in Redis neither', async () => {
    const texts = await dumpOf(calling.db);
    expect(texts.size).toBeGreaterThan(15);
    texts.set('Redis', await redisTextOf(calling.world.config.redisPrefix));
    expect(texts.get('Redis')).toContain(calls[0]);
    expect(placesOf(WORDS, texts)).toEqual([]);
  });

  test('leaves the facts of the calls', async () => {
    const [talked, waited] = await Promise.all(calls.map((id) => calling.row(id)));
    expect(talked).toMatchObject({ status: 'completed', agent_id: caller.agentId, contact_id: contactId });
    expect(talked?.processed_at).not.toBeNull();
    expect(talked?.phone_number).toMatch(/^erased:[0-9a-f]{64}$/);
    expect(talked).toMatchObject({ unknown_placeholders: [], timezone: null, first_message: null });
    expect(talked?.history.map(({ to }) => to)).toContain('in_progress');
    expect(talked?.decisions[0]).toMatchObject({ allow: true, reason: null });
    for (const rule of talked?.decisions[0]?.rules ?? []) {
      expect(rule).toMatchObject({ allow: true, evidence: { erased: true } });
    }
    expect(waited).toMatchObject({ status: 'canceled', phone_number: talked?.phone_number });
    expect(waited?.history.at(-1)).toMatchObject({ to: 'canceled', cause: 'contact_erased' });
    const { body } = await calling.get(caller, calls[1] ?? '').expect(200);
    expect(body).toMatchObject({ phoneNumber: talked?.phone_number, prompt: null });
  });

  test('leaves the enrollments: live ones are over', async () => {
    const rows = await calling.db.query<object[]>(
      'SELECT status, source, end_reason, look_at FROM enrollments WHERE contact_id = $1 ORDER BY status',
      [contactId],
    );
    expect(rows).toEqual([
      { status: 'completed', source: null, end_reason: null, look_at: null },
      { status: 'exited', source: null, end_reason: 'contact_deleted', look_at: null },
    ]);
  });

  test('is not there any more', async () => {
    const own = bearer(caller.apiKey);
    await calling.http().get(`/api/contacts/${contactId}`).set(own).expect(404);
    await calling.http().get(`/api/contacts/${contactId}/export`).set(own).expect(404);
    await erase(caller, contactId).expect(404, { error: 'Contact not found' });
    const campaign = await buildCampaign(calling.db, caller.teamId);
    await post(caller, '/api/campaigns/enrollments', { contactId, campaignId: campaign.id }).expect(404);
  });

  test('is on the Do Not Call list all the same', async () => {
    const answer = await calling.trigger(caller, { phoneNumber: NUMBER });
    expect(answer.body).toMatchObject({ reason: 'DO_NOT_CALL' });
    const path = `/teams/${caller.teamId}/do-not-call`;
    const { body: entry } = await calling.operator('get', `${path}/${NUMBER}`).expect(200);
    expect(entry).toMatchObject({ phoneNumber: NUMBER, reason: null });
    const { body: list } = await calling.operator('get', path).expect(200);
    const { items } = list as { items: { phoneNumber: string }[] };
    expect(items.map(({ phoneNumber }) => phoneNumber)).toEqual([expect.stringMatching(/^erased:/)]);
    const { body: added } = await calling.operator('post', path, { phoneNumbers: [NUMBER] }).expect(201);
    expect(added).toEqual({ added: 0, rejected: [] });
    await calling.operator('delete', `${path}/${NUMBER}`).expect(204);
    await calling.operator('get', `${path}/${NUMBER}`).expect(404);
  });

  test('is a new contact when the number is asked for again, and was called within 12 hours', async () => {
    const answer = await calling.trigger(caller, { phoneNumber: NUMBER, fullName: 'Zebulon' });
    expect(answer.body).toMatchObject({ reason: 'RECENTLY_CALLED' });
    const [row] = await calling.db.query<{ id: string }[]>(
      'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
      [caller.teamId, NUMBER],
    );
    expect(row?.id).not.toBe(contactId);
    // Erased again, though the tombstone of before has the same number.
    await erase(caller, row?.id ?? '').expect(204);
    expect(placesOf(['Zebulon', NUMBER], await dumpOf(calling.db))).toEqual([]);
  });
});

describe('the rules about a number', () => {
  /** A call to a number that ended now, and the erasure of its contact. */
  async function erased(caller: Caller, phoneNumber: string): Promise<void> {
    const { id } = await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber });
    const now = new Date();
    await buildCall(
      calling.db,
      { team_id: caller.teamId, agent_id: caller.agentId, contact_id: id, phone_number: phoneNumber },
      {
        status: 'completed',
        claimed_at: now,
        processed_at: now,
        ended_at: now,
        caller_id: caller.callerNumber,
      },
    );
    await erase(caller, id).expect(204);
  }
  afterEach(() => moveClock(calling.db, '0 seconds'));

  test('the 12 hours and the limits count what was called before the erasure', async () => {
    const caller = await buildCaller(calling.db, { number_weekly_limit: 1 });
    const phoneNumber = nextNumber();
    await erased(caller, phoneNumber);
    const limited = await calling.trigger(caller, { phoneNumber });
    expect([limited.status, limited.body]).toEqual([
      429,
      expect.objectContaining({ reason: 'NUMBER_LIMIT_WEEKLY' }),
    ]);
    await calling.operated('patch', `/teams/${caller.teamId}`, { numberWeeklyLimit: null });
    expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({
      reason: 'RECENTLY_CALLED',
    });
    await moveClock(calling.db, '13 hours');
    await calling.until(caller, await calling.accepted(caller, { phoneNumber }), 'completed');
  });

  test('a number of another team is not judged by it', async () => {
    const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const phoneNumber = nextNumber();
    await erased(one, phoneNumber);
    await calling.accepted(other, { phoneNumber });
    const rows = await calling.db.query<{ forms: number }[]>(
      'SELECT count(DISTINCT phone_number)::integer AS forms FROM call_requests WHERE phone_number = ANY($1)',
      [[phoneNumber]],
    );
    expect(rows).toEqual([{ forms: 1 }]);
  });

  test('they hold when the call fires', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const phoneNumber = nextNumber();
    await erased(caller, phoneNumber);
    const id = await calling.accepted(caller, { phoneNumber });
    expect((await calling.row(id)).status).toBe('scheduled');
    await calling.db.query('UPDATE call_requests SET runs_at = outdial_now() WHERE id = $1', [id]);
    await calling.db.query('UPDATE voice_agents SET calling_hours = NULL WHERE id = $1', [caller.agentId]);
    const { FireService } = await import('../../src/calls/fire/fire.service.js');
    expect(await worker.get(FireService).fire({ callRequestId: id, generation: 0 })).toEqual({
      kind: 'blocked',
    });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked', reason: 'RECENTLY_CALLED' });
  });

  test('a canceled call gives its count of the plan back', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    await calling.operated('post', `/teams/${caller.teamId}/pause`);
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
    await erase(caller, contactOf(answer)).expect(204);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
  });
});

describe('a call under way', () => {
  async function underWay(caller: Caller, status: string) {
    const { id, phone_number } = await buildContact(calling.db, caller.teamId);
    const now = new Date();
    const call = await buildCall(
      calling.db,
      { team_id: caller.teamId, agent_id: caller.agentId, contact_id: id, phone_number },
      {
        ...{
          status,
          claimed_at: now,
          processed_at: now,
          caller_id: caller.callerNumber,
          carrier: 'simulator',
        },
        ...{ prompt: 'Say it', first_message: 'Hello', variables: { order: 7 }, timezone: 'UTC' },
      },
    );
    return { contactId: id, callId: call.id };
  }

  test('keeps what it says until its end, and then the outcome only', async () => {
    const caller = await buildCaller(calling.db);
    const { contactId, callId } = await underWay(caller, 'in_progress');
    await erase(caller, contactId).expect(204);
    expect(await calling.row(callId)).toMatchObject({
      ...{ status: 'in_progress', prompt: 'Say it', variables: { order: 7 }, timezone: null },
      phone_number: expect.stringMatching(/^erased:/) as string,
    });
    const said = { callRequestId: callId, carrierCallId: 'sim-1', at: new Date(), durationSeconds: 31 };
    const outcomes = worker.get(OutcomeService);
    expect(await outcomes.recordEvent('simulator', { ...said, status: 'completed' })).toBe(true);
    expect(await calling.row(callId)).toMatchObject({
      ...{ status: 'completed', duration_seconds: 31 },
      ...{ prompt: null, first_message: null, variables: {} },
    });
  });

  test('is not tried again when its carrier could not take it', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const { contactId, callId } = await underWay(caller, 'dialing');
    await erase(caller, contactId).expect(204);
    expect(await worker.get(OutcomeService).requeue(callId, 0, 'carrier_throttled', 0)).toBeNull();
    expect(await calling.row(callId)).toMatchObject({
      ...{ status: 'failed', reason: 'CONTACT_ERASED', processed_at: null },
      ...{ prompt: null, variables: {} },
    });
  });

  test('of which nothing is heard says nothing any more', async () => {
    const caller = await buildCaller(calling.db);
    const { contactId, callId } = await underWay(caller, 'dialing');
    await erase(caller, contactId).expect(204);
    await calling.db.query('SELECT mark_unknown(-1000, -1000, 500)');
    expect(await calling.row(callId)).toMatchObject({ status: 'dial_unknown', prompt: null, variables: {} });
  });
});

test('404 for another team’s contact and for what is none', async () => {
  const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const { id } = await buildContact(calling.db, one.teamId);
  await erase(other, id).expect(404, { error: 'Contact not found' });
  await erase(one, 'none').expect(404);
  await calling.operator('delete', `/teams/${other.teamId}/contacts/${id}`).expect(404);
  await calling.operator('delete', `/teams/none/contacts/${id}`).expect(404);
  await calling.operator('delete', `/teams/${one.teamId}/contacts/${id}`).expect(204);
});
