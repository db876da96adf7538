import { randomUUID } from 'node:crypto';
import {
  buildAgent,
  buildCall,
  buildCampaign,
  buildContact,
  buildEnrollment,
  insertRow,
  nextNumber,
  type Row,
} from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { expect400By, getBy, pageBy, walkBy } from './list-client.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
let caller: Caller;
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const CLAIMED = { claimed_at: new Date(0), processed_at: new Date(0), caller_id: '+14155550100' };

/** A call of the team; an ended one unless said. */
async function call(row: Row = {}, contact?: { id: string; phone_number: string }): Promise<string> {
  const of = contact ?? (await buildContact(calling.db, caller.teamId));
  const keys = { team_id: caller.teamId, agent_id: caller.agentId };
  const ended = { status: 'completed', ended_at: new Date(), ...CLAIMED };
  const own = { contact_id: of.id, phone_number: of.phone_number };
  return (await buildCall(calling.db, { ...keys, ...own }, { ...ended, ...row })).id;
}

const idsOf = async (query: string, by = caller) =>
  (await pageBy(calling, by, `/api/calls?${query}`)).items.map(({ callRequestId }) => callRequestId);

/** A cursor that no page has returned. */
const cursorAt = (at: string) => Buffer.from(JSON.stringify([at, randomUUID()])).toString('base64url');

test('an item is the call as it is read by itself, without window, prompt and history', async () => {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber, name: 'Ada', secret: 'x' });
  const answer = await calling.get(caller, id);
  const { notBefore, notAfter, prompt, history, ...single } = answer.body as Record<string, unknown>;
  expect([notBefore, notAfter, prompt, Array.isArray(history)]).toEqual([null, null, null, true]);
  const { items, nextCursor } = await pageBy(calling, caller, '/api/calls');
  expect(items).toEqual([single]);
  expect(nextCursor).toBeNull();
  expect(single).toMatchObject({
    callRequestId: id,
    agentId: caller.agentId,
    enrollmentId: null,
    phoneNumber,
  });
  expect(items[0]).not.toHaveProperty('variables');
  expect(items[0]).not.toHaveProperty('decisions');
});

test('pages contain each call once, newest first, also for calls of one instant and during additions', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    // Less than a millisecond apart, and some of one instant.
    const accepted = `2026-01-01T00:00:00.0${String(Math.floor(n / 3) * 3).padStart(5, '0')}Z`;
    ids.push(await call({ accepted_at: accepted }));
  }
  const { items, sizes } = await walkBy(calling, caller, '/api/calls', 4, () => call());
  expect(sizes).toEqual([4, 4, 3]);
  expect(new Set(items.map(({ callRequestId }) => callRequestId))).toEqual(new Set(ids));
  const times = items.map(({ acceptedAt }) => String(acceptedAt));
  expect(times).toEqual([...times].sort().reverse());
  expect((await walkBy(calling, caller, '/api/calls', 14)).sizes).toEqual([14]);
});

test('50 items unless said', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  await Promise.all(Array.from({ length: 51 }, () => call({}, contact)));
  const { items, nextCursor } = await pageBy(calling, caller, '/api/calls');
  expect(items).toHaveLength(50);
  expect(await idsOf(`cursor=${nextCursor}`)).toHaveLength(1);
});

describe('filters', () => {
  test('status, of open and of ended calls', async () => {
    const made: Record<string, string> = {};
    for (const status of ['scheduled', 'queued']) {
      made[status] = await call({ status, claimed_at: null, processed_at: null, ended_at: null });
    }
    for (const status of ['in_progress', 'dial_unknown'])
      made[status] = await call({ status, ended_at: null });
    for (const status of ['completed', 'busy', 'blocked']) made[status] = await call({ status });
    for (const [status, id] of Object.entries(made)) {
      expect([status, await idsOf(`status=${status}`)]).toEqual([status, [id]]);
    }
    expect(await idsOf('status=expired')).toEqual([]);
  });

  test('agent, contact and number, in any spelling', async () => {
    const agent = await buildAgent(calling.db, caller.teamId);
    const contact = await buildContact(calling.db, caller.teamId, { phone_number: '+14155552671' });
    const at = (hour: number) => ({ accepted_at: new Date(Date.UTC(2026, 0, 1, hour)) });
    const first = await call({ agent_id: agent.id, ...at(1) }, contact);
    const second = await call(at(2), contact);
    const third = await call({ agent_id: agent.id, ...at(3) });
    expect(await idsOf(`agentId=${agent.id.toUpperCase()}`)).toEqual([third, first]);
    expect(await idsOf(`contactId=${contact.id}`)).toEqual([second, first]);
    expect(await idsOf(`contactId=${contact.id}&agentId=${agent.id}&status=completed`)).toEqual([first]);
    for (const spelling of ['%2B14155552671', '+14155552671', '(415) 555-2671', '%2B1 415 555 2671']) {
      expect([spelling, await idsOf(`phoneNumber=${spelling}`)]).toEqual([spelling, [second, first]]);
    }
    expect(await idsOf(`phoneNumber=%2B14155552671&contactId=${randomUUID()}`)).toEqual([]);
    expect(await idsOf(`contactId=${randomUUID()}`)).toEqual([]);
  });

  test('campaign', async () => {
    const campaign = await buildCampaign(calling.db, caller.teamId);
    const contact = await buildContact(calling.db, caller.teamId);
    const keys = { team_id: caller.teamId, campaign_id: campaign.id, contact_id: contact.id };
    const { id: enrollment } = await buildEnrollment(calling.db, {
      ...keys,
      version_id: campaign.current_version_id,
    });
    const made: string[] = [];
    for (let seq = 1; seq <= 3; seq += 1) {
      const accepted = new Date(Date.UTC(2026, 0, 1, seq));
      const row = {
        enrollment_id: enrollment,
        accepted_at: accepted,
        status: seq === 2 ? 'busy' : 'completed',
      };
      made.push(await call(row, contact));
      await insertRow(calling.db, 'enrollment_dials', {
        enrollment_id: enrollment,
        seq,
        team_id: caller.teamId,
        campaign_id: campaign.id,
        call_request_id: made.at(-1),
        step: 'first',
        claimed_at: accepted,
      });
    }
    await call({}, contact);
    const [first, second, third] = made;
    expect(await idsOf(`campaignId=${campaign.id}`)).toEqual([third, second, first]);
    expect(await idsOf(`campaignId=${campaign.id}&status=busy`)).toEqual([second]);
    expect(await idsOf(`campaignId=${campaign.id}&contactId=${contact.id}`)).toEqual([third, second, first]);
    expect(await idsOf(`campaignId=${campaign.id}&acceptedTo=2026-01-01T02:00:00Z`)).toEqual([first]);
    const { sizes } = await walkBy(calling, caller, `/api/calls?campaignId=${campaign.id}`, 1);
    expect(sizes).toEqual([1, 1, 1]);
  });

  test('the instants between which a call was accepted', async () => {
    const at = (hour: number) => call({ accepted_at: new Date(Date.UTC(2026, 4, 1, hour)) });
    const [nine, ten, eleven] = [await at(9), await at(10), await at(11)];
    expect(await idsOf('acceptedFrom=2026-05-01T10:00:00Z')).toEqual([eleven, ten]);
    expect(await idsOf('acceptedTo=2026-05-01T10:00:00Z')).toEqual([nine]);
    expect(await idsOf('acceptedFrom=2026-05-01T12:00:00+02:00&acceptedTo=2026-05-01T11:00:00Z')).toEqual([
      ten,
    ]);
  });

  test.each([
    ['status=done', 'status must be one of scheduled, queued'],
    ['status=', 'status must be one of'],
    ['agentId=x', 'agentId must be a UUID'],
    ['campaignId=', 'campaignId must be a UUID'],
    ['contactId=1', 'contactId must be a UUID'],
    ['acceptedFrom=yesterday', 'acceptedFrom must be a date-time with an offset'],
    ['acceptedTo=2026-02-30T00:00:00Z', 'acceptedTo must be a date-time with an offset'],
    ['acceptedTo=9999-12-31T23:59:59-23:59', 'acceptedTo must be a date-time with an offset'],
    ['phoneNumber=12', 'phoneNumber is not a valid phone number'],
    ['phoneNumber=erased:%00', 'phoneNumber'],
    ['agentId=x&phoneNumber=x', 'agentId must be a UUID; phoneNumber must be one phone number'],
    ['limit=0', 'limit must be a whole number from 1 to 200'],
    ['limit=201', 'limit must be a whole number from 1 to 200'],
    ['state=queued', 'state is not a parameter of this list'],
    ['status=busy&status=failed', 'status must be sent once'],
    ['cursor=x', 'cursor must be the nextCursor of a page of this list'],
    ['cursor=WyIyMDI2LTAxLTAxIiwieCJd', 'cursor must be the nextCursor of a page of this list'],
    [
      `cursor=${cursorAt('2026-02-30T00:00:00.000000Z')}`,
      'cursor must be the nextCursor of a page of this list',
    ],
    [
      `cursor=${cursorAt('2026-02-28T24:00:00.000000Z')}`,
      'cursor must be the nextCursor of a page of this list',
    ],
  ])('?%s is 400', (query, message) => expect400By(calling, caller, `/api/calls?${query}`, message));
});

test('one answer names all that is wrong with the parameters of a list', async () => {
  const faultsOf = async (path: string) => {
    const { status, text } = await getBy(calling, caller, path);
    const { errors = [] } = JSON.parse(text) as { errors?: { path: string }[] };
    return [status, errors.map((one) => one.path).sort()];
  };
  const common = 'limit=0&cursor=x&why=1';
  const shared = ['cursor', 'limit', 'why'];
  for (const [path, own] of [
    ['/api/calls?status=x&agentId=y', ['agentId', 'status']],
    ['/api/contacts?phoneNumber=x&updatedSince=y', ['phoneNumber', 'updatedSince']],
    ['/api/imports?status=x', ['status']],
    ['/api/events?after=x&types=y', ['after', 'types']],
    ['/api/campaigns/enrollments?contactId=x', ['contactId']],
    ['/api/calls/export?format=x&status=y', ['format', 'status']],
    ['/api/contacts/export?format=x&updatedSince=y', ['format', 'updatedSince']],
  ] as const) {
    expect([path, await faultsOf(`${path}&${common}`)]).toEqual([path, [400, [...shared, ...own].sort()]]);
  }
});

test('calls of an erased contact are found by its number, by its erased number and by its id', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  const id = await call({}, contact);
  const other = await call();
  const erased = await calling.http().delete(`/api/contacts/${contact.id}`).set(bearer(caller.apiKey));
  expect(erased.status).toBe(204);
  // The same person calls again.
  const again = await calling.accepted(caller, { phoneNumber: contact.phone_number });
  expect(await idsOf(`phoneNumber=${encodeURIComponent(contact.phone_number)}`)).toEqual([again, id]);
  expect(await idsOf(`contactId=${contact.id}`)).toEqual([id]);
  const { items } = await pageBy(calling, caller, `/api/calls?contactId=${contact.id}`);
  const stored = String(items[0]?.phoneNumber);
  expect(stored).toMatch(/^erased:[0-9a-f]{64}$/);
  expect(await idsOf(`phoneNumber=${stored}`)).toEqual([id]);
  expect(await idsOf('')).toEqual([again, other, id]);
});

test('no list contains another team’s calls, for any parameters', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  await call({}, contact);
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const stranger = await buildCaller(calling.db);
  for (const query of [
    '',
    `agentId=${caller.agentId}`,
    `contactId=${contact.id}`,
    `campaignId=${campaign.id}`,
    `phoneNumber=${encodeURIComponent(contact.phone_number)}`,
    'status=completed',
  ]) {
    expect([query, await idsOf(query, stranger)]).toEqual([query, []]);
  }
  expect((await calling.http().get('/api/calls')).status).toBe(401);
});

test('a page ends early where first messages are long, and the next one goes on', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  for (let n = 0; n < 25; n += 1) await call({ first_message: 'x'.repeat(60_000) }, contact);
  const { items, sizes } = await walkBy(calling, caller, '/api/calls', 200);
  expect(new Set(items.map(({ callRequestId }) => callRequestId)).size).toBe(25);
  expect(sizes.length).toBe(2);
});
