import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createWorld } from '../support/app.js';
import { buildCaller } from '../support/call-builders.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Said } from './terminal.js';

const root = resolve(__dirname, '../..');

describe('npm run cli', () => {
  let database: TestDatabase;

  // Builds only if the sources are newer than dist/.
  beforeAll(async () => {
    execFileSync(process.execPath, ['tools/bootstrap.cjs'], { cwd: root });
    database = await createTestDatabase();
  }, 120_000);
  afterAll(() => database.drop());

  /** Runs the built command; its environment is `env` and nothing else. */
  async function run(argv: string[], env: Record<string, string>, input = ''): Promise<Said> {
    const child = spawn(process.execPath, ['dist/tools/cli.js', ...argv], {
      cwd: root,
      env: { PATH: process.env.PATH, TZ: 'UTC', ...env },
    });
    let [out, told] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, out, told };
  }

  it('needs DATABASE_URL only, and writes only JSON with --json', async () => {
    const env = { DATABASE_URL: database.url };
    const made = await run(['team', 'create', '--name', 'Acme', '--json'], env);
    expect(made).toMatchObject({ code: 0, told: '' });
    const { id } = JSON.parse(made.out) as { id: string };
    const lines = '+14155550111\nnobody\n+14155550112\n';
    const added = await run(['dnc', 'add', '--team', id, '--file', '-'], env, lines);
    expect(added).toEqual({
      code: 1,
      out: 'Added 2 to the Do Not Call list; 0 were on it before, 1 lines were bad.\n',
      told: '-:2: phoneNumber is not a phone number\n',
    });
    const listed = await run(['team', 'list'], env);
    expect(listed.out).toMatch(new RegExp(`^ID +NAME.*\\n${id} +Acme `));
  });

  it.each([
    [['team', 'create'], 2, /^--name <text> is missing/],
    [['team', 'show', 'x'], 1, /^Team not found/],
  ])('ends %j with %i', async (argv, code, told) => {
    const said = await run(argv, { DATABASE_URL: database.url });
    expect(said).toMatchObject({ code, out: '' });
    expect(said.told).toMatch(told);
  });

  it('reports a fault of the database at once and without its password', async () => {
    const empty = await createEmptyDatabase();
    try {
      const password = new URL(database.url).password;
      const wrong = new URL(database.url);
      wrong.password = 'wrong-password';
      const cases: [url: string, code: number, told: RegExp][] = [
        ['postgres://outdial:hush@127.0.0.1:1/outdial', 1, /^Postgres cannot be reached/],
        [wrong.toString(), 1, /^Postgres refuses DATABASE_URL: password/],
        ['mysql://outdial:hush@localhost', 2, /DATABASE_URL: must be a postgres:\/\/ URL/],
        [empty.url, 1, /does not have the schema of this version: `npm run migrate`/],
      ];
      const ask = async ([url, code, told]: (typeof cases)[number]) => {
        const said = await run(['team', 'list'], { DATABASE_URL: url });
        expect(said).toMatchObject({ code, out: '' });
        expect(said.told).toMatch(told);
        for (const secret of ['hush', 'wrong-password', password]) expect(said.told).not.toContain(secret);
      };
      await Promise.all(cases.map(ask));
    } finally {
      await empty.drop();
    }
  });

  it('starts no private Postgres in production, and prints its help without one', async () => {
    const env = { NODE_ENV: 'production' };
    expect(await run(['team', 'list'], env)).toMatchObject({
      code: 2,
      told: expect.stringMatching(/DATABASE_URL: must be a postgres/) as unknown,
    });
    expect((await run(['--help'], env)).out).toContain('team create');
  });

  it('needs no variable but OUTDIAL_URL and OUTDIAL_API_KEY to send commands to an API', async () => {
    const world = await createWorld();
    try {
      const app = await world.startApi();
      const { apiKey } = await buildCaller(world.db);
      const { port } = app.getHttpServer().address() as AddressInfo;
      const env = { OUTDIAL_URL: `http://127.0.0.1:${port}`, OUTDIAL_API_KEY: apiKey };
      const made = await run(['campaign', 'create', '--name', 'Spring', '--json'], env);
      expect(made).toMatchObject({ code: 0, told: '' });
      const { id } = JSON.parse(made.out) as { id: string };
      expect((await run(['campaign', 'list'], env)).out).toMatch(new RegExp(`\\n${id} +Spring +draft `));
      const added = await run(['dnc', 'add', '--file', '-'], env, '+14155550111\nnobody\n');
      expect(added).toEqual({
        code: 1,
        out: 'Added 1 to the Do Not Call list; 0 were on it before, 1 lines were bad.\n',
        told: '-:2: phoneNumber is not a phone number\n',
      });
      expect(await run(['team', 'list'], env)).toMatchObject({
        code: 2,
        told: expect.stringMatching(/^`team list` needs the operator: /) as unknown,
      });
      expect(await run(['campaign', 'list'], { OUTDIAL_API_KEY: apiKey })).toMatchObject({
        code: 2,
        told: expect.stringContaining('OUTDIAL_URL: is missing') as unknown,
      });
    } finally {
      await world.close();
    }
  });

  it('ends without a failure if its reader stops reading', () => {
    const command = `${process.execPath} dist/tools/cli.js --help | head -n 1`;
    const out = execFileSync('bash', ['-c', `set -o pipefail; ${command}`], { cwd: root }).toString();
    expect(out).toBe('Usage: npm run cli -- <command> [options]\n');
  });
});
