import { type Body, buildClient, ENROLLMENTS, type TeamClient, UNKNOWN_ID } from '../contacts/team-client.js';
import { buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { buildDials } from '../support/enrollment-builders.js';

/* What a team reads and does to its campaigns and enrollments by its own key. */

const calling = Calling.ofFile();
let caller: Caller;
let stranger: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db);
  stranger = await buildCaller(calling.db);
});

const get = (path: string, { apiKey } = caller) => calling.http().get(path).set(bearer(apiKey));
const post = (path: string, { apiKey } = caller) => calling.http().post(path).set(bearer(apiKey));

async function enrolled(row: Record<string, unknown> = {}) {
  const campaign = await buildCampaign(calling.db, caller.teamId, { name: 'Spring' });
  const { id: contactId } = await buildContact(calling.db, caller.teamId);
  const { id } = await buildEnrollment(
    calling.db,
    {
      team_id: caller.teamId,
      campaign_id: campaign.id,
      contact_id: contactId,
      version_id: campaign.current_version_id,
    },
    { status: 'active', waiting_for: 'retry', step: 'first', ...row },
  );
  const keys = { id, team: caller.teamId, campaignId: campaign.id, contactId };
  await buildDials(calling.db, keys, ['no_answer', 'refused']);
  const path = `/api/campaigns/enrollments/${id}`;
  return { id, path, contactId, campaignId: campaign.id, versionId: campaign.current_version_id };
}

test('GET /api/campaigns lists the team’s campaigns, newest first and in pages', async () => {
  await buildCampaign(calling.db, stranger.teamId);
  const made = [];
  for (let n = 0; n < 3; n += 1) made.push((await buildCampaign(calling.db, caller.teamId)).id);
  const all = (await get('/api/campaigns')).body as { items: { campaignId: string }[] };
  expect(all.items.map(({ campaignId }) => campaignId)).toEqual(made.reverse());
  expect(all).toHaveProperty('nextCursor', null);
  const first = (await get('/api/campaigns?limit=2')).body as { items: object[]; nextCursor: string };
  const second = (await get(`/api/campaigns?limit=2&cursor=${first.nextCursor}`)).body as { items: object[] };
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect((await get('/api/campaigns?cursor=x')).status).toBe(400);
});

test('GET /api/campaigns/{id} shows the campaign with its stats', async () => {
  const { campaignId, versionId } = await enrolled();
  const counts = {
    enrolled: 1,
    live: 1,
    attempted: 1,
    reached: 0,
    goals: 0,
    ended: {},
    waitingFor: { retry: 1 },
    attempts: { no_answer: 1 },
  };
  const answer = await get(`/api/campaigns/${campaignId}`);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: campaignId,
      campaignId,
      name: 'Spring',
      status: 'active',
      currentVersionId: versionId,
      draftVersionId: null,
      pacing: { maxConcurrentCalls: null, callsPerMinute: null, weight: 1 },
      reentry: { maxEntries: 1, minInterval: null },
      purpose: null,
      createdAt: expect.any(String) as string,
      stats: { ...counts, byVersion: [{ versionId, number: 1, ...counts }] },
    },
  ]);
});

test('GET /api/campaigns/enrollments/{enrollmentId} shows the same as the operator’s read', async () => {
  const { id, path, contactId, campaignId } = await enrolled();
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    enrollmentId: id,
    status: 'active',
    endReason: null,
    step: 'first',
    attempts: 1,
    nextAttemptAt: null,
    // Its version has no steps.
    waitingFor: 'no_steps',
    timeline: [],
    contactId,
    campaignId,
  });
  const operators = `/teams/${caller.teamId}/campaigns/${campaignId}/enrollments/${id}`;
  expect(answer.body).toEqual((await calling.operator('get', operators)).body);
});

test('POST …/pause, /resume and /exit change the state, or are 409 naming it', async () => {
  const { path } = await enrolled();
  const moved = async (move: string) => {
    const answer = await post(`${path}/${move}`);
    const body = answer.body as { status?: string; error?: string };
    return [answer.status, body.status, body.error];
  };
  expect(await moved('resume')).toEqual([
    409,
    undefined,
    'The enrollment is active and cannot become active',
  ]);
  expect(await moved('pause')).toEqual([200, 'paused', undefined]);
  expect(await moved('resume')).toEqual([200, 'active', undefined]);
  expect(await moved('exit')).toEqual([200, 'exited', undefined]);
  expect(await moved('exit')).toEqual([409, undefined, 'The enrollment is exited and cannot become exited']);
  const body = (await get(path)).body as { timeline: { kind: string }[] };
  expect(body).toMatchObject({ endReason: 'manual', waitingFor: null });
  expect(body.timeline.map(({ kind }) => kind)).toEqual(['paused', 'resumed', 'ended']);
});

test('another team’s, unknown and malformed ids are 404; no key is 401', async () => {
  const { path, campaignId } = await enrolled();
  const unknown = '00000000-0000-4000-8000-000000000000';
  const moves = ['pause', 'resume', 'exit'];
  for (const base of [path, `/api/campaigns/enrollments/${unknown}`, '/api/campaigns/enrollments/x']) {
    const answers = [await get(base, stranger)];
    for (const move of moves) answers.push(await post(`${base}/${move}`, stranger));
    for (const answer of answers) {
      expect([base, answer.status, answer.body]).toEqual([base, 404, { error: 'Enrollment not found' }]);
    }
  }
  for (const id of [campaignId, unknown, 'x']) {
    const answer = await get(`/api/campaigns/${id}`, stranger);
    expect([id, answer.status, answer.body]).toEqual([id, 404, { error: 'Campaign not found' }]);
  }
  expect((await get(path)).body).toMatchObject({ status: 'active' });
  for (const one of ['/api/campaigns', `/api/campaigns/${campaignId}`, path]) {
    expect((await calling.http().get(one)).status).toBe(401);
  }
});

describe('the list of enrollments', () => {
  let team: TeamClient;
  let campaigns: string[];
  let contacts: string[];

  beforeAll(async () => {
    team = await buildClient(calling.db, calling.api);
    const ids = async (build: () => Promise<{ id: string }>) =>
      (await Promise.all([build(), build(), build()])).map(({ id }) => id).sort();
    campaigns = await ids(() => buildCampaign(calling.db, team.teamId));
    contacts = await ids(() => buildContact(calling.db, team.teamId));
    for (const campaignId of campaigns) {
      for (const contactId of contacts) {
        expect((await team.post(ENROLLMENTS, { campaignId, contactId }))[0]).toBe(201);
      }
    }
  });

  async function list(query: string): Promise<{ items: Body[]; nextCursor?: string }> {
    const [status, body] = await team.get(`${ENROLLMENTS}?${query}`);
    expect(status).toBe(200);
    return body as { items: Body[]; nextCursor?: string };
  }

  test('of a contact in a campaign has the one enrollment', async () => {
    const [campaignId, contactId] = [campaigns[1], contacts[2]];
    const page = await list(`contactId=${contactId}&campaignId=${campaignId}`);
    expect(page).toEqual({ items: [expect.objectContaining({ contactId, campaignId, status: 'active' })] });
  });

  const newestFirst = (ids: string[]) => ids.toReversed();

  test('of a contact, and of a campaign: all of them, the newest first, and nothing else', async () => {
    const ofContact = await list(`contactId=${contacts[0]}`);
    expect(ofContact.items.map(({ campaignId }) => campaignId)).toEqual(newestFirst(campaigns));
    const ofCampaign = await list(`campaignId=${campaigns[0]?.toUpperCase()}`);
    expect(ofCampaign.items.map(({ contactId }) => contactId)).toEqual(newestFirst(contacts));
    expect(ofContact).toEqual({ items: expect.any(Array) as Body[] });
  });

  test('shows the same as the operator’s list of the campaign, with the same filters', async () => {
    const [campaignId = '', contactId = ''] = [campaigns[0], contacts[0]];
    const filters = [
      '',
      '&status=active',
      '&version=current',
      '&version=draft',
      '&waitingFor=no_steps',
      '&waitingFor=retry',
    ];
    for (const filter of filters) {
      const operators = `/teams/${team.teamId}/campaigns/${campaignId}/enrollments?limit=9${filter}`;
      const { items: shown } = (await calling.operator('get', operators)).body as { items: Body[] };
      expect([filter, await list(`campaignId=${campaignId}${filter}`)]).toEqual([filter, { items: shown }]);
      const own = shown.filter((item) => item.contactId === contactId);
      const both = await list(`campaignId=${campaignId}&contactId=${contactId}${filter}`);
      expect([filter, both]).toEqual([filter, { items: own }]);
    }
  });

  test('names the hold of a campaign, and finds its enrollments by it', async () => {
    await calling.db.query(`UPDATE enrollments SET waiting_for = 'retry' WHERE campaign_id = $1`, [
      campaigns[2],
    ]);
    await calling.db.query(`UPDATE campaigns SET status = 'paused' WHERE id = $1`, [campaigns[2]]);
    for (const query of [
      `contactId=${contacts[0]}&waitingFor=paused`,
      `campaignId=${campaigns[2]}&waitingFor=paused`,
    ]) {
      const { items } = await list(query);
      expect(new Set(items.map((item) => `${String(item.campaignId)} ${String(item.waitingFor)}`))).toEqual(
        new Set([`${campaigns[2]} paused`]),
      );
    }
  });

  test('is empty without enrollments', async () => {
    expect(await list(`contactId=${UNKNOWN_ID}`)).toEqual({ items: [] });
    expect(await list(`campaignId=${UNKNOWN_ID}&contactId=${contacts[0]}`)).toEqual({ items: [] });
  });

  test.each([
    ['contactId', () => contacts[1], 'campaignId', () => newestFirst(campaigns)],
    ['campaignId', () => campaigns[1], 'contactId', () => newestFirst(contacts)],
  ] as const)('pages of one %s continue each other', async (filter, id, other, expected) => {
    const seen: unknown[] = [];
    let cursor = '';
    for (;;) {
      const page = await list(`${filter}=${id()}&limit=2${cursor}`);
      seen.push(...page.items.map((item) => item[other]));
      if (page.nextCursor === undefined) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(expected());
  });

  test.each([
    ['', 'contactId or campaignId is required'],
    ['limit=5', 'contactId or campaignId is required'],
    ['contactId=', 'contactId must be a UUID'],
    ['contactId=x', 'contactId must be a UUID'],
    [`contactId=${UNKNOWN_ID}&campaignId=x`, 'campaignId must be a UUID'],
    [`contactId=${UNKNOWN_ID}&contactId=${UNKNOWN_ID}`, 'contactId must be sent once'],
    [`contactId[a]=${UNKNOWN_ID}`, 'is not a parameter of this list'],
    [`contactId=${UNKNOWN_ID}&status=ended`, 'status must be one of'],
    [`campaignId=${UNKNOWN_ID}&waitingFor=x&state=x`, 'waitingFor must be one of'],
    [`contactId=${UNKNOWN_ID}&limit=0`, 'limit must be a whole number'],
    [`contactId=${UNKNOWN_ID}&cursor=x`, 'cursor must be the nextCursor'],
    ...[
      ['x'],
      ['2026-13-01T00:00:00.000000Z', '1', UNKNOWN_ID],
      ['2026-11-01T00:00:00.000000Z', '-1', UNKNOWN_ID],
      ['2026-11-01T00:00:00.000000Z', '1', 'x'],
      ['2026-11-01T00:00:00.000000Z', '1', UNKNOWN_ID, 'x'],
    ].map((key): [string, string] => [
      `contactId=${UNKNOWN_ID}&cursor=${Buffer.from(JSON.stringify(key)).toString('base64url')}`,
      'cursor must be',
    ]),
  ])('GET /api/campaigns/enrollments?%s is 400', async (query, error) => {
    const answer = await team.get(`${ENROLLMENTS}?${query}`);
    expect(answer).toEqual([400, { error: expect.stringContaining(error) as string }]);
  });
});
