import { type Response } from 'supertest';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { buildCampaign, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { dumpOf, placesOf, redisTextOf } from './everything-stored.js';

const KEY = 'erasure-key-of-the-tests';

const calling = Calling.ofFile({ erasureKey: KEY });

beforeAll(async () => {
  await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});

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
  return buildEnrollment(calling.db, keys, { status, source, look_at: null });
}

describe('a person with data in every table', () => {
  const NUMBER = '+14155557391';
  const PERSON = {
    name: 'Zebulon Quartermaine',
    email: 'zeb@quartermaine.example',
    companyName: 'Quartermaine Kites',
    companyWebsite: 'https://kites.example',
  };
  const WORDS = [
    'Zebulon',
    'Quartermaine',
    'kites.example',
    'crm-zq-77',
    'Pacific/Chatham',
    NUMBER,
    '14155557391',
    '4155557391',
    '415-555-7391',
    '(415) 555-7391',
    // A property, a variable, what the agent said, a label, and the reason of an entry.
    'left-handed',
    'order-81726',
    'Hello, Zebulon',
    'Dear Zebulon',
    'met at the fair',
    'wrote an angry letter',
    // A result.
    'angry about kites',
    'bought the red one',
  ];

  let caller: Caller;
  let contactId: string;
  let consentId: string;
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
    await calling
      .http()
      .patch(`/api/contacts/${contactId}`)
      .set(bearer(caller.apiKey))
      .send({ externalId: 'crm-zq-77' })
      .expect(200);
    const body = { phoneNumber: NUMBER, order: 'order-81726', timezone: 'Pacific/Chatham' };
    const talked = await post(caller, `/api/voice-agents/${caller.agentId}/calls`, body, 'talked');
    const talkedId = (talked.body as { callRequestId: string }).callRequestId;
    await calling.until(caller, talkedId, 'completed');
    const said = { disposition: 'angry about kites', data: { said: 'bought the red one' } };
    await calling.report(caller, talkedId, said).expect(200);
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
    const consent = { phoneNumber: NUMBER, level: 'express', grantedAt: '2026-01-05T10:00:00Z' };
    const given = { source: 'Zebulon called us', evidence: 'tape of Zebulon' };
    const recorded = await post(caller, '/api/consents', { ...consent, ...given }, 'consented').expect(201);
    consentId = (recorded.body as { id: string }).id;
    await post(caller, `/api/consents/${consentId}/revoke`, { reason: 'Zebulon was angry' }).expect(200);
    // A file that no worker has processed.
    const csv = { ...bearer(caller.apiKey), 'Content-Type': 'text/csv' };
    const file = 'phoneNumber,name\n(415) 555-7391,Zebulon\n';
    await calling.http().post('/api/imports').set(csv).send(file).expect(202);
    before = await dumpOf(calling.db);
    await erase(caller, contactId).expect(204);
  });

  test('is found in all of these tables before the erasure', () => {
    const tables = new Set(placesOf(WORDS, before).map((place) => place.split(':')[0]));
    expect([...tables].sort()).toEqual(
      [
        'call_details',
        'call_requests',
        'call_results',
        'consent_endings',
        'consents',
        'contacts',
        'do_not_call',
        'enrollments',
        'events',
        'idempotency_keys',
        'import_chunks',
        'whitelist',
      ].sort(),
    );
    const found = new Set(placesOf(WORDS, before).map((place) => place.split(': ')[1]));
    expect(WORDS.filter((word) => !found.has(word))).toEqual([]);
  });

  test('is found nowhere after the erasure, nor in Redis', async () => {
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
    const body = (await calling.get(caller, calls[1] ?? '').expect(200)).body as unknown;
    expect(body).toMatchObject({ phoneNumber: talked?.phone_number, prompt: null });
  });

  test('leaves the enrollments, which have ended', async () => {
    const rows = await calling.db.query<object[]>(
      'SELECT status, source, end_reason, look_at FROM enrollments WHERE contact_id = $1 ORDER BY status',
      [contactId],
    );
    expect(rows).toEqual([
      { status: 'completed', source: null, end_reason: null, look_at: null },
      { status: 'exited', source: null, end_reason: 'contact_deleted', look_at: null },
    ]);
  });

  test('is answered like an unknown contact', async () => {
    const own = bearer(caller.apiKey);
    await calling.http().get(`/api/contacts/${contactId}`).set(own).expect(404);
    await calling.http().get(`/api/contacts/${contactId}/export`).set(own).expect(404);
    await erase(caller, contactId).expect(404, { error: 'Contact not found' });
    const campaign = await buildCampaign(calling.db, caller.teamId);
    await post(caller, '/api/campaigns/enrollments', { contactId, campaignId: campaign.id }).expect(404);
  });

  test('leaves the proof of the consent', async () => {
    const path = `/teams/${caller.teamId}/consents?phoneNumber=${encodeURIComponent(NUMBER)}`;
    const { items } = (await calling.operator('get', path).expect(200)).body as { items: object[] };
    expect(items).toMatchObject([
      {
        id: consentId,
        phoneNumber: expect.stringMatching(/^erased:[0-9a-f]{64}$/) as string,
        level: 'express',
        source: null,
        evidence: null,
        grantedAt: '2026-01-05T10:00:00.000Z',
        endReason: null,
      },
    ]);
    const [row] = await calling.db.query<{ facts: object[] }[]>(
      'SELECT consents_of($1, ARRAY[$2], $3) AS facts',
      [caller.teamId, (items[0] as { phoneNumber: string }).phoneNumber, new Date('2026-02-01')],
    );
    expect(row?.facts).toMatchObject([{ id: consentId, level: 'express' }]);
  });

  test('stays on the Do Not Call list', async () => {
    const answer = await calling.trigger(caller, { phoneNumber: NUMBER });
    expect(answer.body).toMatchObject({ reason: 'DO_NOT_CALL' });
    const path = `/teams/${caller.teamId}/do-not-call`;
    const entry = (await calling.operator('get', `${path}/${NUMBER}`).expect(200)).body as unknown;
    expect(entry).toMatchObject({ phoneNumber: NUMBER, reason: null });
    const list = (await calling.operator('get', path).expect(200)).body as unknown;
    const { items } = list as { items: { phoneNumber: string }[] };
    expect(items.map(({ phoneNumber }) => phoneNumber)).toEqual([expect.stringMatching(/^erased:/)]);
    const added = (await calling.operator('post', path, { phoneNumbers: [NUMBER] }).expect(201))
      .body as unknown;
    expect(added).toMatchObject({ added: 0, rejected: [] });
    await calling.operator('delete', `${path}/${NUMBER}`).expect(204);
    await calling.operator('get', `${path}/${NUMBER}`).expect(404);
  });

  test('is a new contact when the number is requested again, and was called within 12 hours', async () => {
    const answer = await calling.trigger(caller, { phoneNumber: NUMBER, fullName: 'Zebulon' });
    expect(answer.body).toMatchObject({ reason: 'RECENTLY_CALLED' });
    const [row] = await calling.db.query<{ id: string }[]>(
      'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
      [caller.teamId, NUMBER],
    );
    expect(row?.id).not.toBe(contactId);
    // Erased again, although the earlier tombstone has the same number.
    await erase(caller, row?.id ?? '').expect(204);
    expect(placesOf(['Zebulon', NUMBER], await dumpOf(calling.db))).toEqual([]);
  });
});
