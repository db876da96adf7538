import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import supertest from 'supertest';
import { createApi } from '../../src/api.js';
import { type Config } from '../../src/config/config.js';
import { loadConfig, loadWorkerConfig } from '../../src/configuration.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { WorkerModule } from '../../src/worker.module.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { attempt } from '../database/restricted.js';
import { OPERATOR_TOKEN } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { createEmptyDatabase, type TestDatabase, testDatabaseServer } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { testRedisPrefix } from '../support/redis.js';
import { withServer } from '../support/template.js';

// deploy/postgres/10-roles.sql, and both processes as it has them. Roles are the whole server's, which other
// tests share: here the two that log in have names of their own.

const suffix = randomBytes(4).toString('hex');
const OWNER = `outdial_owner_${suffix}`;
const LOGIN = `outdial_login_${suffix}`;
const ROLES = readFileSync(join(repositoryRoot(), 'deploy/postgres/10-roles.sql'), 'utf8')
  .replace(/\boutdial_login\b/g, LOGIN)
  .replace(/\boutdial\b/g, OWNER);

let database: TestDatabase;
let ownerUrl: string;
let loginUrl: string;
let api: NestExpressApplication;
let worker: INestApplicationContext;
let callers: Caller[];

beforeAll(async () => {
  database = await createEmptyDatabase();
  const administrator = new Client({ connectionString: database.url });
  await administrator.connect();
  // Twice, because an administrator may run it again.
  for (let run = 0; run < 2; run += 1) await administrator.query(ROLES);
  await administrator.query(`ALTER ROLE ${OWNER} PASSWORD 'owner-of-the-tests'`);
  await administrator.query(`ALTER ROLE ${LOGIN} PASSWORD 'login-of-the-tests'`);
  await administrator.end();
  ownerUrl = as(OWNER, 'owner-of-the-tests');
  loginUrl = as(LOGIN, 'login-of-the-tests');
  await migrate(ownerUrl);

  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: loginUrl,
    REDIS_URL: process.env.TEST_REDIS_URL,
    REDIS_PREFIX: testRedisPrefix(),
    CARRIER: 'simulator',
    API_RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    SIMULATOR_ACCEPT_MS: '5',
    SIMULATOR_RING_MS: '5',
    SIMULATOR_TALK_MS: '5',
  };
  const operator = { OPERATOR_TOKEN, DATABASE_OPERATOR_URL: ownerUrl };
  api = await createApi(loadConfig({ ...environment, ...operator }), false);
  await api.listen(0, '127.0.0.1');
  const config: Config = loadWorkerConfig(environment);
  worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    logger: false,
    abortOnError: false,
  });
  const db = await createDataSource(ownerUrl).initialize();
  callers = [await buildCaller(db), await buildCaller(db)];
  await db.destroy();
});
afterAll(async () => {
  await worker.close();
  await api.close();
  await database.drop();
  await withServer(testDatabaseServer(), (client) => client.query(`DROP ROLE ${OWNER}, ${LOGIN}`));
});

function as(user: string, password: string): string {
  return Object.assign(new URL(database.url), { username: user, password }).toString();
}

const http = () => supertest(api.getHttpServer());

test('the API and the worker run with a role that owns nothing', async () => {
  for (const { agentId, apiKey } of callers) {
    const phoneNumber = nextNumber();
    await http().post('/api/contacts').set(bearer(apiKey)).send({ phoneNumber }).expect(201);
    const answer = await http()
      .post(`/api/voice-agents/${agentId}/calls`)
      .set(bearer(apiKey))
      .send({ phoneNumber });
    const { callRequestId } = answer.body as { callRequestId: string };
    const ended = await eventually(
      async () =>
        (await http().get(`/api/calls/${callRequestId}`).set(bearer(apiKey))).body as { status: string },
      ({ status }) => status === 'completed',
    );
    expect(ended).toMatchObject({ phoneNumber });
  }
  // A check of a busy machine can take longer than its limit, once.
  const ready = await eventually(
    () => http().get('/health/ready'),
    ({ status }) => status === 200,
  );
  expect(ready.body).toMatchObject({ ready: true });
});

test('the operator’s surface sees every team with its own role', async () => {
  const teams = await http().get('/api/admin/teams').set(bearer(OPERATOR_TOKEN)).expect(200);
  const ids = (teams.body as { items: { id: string }[] }).items.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(callers.map(({ teamId }) => teamId)));
  await http().post('/api/admin/teams').set(bearer(OPERATOR_TOKEN)).send({ name: 'Another' }).expect(201);
});

describe('an attacker who controls the SQL of the processes', () => {
  let client: Client;
  beforeEach(async () => {
    client = new Client({ connectionString: loginUrl });
    await client.connect();
    await client.query('SET ROLE outdial_app');
    await client.query(`SELECT set_config('outdial.team_id', $1, false)`, [callers[0]?.teamId]);
  });
  afterEach(() => client.end());

  test('reads the rows of one team', async () => {
    expect(await attempt(client, 'SELECT DISTINCT team_id FROM contacts')).toEqual([
      { team_id: callers[0]?.teamId },
    ]);
  });

  test.each(['SET ROLE NONE', 'RESET ROLE', 'RESET SESSION AUTHORIZATION', 'DISCARD ALL'])(
    'reads no row after %s',
    async (leave) => {
      await client.query(leave);
      for (const table of ['contacts', 'call_requests', 'api_keys', 'teams', 'platform_settings']) {
        expect([table, await attempt(client, `SELECT * FROM ${table}`)]).toEqual([table, '42501']);
      }
      expect(await attempt(client, 'SELECT team_of_key($1)', [randomBytes(32)])).toBe('42501');
    },
  );

  test('becomes neither the owner nor a superuser, and disables no policy', async () => {
    for (const role of [OWNER, new URL(testDatabaseServer()).username]) {
      expect(await attempt(client, `SET ROLE "${role}"`)).toBe('42501');
      await client.query('SET ROLE NONE');
      expect(await attempt(client, `SET ROLE "${role}"`)).toBe('42501');
    }
    expect(await attempt(client, 'ALTER TABLE contacts DISABLE ROW LEVEL SECURITY')).toBe('42501');
    const roles = await attempt(
      client,
      `SELECT rolname FROM pg_roles WHERE rolname IN ('outdial_app', $1, $2)
         AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`,
      [OWNER, LOGIN],
    );
    expect(roles).toEqual([]);
  });
});
