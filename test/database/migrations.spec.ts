import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { describeSchema } from './schema-description.js';

describe('migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  async function schema(): Promise<string[]> {
    const db = await createDataSource(database.url).initialize();
    try {
      return await describeSchema(db);
    } finally {
      await db.destroy();
    }
  }

  test('run on an empty database, are reverted completely, and create the same schema again', async () => {
    const ran = await migrate(database.url);
    expect(ran).toContain('InitialSchema1763700000000');
    const first = await schema();
    expect(first.length).toBeGreaterThan(100);

    const reverted: string[] = [];
    for (let names = await migrate(database.url, 'revert'); names.length > 0;) {
      reverted.push(...names);
      names = await migrate(database.url, 'revert');
    }
    expect(reverted.reverse()).toEqual(ran);
    expect(await schema()).toEqual([]);

    expect(await migrate(database.url)).toEqual(ran);
    expect(await schema()).toEqual(first);
  });

  test('reverting re-entry restores the key that the first second entry dropped', async () => {
    await migrate(database.url);
    const db = await createDataSource(database.url).initialize();
    await db.query('SELECT allow_reentry()');
    const key = `SELECT FROM pg_constraint WHERE conname = 'uq_enrollments_campaign_contact'`;
    expect(await db.query(key)).toHaveLength(0);
    for (let reverted: string[] = ['']; reverted.length > 0 && !reverted.includes('Reentry1764140100000');)
      reverted = await migrate(database.url, 'revert');
    expect(await db.query(key)).toHaveLength(1);
    await db.destroy();
  });

  test('a second run changes nothing', async () => {
    await migrate(database.url);
    expect(await migrate(database.url)).toEqual([]);
  });

  test('reverting an empty database does nothing', async () => {
    expect(await migrate(database.url, 'revert')).toEqual([]);
  });

  test('parallel runs migrate once', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    expect(runs.filter((names) => names.length > 0)).toHaveLength(1);
  });

  test('a failed migration changes nothing, and releases the lock', async () => {
    const db = await createDataSource(database.url).initialize();
    await db.query('CREATE TABLE whitelist (in_the_way boolean)');
    await expect(migrate(database.url)).rejects.toThrow('whitelist');
    expect(await describeSchema(db)).toEqual(['column whitelist.in_the_way: bool']);
    await db.query('DROP TABLE whitelist');
    await db.destroy();
    expect(await migrate(database.url)).not.toEqual([]);
  });
});
