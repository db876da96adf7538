import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCli } from '../../src/cli/run.js';
import { temporaryDirectory } from '../carriers/support.js';
import { buildCampaign } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { createWorld, type World } from '../support/app.js';

const directory = temporaryDirectory();
let world: World;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld();
  await world.startWorker();
});
afterAll(async () => {
  await world.close();
  directory.remove();
});
beforeEach(async () => {
  caller = await buildCaller(world.db);
});

function file(name: string, content: string | Buffer): string {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
}

async function run(...argv: string[]) {
  const [out, told, drawn]: [string[], string[], string[]] = [[], [], []];
  const terminal = { write: (text: string) => out.push(text), tell: (text: string) => told.push(text) };
  const draw = argv.includes('--draw') ? { draw: (text: string) => void drawn.push(text) } : {};
  const code = await runCli({
    argv: ['import', ...argv.filter((word) => word !== '--draw'), '--team', caller.teamId],
    ...terminal,
    ...draw,
    env: { DATABASE_URL: world.config.databaseUrl },
  });
  return { code, out: out.join('\n'), told, drawn };
}

const ROWS = 'phoneNumber,name\n+14152000000,Ada\n+14152000001,Alan\n';

test('a file is imported and enrolled, with lines that tell how far it is', async () => {
  const campaign = await buildCampaign(world.db, caller.teamId);
  const { code, out, told } = await run(file('contacts.csv', ROWS), '--campaign', campaign.id);
  expect(told).toContain('upload: 100 %, 0 of 0 KB');
  expect(out).toMatch(
    /^The import is finished: 2 rows, 2 created, 0 updated, 2 enrolled, 0 failed\.\nIts id is /,
  );
  expect(code).toBe(0);
});

test('on a terminal it draws a bar; failed rows are told, and are the exit code', async () => {
  const rows = ['{"phoneNumber":"+14152000000"}', '{"phoneNumber":"+1x"}'].join('\n');
  const path = file('contacts.ndjson.gz', gzipSync(rows));
  const { code, out, told, drawn } = await run(path, '--mode', 'create', '--draw');
  expect(drawn.some((line) => /^upload \[#{30}\] 100 % {2}/.test(line))).toBe(true);
  expect(told).toEqual([`${path}: row 2: phoneNumber must be one phone number and nothing else`]);
  expect(out).toContain('2 rows, 1 created, 0 updated, 0 enrolled, 1 failed');
  expect(code).toBe(1);
});

test('--detach does not wait, and --json is for programs', async () => {
  const { code, out } = await run(file('more.csv', ROWS), '--detach', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ rows: 2, mode: 'upsert' });
});

test('an error of the file, or no file, is reported with the usage', async () => {
  const bad = await run(file('bad.csv', 'name\nAda\n'));
  expect([bad.code, bad.told.at(-1)]).toEqual([
    2,
    expect.stringContaining('The header must have the column phoneNumber'),
  ]);
  const none = await run(join(directory.path, 'none.csv'));
  expect([none.code, none.told[0]]).toEqual([2, expect.stringContaining('cannot be read (ENOENT)')]);
});
