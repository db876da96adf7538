import { EVENT_TYPES } from '../../src/events/event-types.js';
import { EventRetentionService } from '../../src/events/outbox/event-retention.service.js';
import { SequencerService } from '../../src/events/outbox/sequencer.service.js';
import { READ_EVENTS } from '../../src/events/feed/feed.sql.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { fresh, grown } from '../operations/samples.js';
import { indexesOf, planningClient, planOf } from '../performance/plan-node.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { moveClock } from '../support/clock.js';
import { eventsBy, FeedReader, getEvents, numberAll } from './feed-client.js';

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  worker = await calling.startIdleWorker();
  // Events get their numbers when a test says so.
  await worker.app.get(SequencerService).beforeApplicationShutdown();
});
afterAll(() => calling.close());
beforeEach(async () => {
  await moveClock(calling.db, '0');
  caller = await buildCaller(calling.db);
});

/** Writes so many events of a type whose data says their order. */
async function write(
  count: number,
  type = 'import.finished',
  { teamId } = caller,
  padding = '',
): Promise<void> {
  await calling.db.query(
    `SELECT add_event($1, $2, NULL, jsonb_build_object('n', n, 'padding', $4::text)) FROM generate_series(1, $3::integer) n`,
    [teamId, type, count, padding],
  );
  await numberAll(calling);
}

const sequences = async (query = '') =>
  (await eventsBy(calling, caller, query)).items.map(({ sequence }) => sequence);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

test('events come in their order, 50 unless said, and each once', async () => {
  expect(await eventsBy(calling, caller)).toEqual({ items: [], nextAfter: 0 });
  await write(120);
  const page = await eventsBy(calling, caller);
  expect([page.items.map(({ sequence }) => sequence), page.nextAfter]).toEqual([upTo(50), 50]);
  expect(page.items.map(({ data }) => data.n)).toEqual(upTo(50));
  expect(await sequences('?after=118&limit=200')).toEqual([119, 120]);
  expect(await eventsBy(calling, caller, '?after=120')).toEqual({ items: [], nextAfter: 120 });
  expect(await eventsBy(calling, caller, '?after=9000')).toEqual({ items: [], nextAfter: 9000 });
  const all = await new FeedReader(calling, caller).news();
  expect(all.map(({ sequence }) => sequence)).toEqual(upTo(120));
  expect(new Set(all.map(({ id }) => id)).size).toBe(120);
});

test('an event without a number is not there yet', async () => {
  await calling.db.query(`SELECT add_event($1, 'import.finished', NULL, '{}')`, [caller.teamId]);
  const [event] = await new FeedReader(calling, caller).news();
  expect(event).toMatchObject({ type: 'import.finished', teamId: caller.teamId, sequence: 1 });
  expect(new Date(event?.timestamp ?? '').toISOString()).toBe(event?.timestamp);
});

test('a filter by types never makes a reader look at events again', async () => {
  await write(30);
  await write(2, 'enrollment.ended');
  await write(30);
  const query = '?types=enrollment.ended,call.ended&limit=1';
  const first = await eventsBy(calling, caller, query);
  expect([first.items.map(({ sequence }) => sequence), first.nextAfter]).toEqual([[31], 31]);
  const second = await eventsBy(calling, caller, `${query}&after=31`);
  expect([second.items.map(({ sequence }) => sequence), second.nextAfter]).toEqual([[32], 32]);
  expect(await eventsBy(calling, caller, `${query}&after=32`)).toEqual({ items: [], nextAfter: 62 });
  expect(await eventsBy(calling, caller, `${query}&after=62`)).toEqual({ items: [], nextAfter: 62 });
});

test('a page ends before it is too large', async () => {
  await write(12, 'import.finished', caller, 'x'.repeat(200_000));
  const page = await eventsBy(calling, caller);
  expect([page.items.length, page.nextAfter]).toEqual([4, 4]);
  expect((await new FeedReader(calling, caller).news()).map(({ sequence }) => sequence)).toEqual(upTo(12));
});

test('a team reads its own events, with numbers of its own', async () => {
  const stranger = await buildCaller(calling.db);
  await write(2);
  await write(3, 'import.finished', stranger);
  await write(2);
  expect(await sequences()).toEqual(upTo(4));
  expect((await eventsBy(calling, stranger)).items.map(({ sequence, teamId }) => [sequence, teamId])).toEqual(
    upTo(3).map((n) => [n, stranger.teamId]),
  );
  expect((await getEvents(calling, { apiKey: 'od_unknown' })).status).toBe(401);
});

test.each([
  ['?after=-1', 'after must be the sequence of an event, or 0'],
  ['?after=1.5', 'after must be the sequence of an event, or 0'],
  ['?after=9007199254740992', 'after must be the sequence of an event, or 0'],
  ['?limit=201', 'limit must be a whole number from 1 to 200'],
  ['?types=call.ended,call.gone', `types: call.gone is not one of ${EVENT_TYPES.join(', ')}`],
  ['?types=', `types: an item is not one of ${EVENT_TYPES.join(', ')}`],
  ['?cursor=x', 'cursor is not a parameter of this list'],
  ['?type=call.ended', 'type is not a parameter of this list'],
])('%s is 400', async (query, error) => {
  const answer = await getEvents(calling, caller, query);
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([400, error]);
});

describe('the retention', () => {
  beforeEach(() => calling.db.query('TRUNCATE events, event_batches, event_sequences'));

  const remove = () => worker.app.get(EventRetentionService).removeEvents(new AbortController().signal);

  test('removes what is older than the days of the team, in order, and a reader that missed events gets 410', async () => {
    await write(1_200);
    await moveClock(calling.db, '6 days 23 hours');
    await write(3);
    expect(await remove()).toBe(0);
    await moveClock(calling.db, '7 days 1 hour');
    const before = await fresh(worker.app);
    expect(await remove()).toBe(1_200);
    const after = await fresh(worker.app);
    expect(grown(before, after, 'outdial_retention_removed_rows_total{table="events"}')).toBe(1_200);
    expect(await sequences()).toEqual([1_201, 1_202, 1_203]);
    expect(await sequences('?after=1200')).toEqual([1_201, 1_202, 1_203]);
    const gone = await getEvents(calling, caller, '?after=1199');
    expect([gone.status, gone.body]).toEqual([
      410,
      { error: 'Events after 1199 are no longer kept; the oldest is 1201', oldest: 1_201 },
    ]);
    await moveClock(calling.db, '15 days');
    expect(await remove()).toBe(3);
    expect(await eventsBy(calling, caller)).toEqual({ items: [], nextAfter: 0 });
    expect(await eventsBy(calling, caller, '?after=1203')).toEqual({ items: [], nextAfter: 1_203 });
    expect((await getEvents(calling, caller, '?after=1202')).body).toMatchObject({ oldest: 1_204 });
    await write(1);
    expect(await sequences()).toEqual([1_204]);
  });

  test('keeps events of a team without an end, and those without a number', async () => {
    const patch = (eventRetentionDays: number | null) =>
      calling.operated('patch', `/teams/${caller.teamId}`, { eventRetentionDays });
    await patch(null);
    await write(2);
    await moveClock(calling.db, '400 days');
    expect(await remove()).toBe(0);
    await patch(1);
    // Unnumbered and older than what has numbers.
    await calling.db.query(
      `INSERT INTO events (id, team_id, type, at, data) VALUES (gen_random_uuid(), $1, 'import.finished', '2020-01-01', '{}')`,
      [caller.teamId],
    );
    expect(await remove()).toBe(2);
    await numberAll(calling);
    expect(await sequences()).toEqual([3]);
  });

  test('stops at the first event that is not old', async () => {
    await moveClock(calling.db, '5 days');
    await write(1);
    await moveClock(calling.db, '0');
    await write(2);
    await moveClock(calling.db, '8 days');
    expect(await remove()).toBe(0);
    expect(await sequences()).toEqual([1, 2, 3]);
  });
});

test('a page is read by indexes, however many events there are', async () => {
  await calling.db.query(
    `INSERT INTO events (id, team_id, type, at, data)
     SELECT gen_random_uuid(), $1, CASE WHEN n = 29000 THEN 'call.ended' ELSE 'import.finished' END, now(), '{}'
     FROM generate_series(1, 30000) n`,
    [caller.teamId],
  );
  for (let n = 0; n < 3_000; n += 1) await calling.db.query('SELECT FROM number_events(10)');
  await calling.db.query('ANALYZE events, event_batches');
  expect(await sequences('?after=29998')).toEqual([29_999, 30_000]);
  // Behind the first window of a read by types.
  expect(await eventsBy(calling, caller, '?types=call.unknown')).toEqual({ items: [], nextAfter: 20_000 });
  const client = await planningClient(calling.world.config.databaseUrl);
  try {
    await client.query(`SET ROLE ${RESTRICTED_ROLE}`);
    const plan = await planOf(client, READ_EVENTS.text);
    expect(JSON.stringify(plan)).not.toContain('"Seq Scan"');
    expect(indexesOf(plan)).toEqual(
      expect.arrayContaining(['pk_event_batches', 'pk_events', 'pk_event_sequences']),
    );
  } finally {
    await client.end();
  }
});
