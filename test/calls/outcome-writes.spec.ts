import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { CALL_STATES, phaseOf } from '../../src/domain/call-states.js';
import { ConcurrencySlots } from '../../src/dialing/concurrency-slots/concurrency-slots.js';
import { EngineWakeUps } from '../../src/queue/wake-ups.js';
import { type Report } from '../../src/dialing/outcome/transitions.sql.js';
import { Batchers, type BatchWork, type ItemBatcher } from '../../src/database/batch-work.js';
import { Transactions } from '../../src/database/transactions.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';
import { nextNumber } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';

/* How the ends of calls are written. */

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

describe('the phase of a call', () => {
  let caller: Caller;

  beforeAll(async () => {
    caller = await buildCaller(calling.db);
  });

  interface Written {
    updates: number;
    hot: number;
    /** Those for which there was no space on the row's page. */
    moved: number;
  }

  /** Updates of calls so far, and those of them that renewed no index. */
  async function written(): Promise<Written> {
    // Only this session's own figures and those of sessions that have ended are sure to be known.
    await calling.db.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await calling.db.query('SELECT pg_stat_force_next_flush()');
    const [row] = await calling.db.query<Written[]>(
      `SELECT n_tup_upd::integer AS updates, n_tup_hot_upd::integer AS hot,
       n_tup_newpage_upd::integer AS moved
     FROM pg_stat_user_tables WHERE relname = 'call_requests'`,
    );
    return row as Written;
  }

  const CALLS = 20;

  test('transitions of an active call update no index', async () => {
    const underWay = { status: 'dialing', ended_at: null, carrier: 'simulator' };
    const ids = await Promise.all(
      Array.from({ length: CALLS }, () =>
        buildProcessedCall(calling.db, caller, nextNumber(), '5 s', underWay),
      ),
    );
    const outcomes = worker.app.get(OutcomeService);
    const before = await written();
    for (const id of ids) {
      const carrierCallId = `c-${id}`;
      await outcomes.apply(id, { to: 'in_progress', cause: 'carrier_accepted', carrierCallId });
      // It is in progress already: only the answer is reported.
      const answered = {
        callRequestId: id,
        carrierCallId,
        status: 'in_progress' as const,
        at: new Date(),
        answeredAt: new Date(),
      };
      await outcomes.recordEvent('simulator', answered);
    }
    const after = await written();
    const updates = after.updates - before.updates;
    expect(updates).toBeGreaterThanOrEqual(2 * CALLS);
    const moved = after.moved - before.moved;
    // A page may be full while another session still sees its old rows.
    expect(moved).toBeLessThan(updates);
    expect(after.hot - before.hot).toBe(updates - moved);
  });

  test('the phase follows the status, also where a statement writes only the status', async () => {
    const found: [string, number][] = [];
    for (const status of CALL_STATES) {
      const pending = ['scheduled', 'queued'].includes(status);
      const id = pending
        ? (await buildStoredCall(calling.db, caller, nextNumber(), { status })).id
        : await buildProcessedCall(calling.db, caller, nextNumber(), '1 h', { status });
      const [inserted] = await calling.db.query<{ phase: number }[]>(
        'SELECT phase FROM call_requests WHERE id = $1',
        [id],
      );
      expect([status, inserted?.phase]).toEqual([status, phaseOf(status)]);
      await calling.db.query(`UPDATE call_requests SET status = 'failed' WHERE id = $1`, [id]);
      await calling.db.query(
        `UPDATE call_requests SET status = $2, ended_at = CASE WHEN $3 THEN NULL ELSE ended_at END,
      claimed_at = CASE WHEN $3 THEN NULL ELSE claimed_at END WHERE id = $1`,
        [id, status, pending],
      );
      const [moved] = await calling.db.query<{ phase: number }[]>(
        'SELECT phase FROM call_requests WHERE id = $1',
        [id],
      );
      found.push([status, moved?.phase ?? NaN]);
    }
    expect(found).toEqual(CALL_STATES.map((status) => [status, phaseOf(status)]));
  });

  test('the id of a new call contains the instant of its acceptance', async () => {
    await moveClock(calling.db, '2 hours');
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const [row] = await calling.db.query<{ version: number; off: number }[]>(
      `SELECT uuid_extract_version(id) AS version,
       abs(extract(epoch FROM uuid_extract_timestamp(id) - accepted_at))::float8 AS off
     FROM call_requests WHERE id = $1`,
      [id],
    );
    await moveClock(calling.db, '0');
    expect(row?.version).toBe(7);
    expect(row?.off).toBeLessThan(0.005);
  });
});

describe('reports of locked rows', () => {
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
      get(Transactions),
      get(Metrics),
      get(ConcurrencySlots),
      get(EngineWakeUps),
      batchers,
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
});
