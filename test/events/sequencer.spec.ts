import { type Client, Pool } from 'pg';
import { SequencerService } from '../../src/events/outbox/sequencer.service.js';
import { RestoreCheck } from '../../src/restore/restore-check.service.js';
import { fresh, grown } from '../operations/samples.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { EventReader } from '../../tools/faults/event-reader.js';
import { type History } from '../../tools/faults/history.js';
import { checkEvents } from '../../tools/faults/check-events.js';
import { sabotageDatabase } from '../../tools/faults/sabotage-database.js';
import { type Tenant } from '../../tools/faults/tenants.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { nextNumber } from '../support/builders.js';
import { FeedReader, numberAll } from './feed-client.js';
import { addNamed, connectTo, namesOf } from './named-events.js';

/* Numbers appear in their order, whatever the order in which transactions commit. */

let calling: Calling;
let callers: Caller[];

beforeEach(async () => {
  calling = await Calling.start();
  callers = [await buildCaller(calling.db), await buildCaller(calling.db), await buildCaller(calling.db)];
});
afterEach(() => calling.close());

const own = () => callers[0] as Caller;

const connect = () => connectTo(calling);

test('transactions that commit in the reverse order of their writes: readers miss nothing', async () => {
  const reader = new FeedReader(calling, own());
  const clients = await Promise.all(Array.from({ length: 6 }, connect));
  try {
    for (const [n, client] of clients.entries()) {
      await client.query('BEGIN');
      await addNamed(client, own(), `slow ${n}`);
    }
    const seen = [];
    for (const [n, client] of [...clients.entries()].reverse()) {
      await addNamed(calling.db, own(), `between ${n}`);
      seen.push(...namesOf(await reader.news()));
      await client.query('COMMIT');
      seen.push(...namesOf(await reader.news()));
    }
    const expected = [5, 4, 3, 2, 1, 0].flatMap((n) => [`between ${n}`, `slow ${n}`]);
    expect(seen).toEqual(expected);
    // What was read one by one is the order for every reader.
    expect(namesOf(await new FeedReader(calling, own()).news())).toEqual(expected);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test('within one batch, each team’s events are numbered in the order of their writes', async () => {
  const clients = await Promise.all(callers.map(connect));
  try {
    for (const client of clients) await client.query('BEGIN');
    for (let n = 0; n < 30; n += 1) {
      const client = clients[n % clients.length] as Client;
      await addNamed(client, callers[(n * 7) % callers.length] as Caller, `${n}`);
    }
    for (const client of clients.reverse()) await client.query('COMMIT');
    for (const caller of callers) {
      const events = await new FeedReader(calling, caller).news();
      const order = events.map(({ data }) => Number(data.name));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(events.map(({ sequence }) => sequence)).toEqual(order.map((_, n) => n + 1));
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test('several sequencers and readers beside parallel writers: no gap, no duplicate, none with a lower number than one that was read', async () => {
  const workers = [await calling.startWorker(), await calling.startWorker()];
  const before = await Promise.all(workers.map((worker) => fresh(worker)));
  const clients = await Promise.all(Array.from({ length: 5 }, connect));
  const PER_CLIENT = 60;
  const total = clients.length * PER_CLIENT;
  const read = callers.map((): number[] => []);
  const readers = callers.map((caller) => new FeedReader(calling, caller));
  try {
    const write = async (client: Client, w: number) => {
      for (let n = 0; n < PER_CLIENT; n += 1) {
        await client.query('BEGIN');
        await addNamed(client, callers[(n + w) % callers.length] as Caller, `${w} ${n}`);
        // Every third one rolls back what it wrote last: its position is a gap.
        await client.query('SAVEPOINT one');
        if (n % 3 === 0) await addNamed(client, callers[n % callers.length] as Caller, 'undone');
        await client.query('ROLLBACK TO one');
        await client.query('COMMIT');
      }
    };
    const writing = Promise.all(clients.map(write));
    await eventually(
      async () => {
        for (const [n, reader] of readers.entries()) {
          read[n]?.push(...(await reader.visible()).map(({ sequence }) => sequence));
        }
        return read.flat().length;
      },
      (count) => count >= total,
    );
    await writing;
    for (const sequences of read) expect(sequences).toEqual(sequences.map((_, n) => n + 1));
    expect(read.flat()).toHaveLength(total);
    const after = await Promise.all(workers.map((worker) => fresh(worker)));
    const counted = after.map((one, n) => grown(before[n] ?? {}, one, 'outdial_events_numbered_total'));
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(total);
    expect(after[0]?.outdial_events_unnumbered).toBe(0);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test('an event whose row is held is left for later, and delays no other', async () => {
  await addNamed(calling.db, own(), 'held');
  await addNamed(calling.db, own(), 'free');
  const holder = await connect();
  const reader = new FeedReader(calling, own());
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM events WHERE data->>'name' = 'held' FOR UPDATE`);
    await calling.db.query('SELECT FROM number_events(100)');
    expect(namesOf(await reader.visible())).toEqual(['free']);
    await holder.query('COMMIT');
    expect(namesOf(await reader.news())).toEqual(['held']);
  } finally {
    await holder.end();
  }
});

test('the sequencer numbers batch after batch, and finds events that were committed late', async () => {
  const worker = await calling.startIdleWorker();
  const sequencer = worker.app.get(SequencerService);
  const late = await connect();
  try {
    await late.query('BEGIN');
    await addNamed(late, own(), 'late');
    await calling.db.query(
      `SELECT add_event($1, 'import.finished', NULL, '{}') FROM generate_series(1, 12000)`,
      [own().teamId],
    );
    await eventually(
      () => calling.db.query<{ events: number }[]>('SELECT events FROM count_unnumbered_events()'),
      ([row]) => row?.events === 0,
    );
    await sequencer.run(new AbortController().signal);
    await late.query('COMMIT');
    const reader = new FeedReader(calling, own());
    const seen: { sequence: number; data: Record<string, unknown> }[] = [];
    await eventually(
      async () => seen.push(...(await reader.visible())),
      (length) => length === 12_001,
    );
    expect([seen.at(-1)?.data, seen.at(-1)?.sequence]).toEqual([{ name: 'late' }, 12_001]);
  } finally {
    await late.end();
  }
});

test('after a restore, numbers are beyond all that readers may have seen', async () => {
  await addNamed(calling.db, own(), 'before');
  await numberAll(calling);
  const due = await buildCaller(calling.db, {}, hoursOpeningIn(2));
  const id = await calling.accepted(due, { phoneNumber: nextNumber() });
  await calling.db.query(`UPDATE call_requests SET runs_at = accepted_at WHERE id = $1`, [id]);
  const reader = new FeedReader(calling, due);
  expect((await reader.news()).map(({ type }) => type)).toEqual(['call.scheduled', 'call.scheduled']);
  await calling.db.query(`UPDATE database_identity SET database_oid = '1'`);
  await calling.api.get(RestoreCheck, { strict: false }).check();
  await calling.api.get(RestoreCheck, { strict: false }).check();
  for (const caller of callers) await addNamed(calling.db, caller, 'after');
  const sequencesOf = async (caller: Caller) =>
    (await new FeedReader(calling, caller).news()).map(({ sequence }) => sequence);
  expect(await sequencesOf(own())).toEqual([1, 1_000_002]);
  expect(await sequencesOf(callers[1] as Caller)).toEqual([1_000_001]);
  const held = await reader.news();
  expect(held.map(({ type, sequence, data }) => [type, sequence, data.reason])).toEqual([
    ['call.unknown', 1_000_003, 'DATABASE_RESTORED'],
  ]);
});

test('numbers that are given before the commit appear after higher ones, and the fault harness finds it', async () => {
  const pool = new Pool({ connectionString: calling.world.config.databaseUrl });
  const slow = await connect();
  await sabotageDatabase(pool, 'events');
  const reader = new EventReader(await calling.api.getUrl(), [own() as unknown as Tenant]);
  const read = (count: number) =>
    eventually(
      () => Promise.resolve(reader.events.length),
      (length) => length === count,
    );
  try {
    await slow.query('BEGIN');
    await addNamed(slow, own(), 'slow');
    await addNamed(pool, own(), 'quick');
    await read(1);
    await slow.query('COMMIT');
    await addNamed(pool, own(), 'last');
    await read(2);
    expect(await reader.finish(30_000)).toBe(true);
    const { rows: stored } = await pool.query<{ teamId: string; sequence: number }>(
      'SELECT team_id AS "teamId", last::float8 AS sequence FROM event_batches',
    );
    const found = checkEvents({ calls: [], events: { read: reader.events, stored } } as unknown as History);
    expect(found.map(({ kind }) => kind)).toEqual(['event behind']);
  } finally {
    await reader.stop();
    await Promise.all([slow.end(), pool.end()]);
  }
});
