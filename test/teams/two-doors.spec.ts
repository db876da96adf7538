import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { Documentation } from '../../src/openapi/documentation.js';
import { type PlantedTeam, plantTeam } from '../openapi/planted-team.js';
import { PROBED, Prober } from '../openapi/prober.js';
import { createWorld, type World } from '../support/app.js';

// A team's key does with its own campaigns, agents and pools what the operator does.

type Row = Record<string, string>;

let world: World;
let app: NestExpressApplication;
let prober: Prober;
let team: PlantedTeam;
let foreign: PlantedTeam;

beforeAll(async () => {
  world = await createWorld(PROBED);
  app = await world.startApi();
  prober = new Prober(app, app.get(Documentation, { strict: false }).document);
  team = await plantTeam(world.db, 'own', '+14155551');
  foreign = await plantTeam(world.db, 'foreign', '+14155552');
});
afterAll(() => world.close());

const request = (method: 'get' | 'post' | 'patch' | 'delete', path: string, key = team.apiKey) =>
  supertest(app.getHttpServer())[method](`/api/${path}`).set('Authorization', `Bearer ${key}`);

async function change(method: 'post' | 'patch', path: string, body: object, status: number): Promise<Row> {
  return (await request(method, path).send(body).expect(status)).body as Row;
}

test('a campaign is made, published, paused and archived with the key', async () => {
  const fields = { name: 'Renewals', timezone: 'UTC', callingHours: null, promptTemplate: 'Hello' };
  const agent = await change('post', 'voice-agents', fields, 201);
  expect(agent).toMatchObject(fields);
  const campaign = await change('post', 'campaigns', { name: 'Spring' }, 201);
  expect(campaign).toMatchObject({ name: 'Spring', status: 'draft', draftVersionId: null });
  const versions = `campaigns/${campaign.id}/versions`;
  const definition = { steps: [{ key: 'first', agentId: agent.id }] };
  const draft = await change('post', versions, { definition }, 201);
  await change('post', `${versions}/${draft.id}/publish`, {}, 201);
  for (const status of ['active', 'paused']) {
    const changed = await change('patch', `campaigns/${campaign.id}`, { status }, 200);
    expect(changed).toMatchObject({ status, currentVersionId: draft.id });
  }
  const inUse = await request('delete', `voice-agents/${agent.id}`).expect(409);
  expect(inUse.body).toMatchObject({ reason: 'AGENT_IN_USE', campaigns: [campaign.id] });
  await change('post', `campaigns/${campaign.id}/archive`, {}, 201);
  await request('delete', `voice-agents/${agent.id}`).expect(204);
});

test('both doors give the same answer', async () => {
  for (const [own, operator] of [
    [`voice-agents/${team.agentId}`, 'voice-agents'],
    [`number-pools/${team.poolId}`, 'number-pools'],
    [`phone-numbers/${team.phoneNumberId}`, 'phone-numbers'],
    [`campaigns/${team.campaignId}/stats`, 'campaigns'],
    [`campaigns/${team.campaignId}/results?properties=plan`, 'campaigns'],
    [`campaigns/${team.campaignId}/versions?limit=1`, 'campaigns'],
    [`campaigns/${team.campaignId}/enrollments?status=active`, 'campaigns'],
  ] as const) {
    expect(own.startsWith(operator)).toBe(true);
    const byKey = await request('get', own).expect(200);
    const byOperator = await supertest(app.getHttpServer())
      .get(`/api/admin/teams/${team.teamId}/${own}`)
      .set('Authorization', `Bearer ${world.config.operatorToken}`)
      .expect(200);
    // The body of CSV is its text.
    const sent = [byKey, byOperator].map(({ body, text }) =>
      own.includes('/results') ? text : (body as unknown),
    );
    expect([own, sent[0]]).toEqual([own, sent[1]]);
  }
});

test('nothing of another team is found or changed', async () => {
  const rows = () =>
    world.db.query<Row[]>(
      `SELECT (SELECT json_agg(c ORDER BY id) FROM campaigns c WHERE team_id = $1) AS campaigns,
        (SELECT json_agg(v ORDER BY id) FROM campaign_versions v WHERE team_id = $1) AS versions,
        (SELECT json_agg(a ORDER BY id) FROM voice_agents a WHERE team_id = $1) AS agents,
        (SELECT json_agg(p ORDER BY id) FROM number_pools p WHERE team_id = $1) AS pools,
        (SELECT json_agg(m ORDER BY phone_number) FROM number_pool_members m WHERE team_id = $1) AS members,
        (SELECT json_agg(e ORDER BY id) FROM enrollments e WHERE team_id = $1) AS enrollments`,
      [foreign.teamId],
    );
  const before = await rows();
  const shared = prober.operations.filter(
    ({ operation, path }) =>
      operation.operationId.endsWith('ByKey') &&
      /^\/api\/(?:campaigns|voice-agents|number-pools|phone-numbers)\/{/.test(path),
  );
  expect(shared.length).toBeGreaterThan(18);
  for (const known of shared) {
    const { status, body } = await prober.ask(known, foreign, { token: team.apiKey });
    expect([known.operation.operationId, status, body]).toEqual([
      known.operation.operationId,
      404,
      { error: expect.stringMatching(/not found/) as string },
    ]);
  }
  expect(await rows()).toEqual(before);
});

test('a pool has numbers of the own team only', async () => {
  const phoneNumbers = [team.numbers.used, foreign.numbers.used];
  const refused = await change('post', 'number-pools', { name: 'Both', phoneNumbers }, 400);
  expect(refused.error).toBe('phoneNumbers[1] is not a phone number of the team');
});

test('a key names only carriers that the operator allows its team; the operator names any', async () => {
  const operated = async (method: 'post' | 'patch', path: string, body: object, status: number) =>
    (
      await request(method, `admin/teams/${team.teamId}${path}`, world.config.operatorToken)
        .send(body)
        .expect(status)
    ).body as Row;
  const fields = { name: 'Calls', timezone: 'UTC', callingHours: null };
  const refusals = async (agent: string) => {
    const refused = [];
    for (const [method, path, body] of [
      ['post', 'voice-agents', { ...fields, carrier: 'simulator' }],
      ['patch', `voice-agents/${agent}`, { carrier: 'simulator' }],
      ['patch', `voice-agents/${agent}`, { carrierSettings: { line: 1 } }],
    ] as const)
      refused.push((await change(method, path, body, 400)).error);
    return new Set(refused);
  };

  await operated('patch', '', { allowedCarriers: ['http', 'twilio'] }, 200);
  const me = await request('get', 'me').expect(200);
  expect(me.body).toMatchObject({ limits: { allowedCarriers: ['http', 'twilio'] } });
  const caller = { outboundPhoneNumber: team.numbers.used, carrier: 'simulator' };
  const agent = await operated('post', '/voice-agents', { ...fields, ...caller }, 201);
  expect(await refusals(agent.id ?? '')).toEqual(
    new Set(['carrier is not allowed for this team: it must be one of http, twilio, or null']),
  );
  await operated('patch', '', { allowedCarriers: [] }, 200);
  expect(await refusals(agent.id ?? '')).toEqual(
    new Set(['carrier is not allowed for this team: it must be null']),
  );

  // The agent keeps its carrier and calls by it, until its carrier is changed.
  const renamed = await change('patch', `voice-agents/${agent.id}`, { name: 'Renamed' }, 200);
  expect(renamed).toMatchObject({ name: 'Renamed', carrier: 'simulator' });
  await change('post', `voice-agents/${agent.id}/calls`, { phoneNumber: '+14155552671' }, 200);
  await change('patch', `voice-agents/${agent.id}`, { carrier: null, carrierSettings: {} }, 200);
  await change('patch', `voice-agents/${agent.id}`, { carrier: 'simulator' }, 400);
  await change('post', 'voice-agents', fields, 201);
  await operated('patch', '', { allowedCarriers: null }, 200);
  await change('patch', `voice-agents/${agent.id}`, { carrier: 'simulator' }, 200);
});

test('the key’s team counts, whatever else a request names', async () => {
  const path = `number-pools/${foreign.poolId}?teamId=${foreign.teamId}`;
  await request('get', path).expect(404);
  await request('get', `admin/teams/${team.teamId}/campaigns`).expect(401);
});

test('one team’s requests wait in a queue of their own', async () => {
  const held = world.db.createQueryRunner();
  await held.startTransaction();
  await held.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [team.twin.campaignId]);
  const patch = () => request('patch', `campaigns/${team.twin.campaignId}`).send({ name: 'Renamed' });
  const waiting = Array.from({ length: 30 }, () => patch().then(({ status }) => status));
  try {
    await request('get', `campaigns/${foreign.campaignId}/stats`, foreign.apiKey).expect(200);
    const other = request('patch', `campaigns/${foreign.campaignId}`, foreign.apiKey).send({ name: 'Other' });
    expect((await other).body).toMatchObject({ name: 'Other' });
  } finally {
    await held.rollbackTransaction();
    await held.release();
  }
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});

test('the forecasts of several teams take turns; a second one of a team is refused', async () => {
  const body = {
    from: '2027-03-22T09:00:00Z',
    until: '2027-03-29T09:00:00Z',
    concurrency: 10,
    seed: 7,
    assume: { completed: 0.4, no_answer: 0.5, seconds: 90 },
    contacts: 20_000,
  };
  const forecast = (one: PlantedTeam) =>
    request('post', `campaigns/${one.campaignId}/versions/${one.publishedVersionId}/forecast`, one.apiKey)
      .send(body)
      .then(({ status }) => status);
  expect((await Promise.all([forecast(team), forecast(team), forecast(foreign)])).sort()).toEqual([
    200, 200, 429,
  ]);
});
