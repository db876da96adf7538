import { bodySchemaOf, describeBody } from '../../src/http/body-schema.js';
import { IsWholeNumber, MayBeAbsent } from '../../src/http/operator-validators.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { type Command } from '../../src/cli/command.js';
import { optionName } from '../../src/cli/options.js';
import { runCli } from '../../src/cli/run.js';
import { apiDocument } from '../../src/openapi/api-document.js';
import { CreateTeam, UpdateTeam } from '../../src/teams/team.dto.js';
import { createTestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

/** Operations of the operator that no command sends, with the reason. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  getCampaignResults: '`campaign results` writes the same file without a request',
};

/** Fields of an operation that its command does not offer, with the reason. */
const WITHOUT_OPTION: Readonly<Record<string, string>> = {
  'campaign pause: name, status, pacing, reentry, purpose': 'the command is the status',
  'campaign resume: name, status, pacing, reentry, purpose': 'the command is the status',
  'audit list: teamId': 'a command with --team is about one team',
};

const document = apiDocument();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.values(item).map((operation) => ({ path, ...operation })),
);

/** The names of the fields that the document has for an operation. */
function documentedFields(id: string): string[] {
  const operation = operations.find(({ operationId }) => operationId === id);
  const { schema = {} } = operation?.requestBody?.content['application/json'] ?? {};
  const body =
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!];
  const parameters = operation?.parameters ?? [];
  return [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
}

const help = async (...words: string[]) => {
  const out: string[] = [];
  await runCli({
    argv: [...words, '--help'],
    write: (text) => out.push(text),
    tell: (text) => out.push(text),
  });
  return out.join('\n');
};

test('every operation of the operator has a command', () => {
  const sent = new Set(COMMANDS.flatMap(({ operations = [] }) => operations));
  const missing = operations
    .filter(({ path, operationId }) => path.startsWith('/api/admin/') && !sent.has(operationId))
    .map(({ operationId }) => operationId);
  expect(missing).toEqual(Object.keys(WITHOUT_COMMAND));
});

/** Commands that send one operation, and those that send it for each of their arguments. */
const REPEATED = ['dnc remove', 'whitelist remove'];
const single = COMMANDS.filter(
  ({ name, operations = [] }) => operations.length === 1 && !REPEATED.includes(name),
);

test('the options of a command that sends one operation are the operation’s fields', async () => {
  const differences: string[] = [];
  for (const command of single) {
    const expected = documentedFields(command.operations![0]!);
    const offered = [...Object.keys(command.fields ?? {}), ...(command.team ? ['teamId'] : [])];
    const missing = expected.filter((field) => !offered.includes(field));
    expect([command.name, offered.filter((field) => !expected.includes(field))]).toEqual([
      command.name,
      command.team && !expected.includes('teamId') ? ['teamId'] : [],
    ]);
    // Each argument stands for a field that is no option.
    const rest = missing.length - (command.args ?? []).length;
    if (rest > 0) differences.push(`${command.name}: ${missing.slice(-rest).join(', ')}`);
    await expectHelp(command);
  }
  expect(single.length).toBeGreaterThan(40);
  expect(differences).toEqual(Object.keys(WITHOUT_OPTION));
});

/** The help has every option, and what the document says of its field. */
async function expectHelp({ name, fields = {} }: Command): Promise<void> {
  const text = (await help(...name.split(' '))).replace(/\s+/g, ' ');
  for (const [field, spec] of Object.entries(fields)) {
    expect(text).toContain(`--${optionName(field, spec)} ${spec.value ?? ''}`.trim());
    expect(text).toContain(spec.help.replace(/\s+/g, ' '));
    expect(spec.help).toMatch(/^[A-Z`]/);
  }
}

test('a field that a body gains is an option of its commands, with its help and its validation', async () => {
  const described = bodySchemaOf(CreateTeam).properties;
  const texts = Object.entries(described).map(([field, { description = '' }]) => [field, description]);
  const prototype = CreateTeam.prototype as object;
  MayBeAbsent()(prototype, 'plantedLimit');
  IsWholeNumber(2)(prototype, 'plantedLimit');
  describeBody([CreateTeam, UpdateTeam], {
    ...Object.fromEntries(texts),
    plantedLimit: 'A planted limit.',
  } as never);

  expect(await help('team', 'create')).toMatch(/--planted-limit <n> +A planted limit\. From 2 to/);
  const database = await createTestDatabase();
  try {
    const create = ['team', 'create', '--name', 'Acme', '--planted-limit'];
    const refused = await new CliTerminal(database).run(...create, '1');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.told).toMatch(/^--planted-limit must be a whole number from 2 to/);
    expect(await new CliTerminal(database).run(...create, '2')).toMatchObject({ code: 0 });
  } finally {
    await database.drop();
  }
});

test('commands beyond the operator’s: what is shown once, and null by its word', async () => {
  const database = await createTestDatabase();
  try {
    const cli = new CliTerminal(database);
    const { id: team } = await cli.json('team', 'create', '--name', 'Acme');
    const on = (...words: string[]) => [...words, '--team', team as string];
    const key = await cli.json(...on('key', 'create', '--name', 'CRM', '--scopes', 'read'));
    const shown = await cli.json(...on('key', 'show', key.id as string));
    expect(shown).toMatchObject({ id: key.id, scopes: ['read'] });
    expect(shown).not.toHaveProperty('key');
    // "None" must not become a key for everything.
    expect(await cli.run(...on('key', 'create', '--name', 'CRM', '--scopes', 'none'))).toMatchObject({
      code: 2,
      told: expect.stringMatching(/^--scopes must hold names of/) as unknown,
    });
    const all = await cli.json(
      ...on('key', 'create', '--name', 'CRM', '--scopes', 'all', '--expires-at', 'never'),
    );
    expect(all).toMatchObject({
      expiresAt: null,
      scopes: expect.arrayContaining(['calls', 'read']) as unknown,
    });
    const number = await cli.json(...on('number', 'add', '+14155550100'));
    expect(await cli.json(...on('number', 'show', number.id as string))).toEqual(number);
    const pool = await cli.json(...on('pool', 'create', '--name', 'West', '--phone-numbers', '+14155550100'));
    expect(await cli.json(...on('pool', 'show', pool.id as string))).toEqual(pool);
    await cli.run(...on('whitelist', 'add', '+14155550101'));
    expect(await cli.json(...on('whitelist', 'show', '+14155550101'))).toMatchObject({
      phoneNumber: '+14155550101',
    });
    const campaign = await cli.json(...on('campaign', 'create', '--name', 'Spring'));
    const version = on('campaign', 'version', 'Spring', campaign.currentVersionId as string);
    expect(await cli.json(...version)).toMatchObject({ number: 1, campaignId: campaign.id });
    const large = on(
      'campaign',
      'draft',
      'Spring',
      '--definition',
      JSON.stringify({ x: 'y'.repeat(300_000) }),
    );
    expect(await cli.run(...large)).toMatchObject({
      code: 2,
      told: expect.stringMatching(/^The body must be at most 256 KB/) as unknown,
    });
    // Spaces between values do not count.
    const spaced = on('campaign', 'draft', 'Spring', '--definition', `{"note":${' '.repeat(300_000)}"a  b"}`);
    expect(await cli.json(...spaced)).toMatchObject({ definition: { note: 'a  b' } });
  } finally {
    await database.drop();
  }
});
