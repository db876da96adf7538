// Runs as a spec file in the extended copy (`extended-copy.ts`), where a team has the setting `maxCallsPerHour`.
import { createDataSource } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { ENTITIES } from '../../../src/entities.js';
import { CliTerminal } from '../../cli/terminal.js';
import { buildTeam } from '../../support/builders.js';
import { buildCaller } from '../../support/call-builders.js';
import { bearer, Calling } from '../../support/calling.js';

let calling: Calling;

beforeAll(async () => {
  calling = await Calling.start({}, async ({ config }) => {
    await migrate(config.databaseUrl);
  });
});
afterAll(() => calling.close());

test('the operator’s API stores, returns, changes and clears it, and refuses what is no limit', async () => {
  const created = await calling.operated('post', '/teams', { name: 'A', maxCallsPerHour: 30 });
  expect(created.body).toMatchObject({ maxCallsPerHour: 30, maxConcurrentCalls: 10 });
  const path = `/teams/${(created.body as { id: string }).id}`;
  const change = async (maxCallsPerHour: unknown) => {
    const answer = await calling.operator('patch', path, { maxCallsPerHour });
    return { status: answer.status, body: answer.body as object };
  };
  expect(await change(1)).toMatchObject({ status: 200, body: { maxCallsPerHour: 1 } });
  expect(await change(null)).toMatchObject({ status: 200, body: { maxCallsPerHour: null } });
  for (const value of [0, 1.5, '3', 1e12])
    expect(await change(value)).toEqual({
      status: 400,
      body: { error: 'maxCallsPerHour must be a whole number from 1 to 1000000000' },
    });
});

test('a key reads it among the limits', async () => {
  const { apiKey } = await buildCaller(calling.db, { max_calls_per_hour: 30 });
  const answer = await calling.http().get('/api/me').set(bearer(apiKey));
  expect(answer.body).toMatchObject({ limits: { maxCallsPerHour: 30, maxConcurrentCalls: null } });
});

test('the CLI sets and clears it', async () => {
  const cli = new CliTerminal({ url: calling.world.config.databaseUrl, drop: () => Promise.resolve() });
  const { id } = await cli.json<{ id: string }>('team', 'create', '--name', 'A', '--max-calls-per-hour', '5');
  expect(await cli.json('team', 'show', id)).toMatchObject({ maxCallsPerHour: 5 });
  const cleared = await cli.json('team', 'update', id, '--max-calls-per-hour', 'none');
  expect(cleared).toMatchObject({ maxCallsPerHour: null });
  expect((await cli.run('team', 'update', '--help')).out).toContain('--max-calls-per-hour');
});

test('the table refuses what is no limit, and its columns are those of the entity', async () => {
  await expect(buildTeam(calling.db, { max_calls_per_hour: 0 })).rejects.toThrow('ck_teams_limits');
  const entities = await createDataSource(calling.world.config.databaseUrl, {
    entities: ENTITIES,
  }).initialize();
  const { upQueries } = await entities.driver.createSchemaBuilder().log();
  await entities.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});
