import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** A source file with its path within `src/`. */
interface Source {
  path: string;
  text: string;
}

/*
 * Entities are left to the import rule `entities-stay-at-home`. This file reads the SQL.
 */

/**
 * Where another room than its owner writes to a table, and why: mostly one statement does in one round trip what
 * belongs together.
 */
const EXCEPTIONS: Record<string, { tables: string[]; why: string }[]> = {
  suppression: [{ tables: ['teams'], why: 'says of the team that it has entries with limits' }],
  calls: [
    {
      tables: ['call_requests', 'call_details'],
      why: 'accepts, reschedules and recovers triggered calls; what campaigns do as well is in dialing/',
    },
    { tables: ['contacts'], why: 'a trigger stores the contact and its call in one statement' },
    { tables: ['enrollments'], why: 'an unknown end of a call is counted in its enrollment with the call' },
    {
      tables: ['call_results', 'enrollment_dials'],
      why: 'the retention removes a call with all of its rows',
    },
    { tables: ['platform_settings'], why: 'pending calls of changed zones have been moved' },
  ],
  campaigns: [
    { tables: ['call_requests', 'call_details'], why: 'one statement stores, claims and counts a call' },
  ],
  contacts: [{ tables: ['enrollments'], why: 'contract 4.4 stores and enrolls a contact in one statement' }],
  dialing: [
    { tables: ['enrollments'], why: 'an outcome is counted in the enrollment of its call' },
    { tables: ['plan_usage'], why: 'a claim counts the call, an end releases it' },
  ],
  erasure: [{ tables: ['teams'], why: 'says of the team that it has erased numbers' }],
  operations: [{ tables: ['call_requests'], why: 'readiness tries a write that changes no row' }],
  restore: [
    { tables: ['call_requests'], why: 'holds the calls of a restored database' },
    { tables: ['event_gaps', 'event_sequences'], why: 'events after a restore have numbers beyond the lost' },
    { tables: ['platform_settings'], why: 'a restore pauses the platform' },
  ],
};

/** Tables that every room may read. */
const READ_BY_ALL = new Set([
  // The tenant, its key and its rules, in the statement that needs them.
  'api_keys',
  'teams',
  // The pause, the retention and the zone data in force, for all teams.
  'platform_settings',
  // The room `dialing` is shared by triggered calls and campaigns; the other rooms show and report its calls.
  'call_requests',
  'call_details',
]);

/** Where another room than its owner reads a table, and why. */
const READ_EXCEPTIONS: Record<string, { tables: string; why: string }[]> = {
  calls: [
    {
      tables: 'contacts voice_agents phone_numbers call_results',
      why: 'a trigger and a firing read all facts in one round trip; lists name contact, agent and disposition',
    },
    {
      tables: 'campaigns campaign_versions enrollments enrollment_dials',
      why: 'lists and the retention find the calls of a campaign',
    },
  ],
  campaigns: [
    {
      tables: 'contacts voice_agents phone_numbers call_results',
      why: 'the engine and the forecast read all facts in one round trip',
    },
  ],
  'carrier-accounts': [
    {
      tables: 'voice_agents phone_numbers number_pool_members',
      why: 'an account that agents name is not deleted, and a check is about its agents and the team’s numbers',
    },
  ],
  contacts: [
    {
      tables: 'campaigns campaign_versions',
      why: 'contract 4.4 stores and enrolls a contact in one statement',
    },
  ],
  dashboard: [
    {
      tables:
        'campaigns campaign_versions contacts do_not_call enrollments enrollment_dials event_sequences events imports phone_numbers ' +
        'sweeper_runs users voice_agents webhook_deliveries webhook_endpoints whitelist',
      why: 'pages join what several rooms own',
    },
  ],
  dialing: [
    { tables: 'limited_do_not_call', why: 'a decision needs the entries that hold for some calls only' },
    { tables: 'phone_numbers number_pool_members', why: 'a claim picks its caller ID among all facts' },
    {
      tables: 'carrier_accounts voice_agents',
      why: 'a claim counts the active calls of the agents that name a limited account',
    },
    { tables: 'contacts enrollments', why: 'a call shows the ids that its contact and its enrollment have' },
    { tables: 'plan_usage', why: 'a claim is counted, and the count is one of its facts' },
    { tables: 'erasure_key', why: 'a decision needs the key that erased numbers were made with' },
  ],
  erasure: [{ tables: 'contacts', why: 'locks the contact that is erased' }],
  events: [
    {
      tables: 'contacts enrollments campaign_versions call_results',
      why: 'an event shows the rows that changed, in the transaction of the change',
    },
  ],
  idempotency: [
    { tables: 'enrollments', why: 'an erasure deletes the answers about the enrollments of a contact' },
  ],
  imports: [
    { tables: 'campaigns campaign_versions contacts', why: 'an import names what it enrolls in' },
    {
      tables: 'do_not_call enrollments enrollment_dials',
      why: 'one statement decides which contacts an undo removes: those without other changes',
    },
  ],
  operations: [
    {
      tables: 'events idempotency_keys webhook_deliveries',
      why: 'metrics count what several rooms own',
    },
  ],
  platform: [
    {
      tables: 'campaigns contacts enrollments voice_agents',
      why: 'counts whom an unknown time zone holds, of any room',
    },
  ],
  'platform-erasures': [
    { tables: 'voice_agents', why: 'notes the account that the agent of an erased call has' },
  ],
  restore: [{ tables: 'idempotency_keys sweeper_runs', why: 'says until when the restored database worked' }],
  suppression: [
    {
      tables: 'contacts',
      why: 'a replayed opt-out of an erased form ends calls to the contact with that number; the platform’s list, those of all teams',
    },
    { tables: 'campaigns voice_agents', why: 'an entry can hold for one of them' },
  ],
  teams: [{ tables: 'phone_numbers', why: 'the usage of a plan counts numbers' }],
  'voice-agents': [
    {
      tables: 'campaigns campaign_versions contacts enrollments',
      why: 'says where an agent is used, and which properties its prompts can name',
    },
  ],
};

function sources(): Source[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|sql)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));
}

const roomOf = ({ path }: Source) => path.split('/')[0] ?? '';

/** The room of each table: that of its entity. */
function ownersOf(files: Source[]): Map<string, string> {
  return new Map(
    files
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap((file) =>
        [...file.text.matchAll(/@Entity\('(\w+)'/g)].map(([, table = '']) => [table, roomOf(file)] as const),
      ),
  );
}

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm;
const WRITES = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?(\w+)/g;

const READS = /(?<!\bDELETE )\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?(\w+)/g;

type Verb = 'reads' | 'writes';

/** Each use of a table of another room, as `calls writes contacts`, with the files. */
function foreignUses(
  verb: Verb,
  files: Source[],
  owners: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const pattern = verb === 'reads' ? READS : WRITES;
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const [, table = ''] of file.text.replace(COMMENTS, '').matchAll(pattern)) {
      const [owner, room] = [owners.get(table), roomOf(file)];
      if (owner === undefined || owner === room) continue;
      if (verb === 'reads' && READ_BY_ALL.has(table)) continue;
      const key = `${room} ${verb} ${table}`;
      found.set(key, [...new Set([...(found.get(key) ?? []), file.path])]);
    }
  }
  return found;
}

const excepted = Object.entries(EXCEPTIONS).flatMap(([room, entries]) =>
  entries.flatMap(({ tables }) => tables.map((table) => `${room} writes ${table}`)),
);

const readExcepted = Object.entries(READ_EXCEPTIONS).flatMap(([room, entries]) =>
  entries.flatMap(({ tables }) => tables.split(' ').map((table) => `${room} reads ${table}`)),
);

describe('the tables', () => {
  const files = sources();
  const owners = ownersOf(files);

  test('each is an entity of one room', () => {
    const tables = files.flatMap(({ text }) =>
      [...text.matchAll(/@Entity\('(\w+)'/g)].map(([, name]) => name),
    );
    expect(tables.length).toBeGreaterThan(30);
    expect(new Set(tables).size).toBe(tables.length);
  });

  test('are written by their rooms, with the exceptions of the list', () => {
    expect([...foreignUses('writes', files, owners).keys()].sort()).toEqual([...excepted].sort());
  });

  test('are read by their rooms, with the exceptions of the list', () => {
    expect([...foreignUses('reads', files, owners).keys()].sort()).toEqual([...readExcepted].sort());
  });

  test.each([
    ['events/feed/planted.sql.ts', '`INSERT INTO contacts (id) VALUES ($1)`', 'events writes contacts'],
    [
      'imports/sql/functions/planted.sql',
      'UPDATE ONLY calls SET x = 1; DELETE FROM teams',
      'imports writes teams',
    ],
    [
      'imports/planted.sql.ts',
      '`SELECT FROM teams t LEFT JOIN whitelist w USING (id)`',
      'imports reads whitelist',
    ],
    ['results/planted.sql.ts', '`UPDATE calls SET x = 1 FROM ONLY contacts`', 'results reads contacts'],
  ])('a foreign use in %s is found', (path, text, name) => {
    const verb: Verb = name.includes(' reads ') ? 'reads' : 'writes';
    expect([...foreignUses(verb, [{ path, text }], owners).keys()]).toEqual([name]);
    expect([...foreignUses(verb, [{ path, text: `-- ${text}` }], owners).keys()]).toEqual([]);
  });
});
