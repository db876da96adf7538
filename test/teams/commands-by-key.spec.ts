import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { COMMANDS } from '../../src/cli/commands.js';
import { temporaryDirectory } from '../carriers/support.js';
import { type PlantedTeam, plantTeam } from '../openapi/planted-team.js';
import { createWorld, type World } from '../support/app.js';
import { buildApiKey, buildCampaign } from '../support/builders.js';
import { CliTerminal, type Said } from '../cli/terminal.js';

// Commands with OUTDIAL_URL and OUTDIAL_API_KEY, and without a database.

const ERASURE_KEY = 'erasure-key-of-the-tests';

const directory = temporaryDirectory();
let world: World;
let url: string;
let team: PlantedTeam;
let cli: CliTerminal;
let inProcess: CliTerminal;

beforeAll(async () => {
  world = await createWorld({ erasureKey: ERASURE_KEY });
  const app = await world.startApi();
  await world.startWorker();
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  team = await plantTeam(world.db, 'own', '+14155551');
  cli = withKey(team.apiKey);
  const database = { url: world.config.databaseUrl, drop: () => Promise.resolve() };
  inProcess = new CliTerminal(database, { ERASURE_KEY });
});
afterAll(async () => {
  await world.close();
  directory.remove();
});

function withKey(key: string, environment: NodeJS.ProcessEnv = {}): CliTerminal {
  return new CliTerminal(null, { OUTDIAL_URL: url, OUTDIAL_API_KEY: key, ...environment });
}

async function keyOf(row: object): Promise<string> {
  const key = `od_test_${'k'.repeat(20)}${JSON.stringify(row).length}`;
  await buildApiKey(world.db, team.teamId, {
    key_hash: createHash('sha256').update(key).digest(),
    ...row,
  });
  return key;
}

function file(name: string, content: string | Buffer): string {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
}

/** A command within this process, in the team of the key. */
const asOperator = (...words: string[]) => inProcess.json(...words, '--team', team.teamId);

test('reads of both doors are the same as in process', async () => {
  for (const words of [
    ['agent', 'show', team.agentId],
    ['number', 'show', team.phoneNumberId],
    ['pool', 'show', team.poolId],
    ['campaign', 'stats', team.campaignId],
    ['campaign', 'versions', team.campaignId],
    ['campaign', 'version', team.campaignId, team.publishedVersionId],
    ['campaign', 'enrollments', team.campaignId, '--status', 'active'],
    ['enrollment', 'show', team.activeEnrollmentId, '--campaign', team.campaignId],
    ['contact', 'list', '--limit', '1'],
    ['import', 'list'],
    ['import', 'show', team.importId],
    ['webhook', 'list'],
    ['dnc', 'list'],
  ]) {
    expect([words, await cli.json(...words)]).toEqual([words, await asOperator(...words)]);
  }
});

test('agents, pools and campaigns are made, changed and deleted', async () => {
  const fields = ['--name', 'Ann', '--timezone', 'UTC', '--calling-hours', 'any'];
  const agent = await cli.json<{ id: string }>('agent', 'create', ...fields);
  expect(await cli.json('agent', 'update', agent.id, '--name', 'Bea')).toMatchObject({ name: 'Bea' });
  const pool = await cli.json('pool', 'create', '--name', 'West', '--phone-numbers', team.numbers.used);
  expect(pool).toMatchObject({ phoneNumbers: [team.numbers.used] });

  const created = await cli.json<{ id: string }>('campaign', 'create', '--name', 'Made by a key');
  expect(created).toMatchObject({ pacing: { callsPerMinute: 60 } });
  const definition = JSON.stringify({ steps: [{ key: 'first', agentId: agent.id }] });
  // The campaign is found by its name, in any case.
  const draft = await cli.json('campaign', 'draft', 'made BY a key', '--definition', definition);
  expect(draft).toMatchObject({ campaignId: created.id, status: 'draft' });
  expect(await cli.json('campaign', 'publish', 'Made by a key')).toMatchObject({ id: draft.id });
  expect(await cli.json('campaign', 'resume', 'Made by a key')).toMatchObject({ status: 'active' });
  expect(await cli.json('campaign', 'update', created.id, '--pacing', '{"weight": 2}')).toMatchObject({
    pacing: { callsPerMinute: 60, weight: 2 },
  });
  expect(await cli.json('campaign', 'archive', created.id)).toMatchObject({ status: 'archived' });
  expect(await cli.run('agent', 'delete', agent.id)).toMatchObject({
    code: 0,
    out: 'Deleted: no new call names this agent.',
  });
  const shown = await cli.run('campaign', 'show', 'Made by a key');
  expect(shown.out).toMatch(/^id +\S+\n/);
});

test('a name that several campaigns have is wrong usage, and an unknown one is not found', async () => {
  const ids = [];
  for (let n = 0; n < 2; n += 1) ids.push((await buildCampaign(world.db, team.teamId, { name: 'Twice' })).id);
  const several = await cli.run('campaign', 'show', 'twice');
  expect(several.code).toBe(2);
  for (const id of ids) expect(several.told).toContain(id);
  expect(await cli.run('campaign', 'show', 'Nowhere')).toMatchObject({
    code: 1,
    told: expect.stringMatching(/^Campaign not found\./) as string,
  });
});

test('calls are listed, shown, exported and canceled', async () => {
  const listed = await cli.run('call', 'list', '--status', 'scheduled');
  expect(listed).toMatchObject({ code: 0, told: '' });
  expect(listed.out).toMatch(
    new RegExp(`^CALL REQUEST ID +PHONE NUMBER .*\\n(?:.*\\n)*${team.scheduledCallId} `),
  );
  expect((await cli.run('call', 'show', team.completedCallId)).out).toContain('What happened:');
  const path = join(directory.path, 'calls.csv');
  const copy = join(directory.path, 'calls-in-process.csv');
  const { rows } = await asOperator('call', 'export', copy);
  expect(await cli.run('call', 'export', path)).toMatchObject({
    code: 0,
    out: `${String(rows)} calls in ${path}.`,
  });
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(copy, 'utf8'));
  expect(await cli.json('call', 'cancel', team.scheduledCallId)).toMatchObject({ status: 'canceled' });
  const again = await cli.run('call', 'cancel', team.scheduledCallId);
  const operators = await inProcess.run('call', 'cancel', team.scheduledCallId, '--team', team.teamId);
  expect(again).toEqual(operators);
});

test('contacts are exported as the API sends them, and erased', async () => {
  const path = join(directory.path, 'contacts.ndjson');
  const { rows } = await cli.json<{ rows: number }>('contact', 'export', path);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(rows);
  const csv = join(directory.path, 'contacts.csv');
  expect(await cli.json('contact', 'export', csv, '--bom')).toEqual({ file: csv, rows });
  expect(await cli.run('contact', 'export', csv)).toMatchObject({
    code: 2,
    told: expect.stringContaining(`${csv} exists already`) as string,
  });
  const refused = join(directory.path, 'refused.csv');
  expect(await cli.run('call', 'export', refused, '--status', 'none')).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^--status must be one of /) as string,
  });
  expect(() => readFileSync(refused)).toThrow('ENOENT');
  expect(await cli.run('contact', 'erase', team.looseContactId)).toMatchObject({ code: 0, out: 'Erased.' });
});

test('numbers go to the Do Not Call list, also those of a file, which the API reads', async () => {
  expect(await cli.run('dnc', 'add', '+14155550111', 'no number', '--reason', 'asked')).toEqual({
    code: 1,
    out: 'Added 1 to the Do Not Call list; 0 were on it before, 1 were bad.',
    told: 'Number 2 is not a phone number',
  });
  await world.db.query(`UPDATE teams SET default_country = 'US' WHERE id = $1`, [team.teamId]);
  const bad = Array.from({ length: 150 }, (_, n) => `no number ${n === 3 ? '' : 'at all'}`);
  const path = file('numbers.txt', ['# asked', '(415) 555-0112', ...bad, '', '+14155550111'].join('\n'));
  const said = await cli.run('dnc', 'add', '--file', path);
  expect(said).toMatchObject({
    code: 1,
    out: 'Added 1 to the Do Not Call list; 1 were on it before, 150 lines were bad.',
  });
  const operators = await inProcess.run('dnc', 'add', '--file', path, '--team', team.teamId);
  expect(said.told).toBe(operators.told);
  const none = file('none.txt', bad.join('\n'));
  expect(await cli.run('dnc', 'add', '--file', none)).toMatchObject({
    code: 1,
    out: 'Added 0 to the Do Not Call list; 0 were on it before, 150 lines were bad.',
  });
  expect(await cli.run('dnc', 'remove', '+14155550111', '+14155550119')).toEqual({
    code: 1,
    out: 'Removed 1.',
    told: '+14155550119 is not on the Do Not Call list',
  });
});

test('a file is imported, also compressed; failed rows are told, and are the exit code', async () => {
  const { id } = await buildCampaign(world.db, team.teamId, { name: 'Imported' });
  const rows = ['Mobile,name', '+14152000000,Ada', '+1x,Bea', '+14152000001,Cy'].join('\n');
  const path = file('people.csv.gz', gzipSync(rows));
  const said = await cli.run('import', path, '--campaign', 'imported', '--map', 'Mobile:phoneNumber');
  expect(said.code).toBe(1);
  expect(said.out).toMatch(/^The import is finished: 3 rows, 2 created, 0 updated, 2 enrolled, 1 failed\.\n/);
  expect(said.told).toContain(`${path}: row 2: `);
  expect(await cli.json('campaign', 'stats', id)).toMatchObject({ enrolled: 2 });
  const detached = await cli.json('import', file('more.csv', 'phoneNumber\n+14152000002\n'), '--detach');
  expect(detached).toMatchObject({ rows: 1 });
  expect(await cli.run('import', file('bad.csv', 'name\nAda\n'))).toMatchObject({
    code: 2,
    told: expect.stringContaining('The header must have the column phoneNumber') as string,
  });
  expect(await cli.run('import', join(directory.path, 'missing.csv'))).toMatchObject({
    code: 2,
    told: expect.stringContaining('cannot be read (ENOENT)') as string,
  });
});

test('a large file that is refused at its beginning is reported with the reason', async () => {
  const path = file('large.csv', `name\n${'Ada Lovelace\n'.repeat(2_000_000)}`);
  expect(await cli.run('import', path)).toMatchObject({
    code: 2,
    told: expect.stringContaining('The header must have the column phoneNumber') as string,
  });
});

test('what is refused is refused in the words and with the exit codes of the command in process', async () => {
  const both = async (...words: string[]): Promise<[Said, Said]> => [
    await cli.run(...words),
    await inProcess.run(...words, '--team', team.teamId),
  ];
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const words of [
    ['agent', 'show', unknown],
    ['agent', 'show', 'nonsense'],
    ['agent', 'update', team.agentId, '--timezone', 'Mars'],
    ['agent', 'update', team.agentId],
    ['agent', 'create', '--name', 'A'],
    ['campaign', 'update', team.campaignId, '--pacing', '{"weight": 0}'],
    ['pool', 'create', '--name', 'A', '--phone-numbers', '+14155550999'],
    ['contact', 'list', '--limit', '0'],
    ['webhook', 'retry', unknown],
  ]) {
    const [byKey, operators] = await both(...words);
    expect(operators.code).toBeGreaterThan(0);
    expect([words, byKey]).toEqual([words, operators]);
  }
  for (const id of ['', '.', '..']) {
    expect(await cli.run('agent', 'show', id)).toMatchObject({ code: 1, told: 'Not found.' });
  }
});

test('a field that only the operator has is wrong usage', async () => {
  expect(await cli.run('call', 'list', '--reason', 'DO_NOT_CALL')).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^--reason is only for the operator/) as string,
  });
});

/** The first word, or the whole name, of the commands that only the operator has. */
const OPERATOR_ONLY = /^(?:team|key|whitelist|carrier|platform) |^(?:zones|pause|resume|stop)$/;
const ALSO = new Set(['number add', 'number update', 'dnc check', 'call explain', 'call resolve']);

test('commands that only the operator has are refused with the reason', async () => {
  const refused: string[] = [];
  for (const { name, args = [] } of COMMANDS) {
    const ids = args.filter((arg) => !arg.startsWith('[')).map(() => team.completedCallId);
    if (!OPERATOR_ONLY.test(name) && !ALSO.has(name)) continue;
    const { code, out, told } = await cli.run(...name.split(' '), ...ids);
    expect([name, code, out]).toEqual([name, 2, '']);
    expect(told).toMatch(new RegExp(`^\`${name}\` needs the operator: no key has .*OUTDIAL_API_KEY are set`));
    refused.push(name);
  }
  expect(refused.length).toBeGreaterThan(25);
  expect(await cli.run('call', 'cancel', '--status', 'scheduled')).toMatchObject({
    code: 2,
    told: expect.stringContaining('no key has the operation cancelCalls') as string,
  });
});

test('the key names the team', async () => {
  expect(await cli.run('agent', 'list', '--team', team.teamId)).toMatchObject({ code: 0 });
  expect(await cli.run('agent', 'list', '--team', 'OWN team')).toMatchObject({ code: 0 });
  expect(await cli.run('agent', 'list', '--team', 'other')).toMatchObject({
    code: 2,
    told: expect.stringMatching(/^OUTDIAL_API_KEY is of the team "own team", not of --team other/) as string,
  });
  const elsewhere = withKey(team.apiKey, { OUTDIAL_TEAM: 'other' });
  expect(await elsewhere.run('agent', 'list')).toMatchObject({ code: 0 });
});

test('one of the two variables, or a bad one, is an error that names the variable and no value', async () => {
  const cases: [environment: NodeJS.ProcessEnv, told: string][] = [
    [{ OUTDIAL_URL: url }, 'OUTDIAL_API_KEY: is missing, and OUTDIAL_URL is set'],
    [{ OUTDIAL_API_KEY: 'hush' }, 'OUTDIAL_URL: is missing, and OUTDIAL_API_KEY is set'],
    [{ OUTDIAL_URL: 'hush', OUTDIAL_API_KEY: 'hush' }, 'OUTDIAL_URL: must be an http:// or https:// URL'],
    [{ OUTDIAL_URL: 'http://me:hush@x', OUTDIAL_API_KEY: 'hush' }, 'OUTDIAL_URL: must have no user'],
    [{ OUTDIAL_URL: url, OUTDIAL_API_KEY: 'hush hush' }, 'OUTDIAL_API_KEY: must be an API key'],
  ];
  for (const [environment, told] of cases) {
    const said = await new CliTerminal(null, environment).run('agent', 'list');
    expect(said).toMatchObject({ code: 2, out: '', told: expect.stringContaining(told) as string });
    expect(said.told).not.toContain('hush');
  }
});

test('a key of a file, a wrong key, and a key without the scope', async () => {
  const OUTDIAL_API_KEY_FILE = file('key', `${team.apiKey}\n`);
  const ofFile = new CliTerminal(null, { OUTDIAL_URL: `${url}/`, OUTDIAL_API_KEY_FILE });
  expect(await ofFile.run('agent', 'list')).toMatchObject({ code: 0 });
  expect(await withKey('od_test_wrong').run('agent', 'list')).toMatchObject({
    code: 1,
    told: expect.stringMatching(/: see OUTDIAL_API_KEY\.$/) as string,
  });
  const reader = withKey(await keyOf({ scopes: ['read'] }));
  expect(await reader.run('agent', 'list')).toMatchObject({ code: 0 });
  expect(await reader.run('agent', 'delete', team.spareAgentId)).toMatchObject({
    code: 1,
    told: expect.stringContaining('agents') as string,
  });
});

describe('what answers otherwise', () => {
  let server: Server;
  let answers: [status: number, body: string, headers?: Record<string, string>][];
  const requests: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const [status, body, headers] = answers.shift() ?? [500, ''];
      response.writeHead(status, headers).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() => requests.splice(0));

  const run = (...words: string[]) =>
    new CliTerminal(null, {
      OUTDIAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`,
      OUTDIAL_API_KEY: 'od_test_key',
    }).run(...words);

  test('a request beyond the rate limit is sent again', async () => {
    const limited = JSON.stringify({ error: 'Too many requests', requestId: 'x' });
    answers = [
      [429, limited, { 'retry-after': '1' }],
      [200, JSON.stringify({ items: [], nextCursor: null })],
    ];
    expect(await run('agent', 'list')).toEqual({ code: 0, out: '(none)', told: '' });
    const sent = 'GET /behind/api/voice-agents Bearer od_test_key';
    expect(requests).toEqual([sent, sent]);
  });

  test.each<[what: string, answer: [number, string, Record<string, string>?], told: RegExp]>([
    ['another program', [404, '<html>'], /^The answer 404 is not of the API: see OUTDIAL_URL\.$/],
    ['another program, with success', [200, '<html>'], /^The answer is not of the API: see OUTDIAL_URL\.$/],
    ['a redirect', [302, '', { location: 'https://x/' }], /^The answer 302 is not of the API/],
    [
      'an error of the API',
      [500, '{"error":"Internal server error","requestId":"r-1"}'],
      /^The API answered 500: Internal server error \(request r-1\)\.$/,
    ],
  ])('%s is reported with exit code 1', async (_, answer, told) => {
    answers = [answer];
    const said = await run('agent', 'list');
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.told).toMatch(told);
    expect(requests).toHaveLength(1);
  });

  test('no answer', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const unreachable = new CliTerminal(null, {
      OUTDIAL_URL: `http://127.0.0.1:${port}`,
      OUTDIAL_API_KEY: 'hush',
    });
    expect(await unreachable.run('agent', 'list')).toEqual({
      code: 1,
      out: '',
      told: `The API at 127.0.0.1:${port} cannot be reached, or broke off (ECONNREFUSED): see OUTDIAL_URL.`,
    });
  });
});
