import { type DataSource } from 'typeorm';
import { FarSlots1764020000000 } from '../../migrations/1764020000000-far-slots.js';
import { createDataSource } from '../../src/database/data-source.js';
import { buildAgent, buildCall, buildContact, buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const DAY = 86_400_000;

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

test('calls that wait for a far slot expire 24 hours after it; other calls are unchanged', async () => {
  const now = Date.now();
  const days = (count: number) => new Date(now + count * DAY);
  const { id: team_id } = await buildTeam(db);
  const { id: agent_id } = await buildAgent(db, team_id);
  const call = async (slot: number, expiry: number, row: object = {}) => {
    const { id: contact_id, phone_number } = await buildContact(db, team_id);
    const keys = { team_id, agent_id, contact_id, phone_number };
    const times = { status: 'scheduled', runs_at: days(slot), expires_at: days(expiry) };
    return (await buildCall(db, keys, { ...times, ...row })).id;
  };
  const moved = {
    history: [{ at: '', from: 'queued', to: 'scheduled', cause: 'outside_calling_hours' }],
  };
  const runner = db.createQueryRunner();
  const migration = new FarSlots1764020000000();
  await migration.down(runner);
  const calls = [
    [await call(3, 4), 4],
    [await call(6.5, 7), 7.5],
    [await call(30, 7), 31],
    [await call(6.5, 7, moved), 7.5],
    [await call(30, 7, moved), 7],
    [await call(30, 7, { status: 'canceled', ended_at: days(0) }), 7],
  ] as const;
  await migration.up(runner);
  await runner.release();

  for (const [id, expiry] of calls) {
    const [row] = await db.query<{ expires_at: Date; first_runs_at: null }[]>(
      'SELECT expires_at, first_runs_at FROM call_requests WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ expires_at: days(expiry), first_runs_at: null });
  }
});
