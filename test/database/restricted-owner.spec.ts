import { randomBytes } from 'node:crypto';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { teamOfKey } from '../../src/database/team-scope.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query } from '../../src/database/transactions.js';
import { createEmptyDatabase, type TestDatabase, testDatabaseServer } from '../support/database.js';
import { withServer } from '../support/template.js';
import { asTeam, attempt, buildEverything, connectRestricted } from './restricted.js';

/** On managed servers, the owner of a database is no superuser. Forced policies apply to it, too. */
describe('an owner without special rights', () => {
  const owner = `outdial_owner_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  let database: TestDatabase;
  let url: string;

  const administer = (...statements: string[]) =>
    withServer(testDatabaseServer(), async (client) => {
      for (const statement of statements) await client.query(statement);
    });

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const ownUrl = new URL(database.url);
    await administer(
      `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`,
      `ALTER DATABASE ${ownUrl.pathname.slice(1)} OWNER TO ${owner}`,
    );
    ownUrl.username = owner;
    ownUrl.password = password;
    url = ownUrl.toString();
  });
  afterAll(async () => {
    await database.drop();
    await administer(`DROP ROLE IF EXISTS ${owner}`);
  });

  test('gets the statements for an administrator, then migrates, sees every team, and can be restricted', async () => {
    const refusal = `GRANT ${RESTRICTED_ROLE} TO ${owner}; then migrate again`;
    await expect(migrate(url)).rejects.toThrow(refusal);
    await administer(`GRANT ${RESTRICTED_ROLE} TO ${owner}`);
    expect(await migrate(url)).toContain('Baseline1764400000000');

    const db = await createDataSource(url).initialize();
    const own = await buildEverything(db);
    const foreign = await buildEverything(db);
    expect(await db.query('SELECT FROM call_requests')).toHaveLength(2);
    await db.destroy();

    const restricted = await connectRestricted(url);
    const calls = () => attempt(restricted, 'SELECT team_id FROM call_requests');
    expect(await asTeam(restricted, null, calls)).toEqual([]);
    expect(await asTeam(restricted, foreign.team, calls)).toEqual([{ team_id: foreign.team }]);
    expect(await attempt(restricted, 'SELECT status, calls FROM count_open_calls()')).toEqual([
      { status: 'queued', calls: 2 },
    ]);
    await restricted.end();

    const transactions = new PooledTransactions({
      databaseUrl: url,
      poolSize: 1,
      role: RESTRICTED_ROLE,
      onError: () => undefined,
    });
    const keys = query({ name: 'keys', text: 'SELECT team_id FROM api_keys' });
    expect(await transactions.within(teamOfKey(own.keyHash)).read(keys)).toEqual([{ team_id: own.team }]);
    await transactions.close();
  });
});
