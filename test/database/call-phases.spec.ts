import { Client } from 'pg';
import { type DataSource, type QueryRunner } from 'typeorm';
import { CallPhases1764120000000 } from '../../migrations/1764120000000-call-phases.js';
import { PhaseIndexes1764120050000 } from '../../migrations/1764120050000-phase-indexes.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { createFunctions } from '../../src/database/repeatable.js';
import { buildAgent, buildCall, buildContact, buildTeam, type Row } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let db: DataSource;
let keys: Row;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  const { id: team_id } = await buildTeam(db);
  const { id: agent_id } = await buildAgent(db, team_id);
  const { id: contact_id, phone_number } = await buildContact(db, team_id);
  keys = { team_id, agent_id, contact_id, phone_number };
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const FIRST_INDEX = 'ix_call_requests_numbers';

const now = new Date();
const CLAIMED = { claimed_at: now, processed_at: now, caller_id: '+14155550100' };
const CALLS: [row: Row, phase: number][] = [
  [{ status: 'scheduled' }, -1],
  [{ status: 'queued' }, 0],
  [{ status: 'dialing', ...CLAIMED }, 1],
  [{ status: 'in_progress', ...CLAIMED }, 1],
  [{ status: 'dial_unknown', ...CLAIMED }, 1],
  [{ status: 'completed', ...CLAIMED, ended_at: now }, 2],
  [{ status: 'blocked', ended_at: now }, 2],
];

async function asBefore(): Promise<QueryRunner> {
  const runner = db.createQueryRunner();
  for (const migration of [new PhaseIndexes1764120050000(), new CallPhases1764120000000()]) {
    await migration.down(runner);
  }
  // The triggers of events, which are newer, give ids by it.
  await createFunctions(runner, ['new_call_id']);
  return runner;
}

test('the migration sets the phase of existing and of concurrently changed calls, and rewrites no ended call', async () => {
  const runner = await asBefore();
  const ids: string[] = [];
  for (const [row] of CALLS) ids.push((await buildCall(db, keys, row)).id);
  const rowVersions = () =>
    db.query<{ ctid: string }[]>(
      `SELECT ctid::text FROM call_requests WHERE status IN ('completed', 'blocked') ORDER BY id`,
    );
  const before = await rowVersions();
  await new CallPhases1764120000000().up(runner);
  await new PhaseIndexes1764120050000().up(runner);
  // It may be run again after a failure.
  await new PhaseIndexes1764120050000().up(runner);
  await runner.release();
  const rows = await db.query<{ id: string; phase: number }[]>('SELECT id, phase FROM call_requests');
  const phases = new Map(rows.map(({ id, phase }) => [id, phase]));
  expect(ids.map((id) => phases.get(id))).toEqual(CALLS.map(([, phase]) => phase));
  expect(await rowVersions()).toEqual(before);
});

test('another session writes calls while an index waits for an older transaction', async () => {
  const runner = await asBefore();
  await buildCall(db, keys, { status: 'queued' });
  const ended = await buildCall(db, keys, { status: 'blocked', ended_at: now });
  await new CallPhases1764120000000().up(runner);
  const [older, writer] = [0, 1].map(() => new Client({ connectionString: database.url })) as [
    Client,
    Client,
  ];
  await Promise.all([older.connect(), writer.connect()]);
  await older.query('BEGIN');
  await older.query('UPDATE call_requests SET wakes = wakes + 1 WHERE id = $1', [ended.id]);
  const migrating = new PhaseIndexes1764120050000().up(runner);
  try {
    await eventually(
      () =>
        db.query<object[]>(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ $1`, [
          `^CREATE INDEX.*${FIRST_INDEX}`,
        ]),
      (waiting) => waiting.length === 1,
    );
    await writer.query(`SET lock_timeout = '5s'`);
    const written = await writer.query(`UPDATE call_requests SET wakes = wakes + 1 WHERE status = 'queued'`);
    expect(written.rowCount).toBe(1);
  } finally {
    await older.query('COMMIT');
    await migrating;
    await Promise.all([older.end(), writer.end(), runner.release()]);
  }
  expect(await db.query(`SELECT phase FROM call_requests WHERE status = 'queued'`)).toEqual([{ phase: 0 }]);
});

describe('indexes that only the previous version reads', () => {
  const OLD = 'ix_call_requests_due';
  const isThere = async () => {
    const [row] = await db.query<{ there: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS there', [OLD]);
    return row?.there;
  };

  test.each([
    ['stay while one of its processes is connected', 'outdial', true],
    ['go with its last process', 'outdial 1764120050000', false],
  ])('%s', async (_, application_name, stays) => {
    await db.query(`CREATE INDEX ${OLD} ON call_requests (runs_at, id)`);
    const process = new Client({ connectionString: database.url, application_name });
    await process.connect();
    try {
      await migrate(database.url);
      expect(await isThere()).toBe(stays);
    } finally {
      await process.end();
    }
    await migrate(database.url);
    expect(await isThere()).toBe(false);
  });
});
