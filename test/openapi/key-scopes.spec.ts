import { createHash, randomBytes } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { scopesText, KEY_SCOPES, type KeyScope } from '../../src/domain/key-scopes.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { ApiKeysService } from '../../src/teams/api-keys.service.js';
import { KeyUses } from '../../src/teams/key-uses.service.js';
import { createWorld, type World } from '../support/app.js';
import { buildApiKey } from '../support/builders.js';
import { moveClock, stopClock } from '../support/clock.js';
import { type KnownOperation } from './conformance.js';
import { type PlantedTeam, plantTeam } from './planted-team.js';
import { PROBED, Prober, UNKNOWN_ID } from './prober.js';
import { routesOfApp, rulesOfApp } from './routes-of-app.js';

let world: World;
let app: NestExpressApplication;
let prober: Prober;
let team: PlantedTeam;

beforeAll(async () => {
  world = await createWorld(PROBED);
  app = await world.startApi();
  prober = new Prober(app, app.get(Documentation, { strict: false }).document);
  team = await plantTeam(world.db, 'planted', '+14155551');
});
afterAll(() => world.close());
afterEach(() => moveClock(world.db, '0 seconds'));

/** Routes that take a team's key: all below /api but the operator's and the carriers'. */
const OF_TEAMS = /^\w+ \/api\/(?!admin(?:\/|$)|carriers\/)/;

const declaredRules = () => rulesOfApp(app);

async function keyWith(scopes: KeyScope[] | null, row: object = {}): Promise<string> {
  const key = `od_test_${randomBytes(16).toString('hex')}`;
  const keyHash = createHash('sha256').update(key).digest();
  await buildApiKey(world.db, team.teamId, { key_hash: keyHash, scopes, ...row });
  return key;
}

const nameOf = ({ method, path }: KnownOperation) => `${method} ${path}`;
const isTrigger = ({ operation }: KnownOperation) => operation.operationId === 'triggerCall';

/** A request that needs no more than its route does. */
function ask(known: KnownOperation, token: string) {
  const body = known.operation.operationId === 'createContact' ? { phoneNumber: '+14155550990' } : undefined;
  return prober.ask(known, team, { token, body });
}

test('every route of the application that takes a team’s key declares its scopes', () => {
  const rules = declaredRules();
  const routes = routesOfApp(app).filter((route) => OF_TEAMS.test(route));
  expect(routes.length).toBeGreaterThan(25);
  expect(routes.filter((route) => rules.get(route) === undefined)).toEqual([]);
});

test('each scope opens exactly the routes that declare it', async () => {
  const rules = declaredRules();
  const operations = prober.operations.filter((known) => OF_TEAMS.test(nameOf(known)));
  const table: Record<string, Record<string, boolean>> = {};
  const answered: typeof table = {};
  for (const scope of KEY_SCOPES) {
    const token = await keyWith([scope]);
    for (const known of operations) {
      const rule = rules.get(nameOf(known)) ?? [];
      const { status, body } = await ask(known, token);
      const isRefused = isTrigger(known) ? body.reason === 'INVALID_API_KEY' : status === 403;
      (table[nameOf(known)] ??= {})[scope] = rule.every((group) => group.includes(scope));
      (answered[nameOf(known)] ??= {})[scope] = !isRefused;
      if (!isRefused) continue;
      const missing = scopesText(rule.filter((group) => !group.includes(scope)));
      const refusal = isTrigger(known)
        ? { message: 'Invalid API Key for agent' }
        : { error: `The API key lacks the scope ${missing}` };
      expect([nameOf(known), body]).toEqual([nameOf(known), expect.objectContaining(refusal)]);
    }
  }
  expect(answered).toEqual(table);
  // Neither all nor nothing is allowed.
  const cells = Object.values(table).flatMap((row) => Object.values(row));
  expect(cells.length).toBe(operations.length * KEY_SCOPES.length);
  expect(new Set(cells)).toEqual(new Set([true, false]));
});

test('a key without a list of scopes has them all', async () => {
  const token = await keyWith(null);
  for (const known of prober.operations.filter((one) => OF_TEAMS.test(nameOf(one)))) {
    const { status, body } = await ask(known, token);
    expect([nameOf(known), status === 403, body.reason === 'INVALID_API_KEY']).toEqual([
      nameOf(known),
      false,
      false,
    ]);
  }
});

test('the document names the scopes of each operation', () => {
  const rules = declaredRules();
  for (const known of prober.operations.filter((one) => OF_TEAMS.test(nameOf(one)))) {
    const rule = rules.get(nameOf(known)) ?? [];
    const { security, description = '' } = known.operation;
    for (const scope of KEY_SCOPES) {
      const isEnough = security.some(({ teamKey = [] }) => teamKey.every((needed) => needed === scope));
      expect([nameOf(known), scope, isEnough]).toEqual([
        nameOf(known),
        scope,
        rule.every((group) => group.includes(scope)),
      ]);
    }
    expect([nameOf(known), description.includes('Needs the scope')]).toEqual([
      nameOf(known),
      rule.length > 0,
    ]);
  }
});

describe('what the contract does in two steps', () => {
  test('creating a contact with a campaignId needs the scope of enrollments as well', async () => {
    const create = prober.named('createContact');
    const body = { phoneNumber: '+14155550989', campaignId: team.campaignId };
    const one = await prober.ask(create, team, { token: await keyWith(['contacts']), body });
    expect([one.status, one.body.error]).toEqual([403, 'The API key lacks the scope enrollments']);
    const both = await prober.ask(create, team, {
      token: await keyWith(['contacts', 'enrollments']),
      body,
    });
    expect(both.status).toBe(201);
  });

  test('create-and-enroll needs both scopes, with and without a campaignId', async () => {
    const known = prober.named('createContactAndEnroll');
    const body = { phoneNumber: '+14155550988' };
    for (const scope of ['contacts', 'enrollments'] as const) {
      const token = await keyWith([scope]);
      expect((await prober.ask(known, team, { token, body })).status).toBe(403);
    }
    const token = await keyWith(['contacts', 'enrollments']);
    expect((await prober.ask(known, team, { token, body })).status).toBe(200);
  });
});

test('an unknown agent is answered before a missing scope, as before a wrong key', async () => {
  const token = await keyWith(['contacts']);
  const trigger = prober.named('triggerCall');
  const { body } = await prober.ask(trigger, team, { token, path: { agentId: UNKNOWN_ID } });
  expect(body.reason).toBe('AGENT_NOT_FOUND');
});

test('the body of a request without the scope is not read', async () => {
  const known = prober.named('createContact');
  const token = await keyWith(['calls']);
  expect((await prober.ask(known, team, { token, body: JSON.stringify('x'.repeat(300_000)) })).status).toBe(
    403,
  );
});

test('a key that expires is unknown from then on, also where it was used a moment ago', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = await keyWith(null, { expires_at: expiresAt });
  const operations = [
    'triggerCall',
    'createContact',
    'enrollContact',
    'createContactAndEnroll',
    'getContact',
  ];
  const reads = operations.map((name) => prober.named(name));
  for (const known of reads) {
    const { body } = await prober.ask(known, team, { token });
    expect([body.error === 'Invalid API key', body.reason === 'INVALID_API_KEY']).toEqual([false, false]);
  }
  await moveClock(world.db, '2 hours');
  for (const known of reads) {
    const { status, body } = await prober.ask(known, team, { token });
    const refusal = isTrigger(known) ? [500, 'INVALID_API_KEY'] : [401, 'Invalid API key'];
    expect([nameOf(known), status, body.reason ?? body.error]).toEqual([nameOf(known), ...refusal]);
  }
});

test('the operator sees the minute in which a key was last used, once it is written', async () => {
  const keys = app.get(ApiKeysService, { strict: false });
  const { id, key } = await keys.create(team.teamId, { name: 'CRM' });
  await stopClock(world.db, '2026-11-20T14:00:30Z');
  await prober.ask(prober.named('getOwnKey'), team, { token: key });
  const shown = async () => (await prober.ask(prober.named('getApiKey'), team, { path: { id } })).body;
  expect(await shown()).toMatchObject({ lastUsedAt: null });
  await app.get(KeyUses, { strict: false }).write();
  expect(await shown()).toMatchObject({ lastUsedAt: '2026-11-20T14:00:00.000Z' });
});

test('every key reads what it is and may do', async () => {
  await world.db.query(
    'UPDATE teams SET monthly_call_limit = 100, number_daily_limit = 2, max_concurrent_calls = 5 WHERE id = $1',
    [team.teamId],
  );
  await world.db.query(
    `INSERT INTO plan_usage (team_id, month, shard, used)
     SELECT $1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, shard, 3 FROM generate_series(98, 99) shard`,
    [team.teamId],
  );
  const own = prober.named('getOwnKey');
  const limited = await prober.ask(own, team, {
    token: await keyWith(['read', 'calls'], { name: 'Reports' }),
  });
  expect(limited).toEqual({
    status: 200,
    body: {
      teamId: team.teamId,
      teamName: 'planted team',
      keyName: 'Reports',
      scopes: ['calls', 'read'],
      limits: {
        apiRequestsPerSecond: null,
        allowedCarriers: null,
        monthlyCallLimit: 100,
        monthlyCallsUsed: expect.any(Number) as number,
        numberDailyLimit: 2,
        numberWeeklyLimit: null,
        numberMonthlyLimit: null,
        maxConcurrentCalls: 5,
      },
    },
  });
  const { monthlyCallsUsed } = limited.body.limits as { monthlyCallsUsed: number };
  expect(monthlyCallsUsed).toBeGreaterThanOrEqual(6);
  const all = await prober.ask(own, team, { token: await keyWith(null) });
  expect(all.body.scopes).toEqual([...KEY_SCOPES]);
  await world.db.query('UPDATE teams SET monthly_call_limit = NULL WHERE id = $1', [team.teamId]);
  const { body } = await prober.ask(own, team, { token: await keyWith(null) });
  expect(body.limits).toMatchObject({ monthlyCallLimit: null, monthlyCallsUsed: null });
});
