import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildAgent, buildCall, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { OperationsClient, section, textOf } from '../operations/operations-client.js';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let team: Caller;
let other: Caller;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  pages = await OperationsClient.signedIn(app);
});
afterAll(() => world.close());
beforeEach(async () => {
  team = await buildCaller(world.db, { name: 'Clinics', monthly_call_limit: 100 });
  other = await buildCaller(world.db, { name: 'Garages' });
});

async function store(of: Caller, row: Record<string, unknown> = {}): Promise<string> {
  const phoneNumber = nextNumber();
  const contact = await buildContact(world.db, of.teamId, { phone_number: phoneNumber });
  const keys = {
    team_id: of.teamId,
    agent_id: of.agentId,
    contact_id: contact.id,
    phone_number: phoneNumber,
  };
  const { id } = await buildCall(world.db, { ...keys, ...row }, { status: 'scheduled' });
  return id;
}

async function statusOf(...ids: string[]): Promise<string[]> {
  const rows = await world.db.query<{ id: string; status: string }[]>(
    'SELECT id, status FROM call_requests WHERE id = ANY($1)',
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)?.status ?? 'missing');
}

function operator(path: string, body: object = {}) {
  return supertest(app.getHttpServer())
    .post(`/api/admin/teams/${team.teamId}/calls${path}`)
    .set('Authorization', `Bearer ${OPERATOR_TOKEN}`)
    .send(body);
}

describe('the operator’s API', () => {
  test('cancels a pending call, and refuses one that is not pending', async () => {
    const id = await store(team);
    const answer = await operator(`/${id}/cancel`).expect(200);
    expect(answer.body).toMatchObject({
      id,
      status: 'canceled',
      history: expect.arrayContaining([
        expect.objectContaining({ cause: 'canceled_by_operator' }),
      ]) as unknown,
    });
    expect((await operator(`/${id}/cancel`).expect(409)).body).toMatchObject({
      error: 'The call is canceled and can no longer be canceled',
    });
    await operator(`/${await store(other)}/cancel`).expect(404);
  });

  test('counts the calls that match, and cancels them and no others', async () => {
    const { id: secondAgent } = await buildAgent(world.db, team.teamId);
    const ofAgent = [await store(team), await store(team)];
    const others = [await store(team, { agent_id: secondAgent }), await store(other)];
    const which = { status: 'scheduled', agentId: team.agentId };
    const counted = await operator('/cancel', { ...which, dryRun: true }).expect(200);
    expect(counted.body).toEqual({ matching: 2, canceled: 0, remaining: 2 });
    expect(await statusOf(...ofAgent)).toEqual(['scheduled', 'scheduled']);
    const done = await operator('/cancel', which).expect(200);
    expect(done.body).toEqual({ matching: 2, canceled: 2, remaining: 0 });
    expect(await statusOf(...ofAgent)).toEqual(['canceled', 'canceled']);
    expect(await statusOf(...others)).toEqual(['scheduled', 'scheduled']);
  });

  test('a number of calls beyond one transaction is canceled, each once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 230; n += 1) ids.push(await store(team));
    const answers = await Promise.all(
      [1, 2, 3].map(() => operator('/cancel', { status: 'scheduled' }).expect(200)),
    );
    const canceled = answers.map(({ body }) => (body as { canceled: number }).canceled);
    expect(canceled.reduce((sum, count) => sum + count, 0)).toBe(230);
    expect(new Set(await statusOf(...ids))).toEqual(new Set(['canceled']));
  });

  test('names what is wrong, and cancels nothing without a filter', async () => {
    const id = await store(team);
    expect((await operator('/cancel').expect(400)).body).toMatchObject({
      error: expect.stringContaining('At least one of status, agentId') as unknown,
    });
    await operator('/cancel', { dryRun: true }).expect(400);
    expect((await operator('/cancel', { status: 'dialing' }).expect(400)).body).toMatchObject({
      error: 'status must be one of scheduled, queued',
    });
    expect(await statusOf(id)).toEqual(['scheduled']);
  });
});

describe('the pages', () => {
  test('a scheduled call is canceled on its page', async () => {
    const id = await store(team);
    const path = `/t/${team.teamId}/calls/${id}`;
    const answer = await pages.submit(path, `${path}/cancel`);
    expect(answer.headers.location).toBe(path);
    const page = await pages.page(path);
    expect(page).toContain('The call is canceled.');
    expect(textOf(page)).toContain('Not called: an operator canceled it.');
    expect(page).not.toContain(`${path}/cancel`);
  });

  test('the calls of a list are canceled after their count was shown', async () => {
    const ids = [await store(team), await store(team)];
    const list = `/t/${team.teamId}/calls?status=scheduled&agentId=${team.agentId}`;
    expect(await pages.page(list)).toContain('id="cancel-many"');
    const asked = `/t/${team.teamId}/calls/cancel?status=scheduled&agentId=${team.agentId}`;
    expect(section(await pages.page(asked), 'cancel')).toContain('Yes, cancel 2 calls');
    await pages.submit(asked, `/t/${team.teamId}/calls/cancel`);
    expect(await statusOf(...ids)).toEqual(['canceled', 'canceled']);
  });

  test('a list that other filters narrow, or that shows calls of all teams, offers no cancellation', async () => {
    await store(team);
    for (const list of [
      `/t/${team.teamId}/calls?status=scheduled&due=next24h`,
      '/platform/calls?status=scheduled',
      `/t/${team.teamId}/calls`,
    ])
      expect(await pages.page(list)).not.toContain('cancel-many');
  });
});
