import { type DataSource } from 'typeorm';
import { CallDetails1764120100000 } from '../../migrations/1764120100000-call-details.js';
import { createDataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildWorld, callOf } from './world.js';

let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const newId = async () => {
  const [row] = await db.query<{ id: string }[]>('SELECT new_call_id(outdial_now()) AS id');
  return (row as { id: string }).id;
};

test('the revert moves the details back to the calls’ rows', async () => {
  const own = await buildWorld(db);
  const now = new Date();
  const claimed = { claimed_at: now, processed_at: now, caller_id: own.number, ended_at: now };
  const { id: dialed } = await callOf(db, own, {
    id: await newId(),
    status: 'completed',
    generation: 1,
    ...claimed,
  });
  const { id: pending } = await callOf(db, own, { id: await newId(), variables: { offer: 'spring' } });
  const details = (generation: number, columns: object) => ({
    id: dialed,
    generation,
    team_id: own.team,
    ...columns,
  });
  for (const row of [
    details(-1, { decision: { n: 1 } }),
    details(0, { decision: { n: 2 }, prompt: 'of a dial that was throttled' }),
    details(1, { decision: { n: 3 }, prompt: 'Hello', first_message: 'Hi', variables: { offer: 'winter' } }),
    { id: pending, generation: -1, team_id: own.team, decision: { n: 4 } },
  ]) {
    await db.query('INSERT INTO call_details SELECT * FROM jsonb_populate_record(NULL::call_details, $1)', [
      row,
    ]);
  }
  const runner = db.createQueryRunner();
  await new CallDetails1764120100000().down(runner);
  await runner.release();
  const rows = await db.query<object[]>(
    `SELECT id, decisions, prompt, first_message, variables FROM call_requests ORDER BY status`,
  );
  expect(rows).toEqual([
    {
      id: dialed,
      decisions: [{ n: 1 }, { n: 2 }, { n: 3 }],
      prompt: 'Hello',
      first_message: 'Hi',
      variables: { offer: 'winter' },
    },
    { id: pending, decisions: [{ n: 4 }], prompt: null, first_message: null, variables: { offer: 'spring' } },
  ]);
});
