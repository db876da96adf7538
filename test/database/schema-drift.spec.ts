import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { ENTITIES } from '../../src/entities.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { describeSchema } from './schema-description.js';

describe('entities and migrations', () => {
  let migrated: TestDatabase;
  let fromEntities: TestDatabase;
  let db: DataSource;
  let wanted: string[];

  beforeAll(async () => {
    fromEntities = await createEmptyDatabase();
    const entities = await createDataSource(fromEntities.url, {
      migrations: [],
      entities: ENTITIES,
    }).initialize();
    await entities.synchronize();
    wanted = await describeSchema(entities);
    await entities.destroy();
  });
  afterAll(() => fromEntities.drop());

  beforeEach(async () => {
    migrated = await createTestDatabase();
    db = await createDataSource(migrated.url, { entities: ENTITIES }).initialize();
  });
  afterEach(async () => {
    await db.destroy();
    await migrated.drop();
  });

  /** What TypeORM would change to make the schema that of the entities. */
  async function changes(): Promise<string[]> {
    const { upQueries } = await db.driver.createSchemaBuilder().log();
    return upQueries.map((query) => query.query);
  }

  /**
   * TypeORM compares constraints by name alone; this compares what they say. Functions are the migrations'
   * alone, and so are indexes of expressions, which entities cannot describe.
   */
  async function differences(): Promise<string[]> {
    const ofMigrations = /^function |^index .* text_pattern_ops/;
    const found = (await describeSchema(db)).filter((line) => !ofMigrations.test(line));
    return [
      ...found.filter((line) => !wanted.includes(line)).map((line) => `unknown to the entities: ${line}`),
      ...wanted.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ];
  }

  test('are equal', async () => {
    expect(await changes()).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  test('an additional column is drift', async () => {
    await db.query('ALTER TABLE contacts ADD COLUMN nickname text');
    expect(await changes()).toEqual([expect.stringContaining('DROP COLUMN "nickname"')]);
    expect(await differences()).toEqual(['unknown to the entities: column contacts.nickname: text']);
  });

  test('a missing column, a changed type and a missing default are drift', async () => {
    await db.query('ALTER TABLE contacts DROP COLUMN company_website');
    await db.query('ALTER TABLE teams ALTER COLUMN monthly_call_limit TYPE bigint');
    await db.query('ALTER TABLE phone_numbers ALTER COLUMN active DROP DEFAULT');
    const statements = (await changes()).join('\n');
    for (const word of ['company_website', 'monthly_call_limit', '"active"'])
      expect(statements).toContain(word);
    expect(await differences()).toHaveLength(5);
  });

  test('a constraint that checks less is drift', async () => {
    await db.query(`ALTER TABLE voice_agents DROP CONSTRAINT fk_voice_agents_pool,
      ADD CONSTRAINT fk_voice_agents_pool FOREIGN KEY (number_pool_id) REFERENCES number_pools (id)`);
    await db.query('DROP INDEX uq_campaign_versions_one_draft');
    await db.query('CREATE INDEX uq_campaign_versions_one_draft ON campaign_versions (campaign_id)');
    const found = (await differences()).join('\n');
    expect(found).toContain('fk_voice_agents_pool');
    expect(found).toContain('uq_campaign_versions_one_draft');
  });
});
