import { OutcomeService } from '../../src/calls/dial/outcome.service.js';
import { ConcurrencySlots } from '../../src/calls/dial/concurrency-slots.js';
import { EngineWakeUps } from '../../src/queue/wake-ups.js';
import { type Report } from '../../src/calls/dial/transitions.sql.js';
import { Batchers, type BatchWork, type ItemBatcher } from '../../src/database/batch-work.js';
import { Transactions } from '../../src/database/transactions.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';
import { buildStoredCall } from '../support/number-history.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
const holder = LockHolder.ofFile(calling);

/** Batchers as in production, which show the work that they are given. */
class ShownBatchers extends Batchers {
  work: unknown;

  constructor(private readonly batchers: Batchers) {
    super();
  }

  of<Item, Value>(work: BatchWork<Item, Value>): ItemBatcher<Item, Value> {
    this.work = work;
    return this.batchers.of(work);
  }
}

async function dialingCall(caller: Caller): Promise<string> {
  const claimed = { claimed_at: new Date(), processed_at: new Date(), caller_id: caller.callerNumber };
  const { id } = await buildStoredCall(calling.db, caller, nextNumber(), {
    status: 'dialing',
    carrier: 'simulator',
    ...claimed,
  });
  return id;
}

test('reports that wait for locked rows wait in their teams’ queues, and leave them once written', async () => {
  const batchers = new ShownBatchers(worker.app.get(Batchers, { strict: false }));
  const get = <T>(token: abstract new (...args: never[]) => T): T =>
    worker.app.get<T>(token, { strict: false });
  const outcomes = new OutcomeService(
    ...([get(Transactions), get(Metrics), get(ConcurrencySlots), get(EngineWakeUps), batchers] as const),
  );
  const { teamOf } = batchers.work as BatchWork<Pick<Report, 'id'>, unknown>;
  const callers = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const calls = await Promise.all([...callers, ...callers].map(dialingCall));
  const teams = () => calls.map((id) => teamOf({ id }));

  // Without a wait each call has a queue of its own, and no report costs a look-up.
  expect(teams()).toEqual(calls);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM call_requests WHERE id = ANY($1) FOR UPDATE', [calls]);
  const reports = calls.map((id) => outcomes.apply(id, { to: 'completed', cause: 'carrier_report' }));
  try {
    await eventually(
      () => Promise.resolve(teams()),
      (found) => found.every((team, n) => team !== calls[n]),
    );
    expect(teams()).toEqual([...callers, ...callers].map(({ teamId }) => teamId));
  } finally {
    await holder.query('ROLLBACK');
  }
  expect(await Promise.all(reports)).toEqual([true, true, true, true]);
  expect(teams()).toEqual(calls);
});
