import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type DataSource } from 'typeorm';
import { SimulatorCarrier } from '../../src/carriers/simulator/simulator.carrier.js';
import { SimulatorServer } from '../../src/carriers/simulator/simulator-server.js';
import { createDataSource } from '../../src/database/data-source.js';
import { HTTP_SECRET } from '../carriers/support.js';
import { buildPhoneNumber, buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

let database: TestDatabase;
let db: DataSource;
let status = 404;
let requests: string[] = [];
const runtime = createServer((request, response) => {
  requests.push(request.method ?? '');
  response.writeHead(status).end('{}');
});
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  await new Promise<void>((resolve) => runtime.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}/calls`;
});
afterAll(async () => {
  await new Promise((resolve) => runtime.close(resolve));
  await db.destroy();
  await database.drop();
});
beforeEach(() => {
  status = 404;
  requests = [];
});

const HTTP = () => ({
  CARRIER: 'http',
  HTTP_CARRIER_URL: url,
  HTTP_CARRIER_SECRET: HTTP_SECRET,
  HTTP_CARRIER_ALLOW_PRIVATE: 'true',
  PUBLIC_URL: 'https://outdial.example.com',
});
const cli = (env: NodeJS.ProcessEnv = {}) => new CliTerminal(database, env);

test('without a name, configured carriers are checked, and the others are listed with what they lack', async () => {
  expect(await cli({ CARRIER: 'simulator' }).run('carrier', 'check')).toEqual({
    code: 0,
    told: '',
    out: [
      'simulator (default): works',
      '  ok      simulator            part of the worker; no telephone will ring',
      'http: not configured (HTTP_CARRIER_SECRET, PUBLIC_URL)',
      'twilio: not configured (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, PUBLIC_URL)',
      'livekit: not configured (LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET)',
      'retell: not configured (PUBLIC_URL)',
      'vapi: not configured (PUBLIC_URL)',
      'elevenlabs: not configured (PUBLIC_URL)',
    ].join('\n'),
  });
});

test('a check that passes is shown as a table and as JSON, without a call', async () => {
  const said = await cli(HTTP()).run('carrier', 'check', 'http');
  expect(said).toMatchObject({ code: 0, told: '' });
  expect(said.out).toBe(
    [
      'http (default): works',
      '  ok      HTTP_CARRIER_URL     answers',
      '  ok      HTTP_CARRIER_SECRET  is taken',
    ].join('\n'),
  );
  expect(await cli(HTTP()).json('carrier', 'check', 'http')).toMatchObject({
    ok: true,
    carriers: [{ carrier: 'http', configured: true, isDefault: true, ok: true }],
  });
  expect(requests).toEqual(['GET', 'GET']);
});

test('a check that fails exits with 1, also among others and in JSON', async () => {
  status = 401;
  for (const args of [['http'], [], ['http', '--json'], ['--json']]) {
    const said = await cli(HTTP()).run('carrier', 'check', ...args);
    expect([args, said.code]).toEqual([args, 1]);
    expect(said.out).not.toContain(HTTP_SECRET);
  }
  expect((await cli(HTTP()).run('carrier', 'check')).out).toContain(
    'FAILED  HTTP_CARRIER_SECRET  answered 401',
  );
});

test('a named or default carrier that is not configured fails', async () => {
  expect(await cli().run('carrier', 'check', 'http')).toMatchObject({
    code: 1,
    out: 'http: not configured (HTTP_CARRIER_SECRET, PUBLIC_URL)',
  });
  expect((await cli({ CARRIER: 'http' }).run('carrier', 'check')).code).toBe(1);
});

test('invalid variables and names are wrong usage, and no value is shown', async () => {
  const bad = await cli({ ...HTTP(), HTTP_CARRIER_SECRET: 'hush-hush-hush' }).run('carrier', 'check');
  expect(bad.code).toBe(2);
  expect(bad.told).toContain('HTTP_CARRIER_SECRET: must be whsec_');
  expect(bad.told).not.toContain('hush');
  const plain = await cli({ ...HTTP(), HTTP_CARRIER_ALLOW_PRIVATE: 'false' }).run('carrier', 'check');
  expect(plain).toMatchObject({ code: 2 });
  expect(plain.told).toContain('HTTP_CARRIER_URL: must be an https:// URL');
  expect(await cli().run('carrier', 'check', 'pigeon')).toMatchObject({ code: 2 });
});

test('the check of the simulator as a process requests it', async () => {
  const simulator = new SimulatorServer({});
  const env = { SIMULATOR_URL: `http://127.0.0.1:${await simulator.listen(0, '127.0.0.1')}` };
  expect((await cli(env).run('carrier', 'check', 'simulator')).code).toBe(0);
  await simulator.close();
  const said = await cli(env).run('carrier', 'check', 'simulator');
  expect(said).toMatchObject({ code: 1 });
  expect(said.out).toContain('FAILED  SIMULATOR_URL  carrier_unreachable');
});

test('the check requests each number that calls can be made from, once', async () => {
  const [{ id: one }, { id: two }] = [await buildTeam(db), await buildTeam(db)];
  await buildPhoneNumber(db, one, { phone_number: '+14155550101' });
  await buildPhoneNumber(db, two, { phone_number: '+14155550101' });
  await buildPhoneNumber(db, two, { phone_number: '+14155550102', active: false });
  await buildPhoneNumber(db, two, { phone_number: '+14155550103', outbound_enabled: false });
  const check = jest.spyOn<{ check(numbers: readonly string[]): unknown }, 'check'>(
    SimulatorCarrier.prototype,
    'check',
  );
  await cli().run('carrier', 'check', 'simulator');
  expect(check.mock.calls[0]).toEqual([['+14155550101'], expect.anything(), { settings: [] }]);
  check.mockRestore();
});
