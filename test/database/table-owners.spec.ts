import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** A source file with its path within `src/`. */
interface Source {
  path: string;
  text: string;
}

/**
 * Where another room than its owner writes to a table, and why: mostly one statement does in one round trip what
 * belongs together.
 */
const EXCEPTIONS: Record<string, { tables: string[]; why: string }[]> = {
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

/** Each write to a table of another room, as `calls writes contacts (calls/trigger/trigger.sql.ts)`. */
function foreignWrites(files: Source[], owners: ReadonlyMap<string, string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const [, table = ''] of file.text.replace(COMMENTS, '').matchAll(WRITES)) {
      const [owner, room] = [owners.get(table), roomOf(file)];
      if (owner === undefined || owner === room) continue;
      const key = `${room} writes ${table}`;
      found.set(key, [...new Set([...(found.get(key) ?? []), file.path])]);
    }
  }
  return found;
}

const excepted = Object.entries(EXCEPTIONS).flatMap(([room, entries]) =>
  entries.flatMap(({ tables }) => tables.map((table) => `${room} writes ${table}`)),
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
    expect([...foreignWrites(files, owners).keys()].sort()).toEqual([...excepted].sort());
  });

  test.each([
    ['events/feed/planted.sql.ts', '`INSERT INTO contacts (id) VALUES ($1)`', 'events writes contacts'],
    [
      'imports/sql/functions/planted.sql',
      'UPDATE ONLY calls SET x = 1; DELETE FROM teams',
      'imports writes teams',
    ],
  ])('a foreign write in %s is found', (path, text, name) => {
    expect([...foreignWrites([{ path, text }], owners).keys()]).toEqual([name]);
    expect([...foreignWrites([{ path, text: `-- ${text}` }], owners).keys()]).toEqual([]);
  });
});
