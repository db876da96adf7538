import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { applyRepeatable, type RepeatableScript, repeatableScripts } from '../../src/database/repeatable.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('repeatable scripts', () => {
  let database: TestDatabase;
  let db: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url).initialize();
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  /** The policy of the table with a text that was never applied. */
  function changed(table: string): RepeatableScript {
    const script = repeatableScripts().find(({ kind, name }) => kind === 'policy' && name === table);
    if (script === undefined) throw new Error(`no policy of ${table}`);
    return { ...script, text: `${script.text}-- changed\n` };
  }

  test('an unchanged script is not applied again', async () => {
    expect(await applyRepeatable(db)).toEqual([]);
    expect(await applyRepeatable(db, [changed('contacts')])).toEqual(['contacts']);
    expect(await applyRepeatable(db, [changed('contacts')])).toEqual([]);
  });

  test('every table with row-level security has its policies in a file', async () => {
    const tables = await db.query<{ name: string }[]>(
      'SELECT relname AS name FROM pg_class WHERE relrowsecurity ORDER BY relname',
    );
    const files = repeatableScripts().filter(({ kind }) => kind === 'policy');
    expect(files.map(({ name }) => name)).toEqual(tables.map(({ name }) => name));
  });

  test('a dropped or loosened policy is restored with its file', async () => {
    const policies = (): Promise<unknown[]> =>
      db.query(
        `SELECT policyname, roles::text, cmd, qual FROM pg_policies WHERE tablename = 'contacts' ORDER BY 1`,
      );
    const before = await policies();
    expect(before).toHaveLength(2);
    await db.query('ALTER POLICY own_team ON contacts USING (true)');
    await db.query('DROP POLICY every_team ON contacts');
    await db.query('ALTER TABLE contacts NO FORCE ROW LEVEL SECURITY');
    await applyRepeatable(db, [changed('contacts')]);
    expect(await policies()).toEqual(before);
    const [{ forced }] = await db.query<[{ forced: boolean }]>(
      `SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'contacts'`,
    );
    expect(forced).toBe(true);
  });

  test('a script for a used table waits briefly each time, and other statements run in between', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT count(*) FROM contacts');
    const applied = applyRepeatable(db, [changed('contacts')]);
    const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'contacts'::regclass`;
    while ((await holder.query(waits)).rowCount === 0);
    // It stands behind the lock that is waited for, and would wait as long as the holder does.
    await expect(db.query('SELECT count(*) FROM contacts')).resolves.toHaveLength(1);
    await holder.query('COMMIT');
    await holder.end();
    expect(await applied).toEqual(['contacts']);
  });

  test('a migration by an administrator keeps the owner in the policy', async () => {
    const owner = `outdial_owner_${process.pid}`;
    await db.query(`CREATE ROLE ${owner}`);
    try {
      await db.query(`ALTER TABLE whitelist OWNER TO ${owner}`);
      await applyRepeatable(db, [changed('whitelist')]);
      const [{ roles }] = await db.query<[{ roles: string }]>(
        `SELECT roles::text FROM pg_policies WHERE tablename = 'whitelist' AND policyname = 'every_team'`,
      );
      expect(roles).toBe(`{${owner}}`);
    } finally {
      await db.query(`DROP OWNED BY ${owner} CASCADE`);
      await db.query(`DROP ROLE ${owner}`);
    }
  });
});
