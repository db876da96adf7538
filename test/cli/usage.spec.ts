import { UNKNOWN_ID } from '../operator/operator-api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

let database: TestDatabase;
let cli: CliTerminal;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  cli = new CliTerminal(database);
  ({ id: team } = await cli.json<{ id: string }>('team', 'create', '--name', 'Acme'));
});

afterAll(() => database.drop());

describe('an error names what to do instead', () => {
  const refusals: [words: string[], code: number, told: RegExp][] = [
    [['team', 'frob'], 2, /There is no command "team frob"\. There are: team create, team list/],
    [['frob'], 2, /There is no command "frob"/],
    [
      ['team', 'create'],
      2,
      /^--name <text> is missing: Display name. Such as Acme Insurance\nUsage: npm run cli -- team create --name <text>/,
    ],
    [['team', 'create', '--name', ' '], 2, /^--name must not be empty/],
    [
      ['team', 'create', '--name', 'A', '--max-concurrent-calls', '0'],
      2,
      /^--max-concurrent-calls must be a whole/,
    ],
    [
      ['team', 'create', '--name', 'A', '--monthly-call-limit', 'many'],
      2,
      /^--monthly-call-limit must be a whole/,
    ],
    [['team', 'create', '--name', 'A', '--allowed-countries', 'us'], 2, /^--allowed-countries must hold/],
    [['team', 'create', '--nmae', 'A'], 2, /^Unknown option '--nmae'\n\(Did you mean --name\?\)\nUsage: /],
    [['teem', 'create'], 2, /^There is no command "teem"\. [^]*\n\(Did you mean team\?\)\n/],
    [['team', 'creat'], 2, /^There is no command "team creat"\. [^]*\n\(Did you mean create\?\)\n/],
    [
      ['team', 'create', '--name', ' ', '--timezone', 'Mars'],
      2,
      /^--name must not be empty; --timezone must be an IANA/,
    ],
    [['team', 'show'], 2, /^<id> is missing/],
    [['team', 'show', 'a', 'b'], 2, /"b" is one argument too many: put quotation marks/],
    [['team', 'show', UNKNOWN_ID], 1, /^Team not found\. See `npm run cli -- team list`\.$/],
    [['team', 'show', 'nonsense'], 1, /^Team not found/],
    [['team', 'list', '--limit', '0'], 2, /^--limit must be a whole number from 1 to 200/],
    [['team', 'list', '--cursor', '@'], 2, /^--cursor must be the nextCursor/],
    [['agent', 'list'], 2, /^--team <id> is missing: the team; `team list` shows them/],
    [['dnc', 'add', '--team', UNKNOWN_ID], 2, /There is no number: give some, or --file/],
  ];

  test.each(refusals)('%j', async (words, code, told) => {
    const said = await cli.run(...words);
    expect(said).toMatchObject({ code, out: '' });
    expect(said.told).toMatch(told);
  });

  test('an update without a change, and invalid files and JSON, are wrong usage', async () => {
    expect(await cli.run('team', 'update', team)).toMatchObject({
      code: 2,
      told: expect.stringMatching(/^Nothing to change/) as unknown,
    });
    const create = ['agent', 'create', '--team', team, '--name', 'A', '--timezone', 'UTC', '--calling-hours'];
    expect((await cli.run(...create, '@/nowhere.json')).told).toMatch(
      /^--calling-hours: \/nowhere.json cannot be read \(ENOENT\)/,
    );
    expect((await cli.run(...create, 'mornings')).told).toMatch(
      /^--calling-hours is not JSON; put it into a file/,
    );
    expect((await cli.run(...create, '{"monday":[{"start":"9","end":"17:00"}]}')).told).toMatch(
      /^--calling-hours/,
    );
    expect((await cli.run(...create, '{"__proto__":{}}')).told).toMatch(/__proto__, which is not allowed/);
  });
});

test('every command prints its help without a database', async () => {
  const all = await cli.run('--help');
  const names = [...all.out.matchAll(/^ {2}(\w+(?: \w+)?) {2,}/gm)].map(([, name]) => name ?? '');
  expect(names).toEqual(expect.arrayContaining(['team create', 'call explain', 'dnc add', 'pause']));
  expect((await cli.run()).out).toBe(all.out);
  expect((await cli.run('team')).out).toContain('team pause');
  expect((await cli.run('team', '--help')).out).not.toContain('key create');
  for (const name of names) {
    const { code, out } = await cli.run(...name.split(' '), '--help');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: npm run cli -- ${name}[^]*--json +write JSON, for programs`));
  }
});
