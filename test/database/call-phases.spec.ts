import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { CALL_STATES, type CallState, isFinal, isPending, phaseOf } from '../../src/domain/call-states.js';
import { buildAgent, buildCall, buildContact, buildTeam, type Row } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/* Triggers set the phase of a call for statements that name only its status, such as a correction by hand. */

let database: TestDatabase;
let db: DataSource;
let keys: Row;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  const { id: team_id } = await buildTeam(db);
  const { id: agent_id } = await buildAgent(db, team_id);
  const { id: contact_id, phone_number } = await buildContact(db, team_id);
  keys = { team_id, agent_id, contact_id, phone_number };
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const now = new Date();

const rowOf = (status: CallState): Row => ({
  status,
  ...(!isPending(status) && { claimed_at: now, processed_at: now, caller_id: '+14155550100' }),
  ended_at: isFinal(status) ? now : null,
});

async function phaseOfRow(id: string): Promise<number | undefined> {
  const [row] = await db.query<{ phase: number }[]>('SELECT phase FROM call_requests WHERE id = $1', [id]);
  return row?.phase;
}

test.each(CALL_STATES)('an inserted or updated call that is %s', async (status) => {
  const inserted = await buildCall(db, keys, rowOf(status));
  expect(await phaseOfRow(inserted.id)).toBe(phaseOf(status));

  const { id } = await buildCall(db, keys, rowOf(status === 'queued' ? 'scheduled' : 'queued'));
  const row = rowOf(status);
  const columns = Object.keys(row);
  await db.query(
    `UPDATE call_requests SET ${columns.map((name, n) => `${name} = $${n + 2}`).join(', ')} WHERE id = $1`,
    [id, ...Object.values(row)],
  );
  expect(await phaseOfRow(id)).toBe(phaseOf(status));
});
