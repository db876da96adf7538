import { type DataSource, type QueryRunner } from 'typeorm';
import { EventBatches1764270000000 } from '../../migrations/1764270000000-event-batches.js';
import { NumbersApart1764270100000 } from '../../migrations/1764270100000-numbers-apart.js';
import { createDataSource } from '../../src/database/data-source.js';
import { buildAgent, buildCall, buildContact, buildTeam, nextNumber } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;
let runner: QueryRunner;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  runner = db.createQueryRunner();
});
afterEach(async () => {
  await runner.release();
  await db.destroy();
  await database.drop();
});

async function apart(direction: 'up' | 'down'): Promise<void> {
  await runner.startTransaction();
  await new NumbersApart1764270100000()[direction](runner);
  await runner.commitTransaction();
}

const NUMBERED = `
  SELECT b.team_id, u.position, b.last - cardinality(b.positions) + u.n AS sequence
  FROM event_batches b CROSS JOIN LATERAL unnest(b.positions) WITH ORDINALITY AS u (position, n)
  ORDER BY 1, 3`;
const IN_EVENTS = 'SELECT team_id, position, sequence FROM events WHERE sequence IS NOT NULL ORDER BY 1, 3';

/** Writes events as the version before did. @param first number of the first, null for none. */
const write = (teamId: string, count: number, first: number | null) =>
  db.query(
    `INSERT INTO events (id, team_id, type, at, sequence, data)
     SELECT gen_random_uuid(), $1, 'import.finished', now(), $3::bigint + n - 1, '{}' FROM generate_series(1, $2::integer) n`,
    [teamId, count, first],
  );

const number = () => db.query('SELECT FROM number_events(0, 1000)');

test('stored events keep their numbers, those without one get the next, and the version before gets all of them back', async () => {
  const [one, other] = [await buildTeam(db), await buildTeam(db)];
  await apart('down');
  await new EventBatches1764270000000().down(runner);
  await write(one.id, 2_500, 1);
  await write(other.id, 3, 1);
  // After a restore.
  await write(one.id, 5, 1_002_501);
  await db.query(
    'INSERT INTO event_sequences (team_id, last, removed_through) VALUES ($1, 1002506, 0), ($2, 3, 0)',
    [one.id, other.id],
  );

  await new EventBatches1764270000000().up(runner);
  expect(await db.query(NUMBERED)).toEqual(await db.query(IN_EVENTS));
  // Numbered and written between the two migrations.
  await write(one.id, 1, 1_002_506);
  await write(one.id, 2, null);
  await apart('up');
  expect(await db.query(NUMBERED)).toEqual(await db.query(IN_EVENTS));

  const { id: agent_id } = await buildAgent(db, one.id);
  const { id: contact_id } = await buildContact(db, one.id);
  const keys = { team_id: one.id, agent_id, contact_id, phone_number: nextNumber() };
  const { id } = await buildCall(db, keys, { status: 'scheduled' });
  await number();
  const rows = await db.query<{ team_id: string; sequence: string }[]>(NUMBERED);
  const mine = rows.filter(({ team_id }) => team_id === one.id).map(({ sequence }) => Number(sequence));
  expect(mine.slice(-5)).toEqual([1_002_505, 1_002_506, 1_002_507, 1_002_508, 1_002_509]);
  expect(await db.query('SELECT found_by FROM event_gaps')).toEqual([{ found_by: null }]);

  const expected = await db.query<object[]>(
    'SELECT call_event_data(r) AS data FROM call_requests r WHERE r.id = $1',
    [id],
  );
  await apart('down');
  expect(await db.query(IN_EVENTS)).toEqual(rows);
  expect(await db.query(`SELECT data FROM events WHERE type = 'call.scheduled'`)).toEqual(expected);
});
