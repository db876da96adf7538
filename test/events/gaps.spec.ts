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
  const number = () => calling.db.query('SELECT FROM number_events(0, 2)');
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
