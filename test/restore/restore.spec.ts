import { Client } from 'pg';
import { RestoreCheck } from '../../src/restore/restore-check.service.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { buildCall, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { copyDatabase, createTestDatabase } from '../support/database.js';
import { LockHolder } from '../support/lock-holder.js';

let calling: Calling;
let caller: Caller;

beforeEach(async () => {
  calling = await Calling.start();
  caller = await buildCaller(calling.db);
});
afterEach(() => calling.close());

/** What a restored database differs in. */
const OTHERS = {
  'another cluster': { system_identifier: '1' },
  'another database': { database_oid: '1' },
  'a recovery from archived log': { timeline: 999 },
};

async function restored(differs: object = { database_oid: '1' }): Promise<void> {
  const [[column, value]] = Object.entries(differs) as [[string, unknown]];
  await calling.db.query(`UPDATE database_identity SET ${column} = $1`, [value]);
}

async function restoreState(): Promise<Record<string, unknown> | null> {
  const answer = await calling.operator('get', '/restore').expect(200);
  return (answer.body as { restore: Record<string, unknown> | null }).restore;
}

async function isPaused(): Promise<boolean> {
  const [row] = await calling.db.query<{ paused: boolean }[]>('SELECT paused FROM platform_settings');
  return row?.paused === true;
}

test.each(Object.entries(OTHERS))('%s: the first process pauses the platform', async (_, differs) => {
  await calling.startWorker();
  expect([await isPaused(), await restoreState()]).toEqual([false, null]);
  await restored(differs);
  await calling.world.startApi();
  expect(await isPaused()).toBe(true);
  const [state] = await calling.db.query<object[]>(
    `SELECT restored_at IS NOT NULL AS noticed,
       system_identifier <> '1' AND database_oid <> '1' AND timeline <> 999 AS known
     FROM database_identity`,
  );
  expect(state).toEqual({ noticed: true, known: true });
  await calling.operator('post', '/resume?force=true').expect(201, { paused: false });
  await calling.world.startApi();
  expect([await isPaused(), await restoreState()]).toEqual([false, null]);
});

test('a server that hides its identity does not count as another one', async () => {
  await calling.db.query('UPDATE database_identity SET system_identifier = NULL, timeline = NULL');
  await calling.startWorker();
  expect(await isPaused()).toBe(false);
});

test('a worker detects during its run that the database was replaced', async () => {
  const worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await restored();
  await worker.get(RestoreCheck, { strict: false }).check();
  expect(await isPaused()).toBe(true);
});

test('a copy of a database is detected', async () => {
  const original = await createTestDatabase();
  const identity = async (url: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ is: string }>('SELECT check_database_identity() AS is');
      return rows[0]?.is;
    } finally {
      await client.end();
    }
  };
  expect([await identity(original.url), await identity(original.url)]).toEqual(['first', 'same']);
  const copy = await copyDatabase(original);
  expect([await identity(copy.url), await identity(copy.url)]).toEqual(['noticed', 'waiting']);
  expect(await identity(original.url)).toBe('same');
  await copy.drop();
  await original.drop();
});

describe('calls of the backup', () => {
  let worker: IdleWorker;

  /** A call that was due at the backup, one of a later opening, and one under way. */
  async function backup() {
    worker = await calling.startIdleWorker();
    const due = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const closed = await buildCaller(calling.db, {}, hoursOpeningIn(5));
    const later = await calling.accepted(closed, { phoneNumber: nextNumber() });
    const now = new Date();
    const phone_number = nextNumber();
    const contact = await buildContact(calling.db, caller.teamId, { phone_number });
    const active = await buildCall(
      calling.db,
      { team_id: caller.teamId, agent_id: caller.agentId, contact_id: contact.id, phone_number },
      {
        status: 'in_progress',
        claimed_at: now,
        processed_at: now,
        caller_id: caller.callerNumber,
        carrier: 'simulator',
      },
    );
    await restored();
    return { due, later, active: active.id };
  }

  test('calls that were due are not dialed, and wait for their carrier or an operator', async () => {
    const { due, later } = await backup();
    await calling.startWorker();
    expect(await calling.row(due)).toMatchObject({
      status: 'dial_unknown',
      reason: 'DATABASE_RESTORED',
      caller_id: caller.callerNumber,
      carrier: 'simulator',
      generation: 1,
    });
    expect((await calling.get(caller, due)).body).toMatchObject({
      history: [
        { to: 'queued' },
        { from: 'queued', to: 'dialing', cause: 'database_restored' },
        { from: 'dialing', to: 'dial_unknown', cause: 'database_restored' },
      ],
    });
    expect((await calling.row(later)).status).toBe('scheduled');
    await calling.operator('post', '/resume?force=true').expect(201);
    await calling.queue.resume();
    const witness = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await calling.until(caller, witness, 'completed');
    expect(calling.dials()).toHaveLength(1);
    const { phone_number: phoneNumber } = await calling.row(due);
    const again = await calling.trigger(caller, { phoneNumber });
    expect(again.body).toMatchObject({ reason: 'RECENTLY_CALLED' });
    expect((await worker.fire(due, 1)).kind).toBe('ignored');
  });

  test('a call whose row is locked is held by a later check, and resuming is refused until then', async () => {
    const { due } = await backup();
    const holder = await LockHolder.connect(calling);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM call_requests WHERE id = $1 FOR UPDATE', [due]);
    await calling.startWorker();
    expect((await calling.row(due)).status).toBe('queued');
    const refused = await calling.operator('post', '/resume?force=true');
    expect([refused.status, await isPaused()]).toEqual([409, true]);
    expect((refused.body as { error: string }).error).toContain('so they were not checked: 1. Resume again.');
    await holder.query('COMMIT');
    await holder.close();
    await calling.operator('post', '/resume?force=true').expect(201);
    expect(await calling.row(due)).toMatchObject({ status: 'dial_unknown', reason: 'DATABASE_RESTORED' });
  });

  test('resuming is refused for 12 hours, names the calls, and can be forced', async () => {
    const { due, active } = await backup();
    await calling.startWorker();
    const accepted = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const refused = await calling.operator('post', '/resume');
    expect(refused.status).toBe(409);
    const { error } = refused.body as { error: string };
    expect(error).toMatch(
      /^The database was restored\. If calls resume before \d{4}-\d\d-\d\dT\S+Z, a number that was called after the backup/,
    );
    expect(error).toContain('Calls to check, because they may have been dialed: 2: ');
    expect([due, active, accepted].map((id) => error.includes(id))).toEqual([true, true, false]);
    expect(await restoreState()).toMatchObject({
      callsToCheck: 2,
      newestRowAt: expect.any(String) as string,
    });
    expect([await isPaused(), calling.dials()]).toEqual([true, []]);
    await moveClock(calling.db, '11 hours');
    await calling.operator('post', '/resume').expect(409);
    await calling.operator('post', '/resume?force=perhaps').expect(400);
    await moveClock(calling.db, '12 hours 1 minute');
    await calling.operator('post', '/resume').expect(201, { paused: false });
    expect(await restoreState()).toBeNull();
    await moveClock(calling.db, '0');
    await calling.queue.resume();
    await calling.until(caller, accepted, 'completed');
  });
});
