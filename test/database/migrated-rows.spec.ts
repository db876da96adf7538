import { type DataSource, type QueryRunner } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { CallDetails1764120100000 } from '../../migrations/1764120100000-call-details.js';
import { buildWorld, callOf } from './world.js';
import { FarSlots1764020000000 } from '../../migrations/1764020000000-far-slots.js';
import { EventBatches1764270000000 } from '../../migrations/1764270000000-event-batches.js';
import { NumbersApart1764270100000 } from '../../migrations/1764270100000-numbers-apart.js';
import { miscounted } from '../campaigns/support/recount.js';
import {
  buildAgent,
  buildCall,
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildTeam,
  nextNumber,
} from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildDials } from '../support/enrollment-builders.js';

const MIGRATION = 'CampaignCounts1764110100000';

/* What single migrations, and their reverts, do to existing rows. */

let database: TestDatabase;
let db: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

test('the migration counts existing enrollments once, also those that are written meanwhile', async () => {
  const { id: team } = await buildTeam(db);
  const campaign = await buildCampaign(db, team);
  const enroll = async (row: object = {}) => {
    const { id: contactId } = await buildContact(db, team);
    const version = campaign.current_version_id;
    const keys = { team_id: team, campaign_id: campaign.id, contact_id: contactId, version_id: version };
    const { id } = await buildEnrollment(db, keys, { ...row });
    return { id, team, campaignId: campaign.id, contactId };
  };
  await enroll({ status: 'active', waiting_for: 'retry' });
  await buildDials(db, await enroll({ status: 'completed', end_reason: 'reached' }), ['busy', 'completed']);
  await buildDials(db, await enroll({ status: 'active', waiting_for: 'outcome' }), ['dial_unknown']);
  for (let reverted: string[] = []; !reverted.includes(MIGRATION);) {
    reverted = await migrate(database.url, 'revert');
    if (reverted.length === 0) throw new Error('never reverted');
  }

  let migrating = true;
  let written = 0;
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (migrating) {
        const { id } = await enroll();
        await db.query(`UPDATE enrollments SET waiting_for = 'after' WHERE id = $1`, [id]);
        written += 1;
      }
    }),
  );
  expect(await migrate(database.url)).toContain(MIGRATION);
  migrating = false;
  await writing;
  expect(written).toBeGreaterThan(0);
  expect(await miscounted(db)).toEqual([]);
});

describe('the details of calls', () => {
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
      details(1, {
        decision: { n: 3 },
        prompt: 'Hello',
        first_message: 'Hi',
        variables: { offer: 'winter' },
      }),
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
      {
        id: pending,
        decisions: [{ n: 4 }],
        prompt: null,
        first_message: null,
        variables: { offer: 'spring' },
      },
    ]);
  });
});

describe('far openings', () => {
  const DAY = 86_400_000;

  test('calls that wait for a far opening expire 24 hours after it; other calls are unchanged', async () => {
    const now = Date.now();
    const days = (count: number) => new Date(now + count * DAY);
    const { id: team_id } = await buildTeam(db);
    const { id: agent_id } = await buildAgent(db, team_id);
    const call = async (opening: number, expiry: number, row: object = {}) => {
      const { id: contact_id, phone_number } = await buildContact(db, team_id);
      const keys = { team_id, agent_id, contact_id, phone_number };
      const times = { status: 'scheduled', runs_at: days(opening), expires_at: days(expiry) };
      return (await buildCall(db, keys, { ...times, ...row })).id;
    };
    const rescheduled = {
      history: [{ at: '', from: 'queued', to: 'scheduled', cause: 'outside_calling_hours' }],
    };
    const runner = db.createQueryRunner();
    const migration = new FarSlots1764020000000();
    await migration.down(runner);
    const calls = [
      [await call(3, 4), 4],
      [await call(6.5, 7), 7.5],
      [await call(30, 7), 31],
      [await call(6.5, 7, rescheduled), 7.5],
      [await call(30, 7, rescheduled), 7],
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
});

describe('the numbers of events', () => {
  let runner: QueryRunner;

  beforeEach(() => {
    runner = db.createQueryRunner();
  });
  afterEach(() => runner.release());

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
});
