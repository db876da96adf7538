import { LARGEST_BATCH, nextBatch } from '../../src/events/outbox/sequencer.service.js';
import { RestoreCheck } from '../../src/restore/restore-check.service.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { FeedReader, numberAll } from './feed-client.js';
import { addNamed, connectTo, namesOf } from './named-events.js';

/* Where events without a number are looked for. */

let calling: Calling;
let caller: Caller;

beforeEach(async () => {
  calling = await Calling.start();
  caller = await buildCaller(calling.db);
});
afterEach(() => calling.close());

const connect = () => connectTo(calling);

test('a gap stays while its transaction may fill it, and is forgotten once it was rolled back', async () => {
  const gaps = async () => {
    const rows = await calling.db.query<{ first: string; last: string }[]>(
      'SELECT first, last FROM event_gaps WHERE found_by IS NOT NULL ORDER BY first',
    );
    return rows.map(({ first, last }) => Number(last) - Number(first) + 1);
  };
  const number = () => calling.db.query('SELECT FROM number_events(2)');
  const clients = [await connect(), await connect()] as const;
  const reader = new FeedReader(calling, caller);
  try {
    const [kept, undone] = clients;
    await kept.query('BEGIN');
    await undone.query('BEGIN');
    for (const name of ['kept 1', 'kept 2', 'kept 3']) await addNamed(kept, caller, name);
    await addNamed(calling.db, caller, 'first');
    for (const name of ['undone 1', 'undone 2']) await addNamed(undone, caller, name);
    for (const name of ['second', 'third', 'fourth']) await addNamed(calling.db, caller, name);
    // In batches of two, so that a range is looked at again behind what was taken of it.
    for (let n = 0; n < 3; n += 1) await number();
    expect(namesOf(await reader.visible())).toEqual(['first', 'second', 'third', 'fourth']);
    expect(await gaps()).toEqual([3, 2]);
    await undone.query('ROLLBACK');
    await addNamed(calling.db, caller, 'fifth');
    await number();
    // The older transaction may have written into it, as far as is known.
    expect(await gaps()).toEqual([3, 2]);
    await kept.query('COMMIT');
    for (let n = 0; n < 2; n += 1) await number();
    expect(namesOf(await reader.visible())).toEqual(['fifth', 'kept 1', 'kept 2', 'kept 3']);
    // Transactions of other databases are older ones, too.
    await eventually(
      async () => {
        await addNamed(calling.db, caller, 'later');
        await number();
        return gaps();
      },
      (left) => left.length === 0,
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test('a batch has no more events than it may, however many ranges there are', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, connect));
  try {
    for (const [n, client] of clients.entries()) {
      await client.query('BEGIN');
      for (const part of ['a', 'b']) await addNamed(client, caller, `${n}${part}`);
      await addNamed(calling.db, caller, `between ${n}`);
    }
    await numberAll(calling);
    for (const client of clients) await client.query('COMMIT');
    const numbered: number[] = [];
    for (let left = true; left;) {
      const [row] = await calling.db.query<{ numbered: number }[]>('SELECT numbered FROM number_events(3)');
      left = row !== undefined;
      if (row) numbered.push(row.numbered);
    }
    expect(numbered).toEqual([3, 3, 2]);
    const names = namesOf(await new FeedReader(calling, caller).news());
    expect(names).toEqual([
      ...[0, 1, 2, 3].map((n) => `between ${n}`),
      ...[0, 1, 2, 3].flatMap((n) => [`${n}a`, `${n}b`]),
    ]);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test('the next batch is smaller after one that took long, and at last as large as it may be', () => {
  expect(nextBatch(1_000, 5_000)).toBe(50);
  expect(nextBatch(50, 5_000)).toBe(2);
  expect(nextBatch(1, 5_000)).toBe(1);
  expect(nextBatch(1_000, 300)).toBe(500);
  expect([1, 300, LARGEST_BATCH].map((batch) => nextBatch(batch, 50))).toEqual([2, 600, LARGEST_BATCH]);
});

test('after a restore, events are numbered although their positions were given before', async () => {
  for (const name of ['one', 'two']) await addNamed(calling.db, caller, name);
  await numberAll(calling);
  await calling.db.query('TRUNCATE events, event_batches RESTART IDENTITY');
  await calling.db.query(`UPDATE database_identity SET database_oid = '1'`);
  await calling.api.get(RestoreCheck, { strict: false }).check();
  await calling.api.get(RestoreCheck, { strict: false }).check();
  await addNamed(calling.db, caller, 'three');
  expect(namesOf(await new FeedReader(calling, caller).news())).toEqual(['three']);
});
