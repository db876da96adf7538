import { Enrolled } from './campaign-enrollments.js';
import { fill, SQL } from './data.js';
import { startWorkers } from './herd-drain.js';
import { type Stack } from './stack.js';
import { percentile } from './load.js';
import { figure, missedTargets, table } from './table.js';

const SLOTS = 5;
const TALK_MS = 200;
/** What a call has caused is in effect within this time. */
const BOUND_MS = 5_000;
const CAMPAIGN_OF_BENCH = `md5('campaign that calls')::uuid`;

interface Options {
  /** Enrollments that are due at one instant. */
  backlog: number;
  /** Live enrollments of the campaign that is paused. */
  waiting: number;
  workers: number;
  seconds: number;
}

/**
 * `npm run bench -- campaigns --backlog 50000 [--waiting 1000000] [--workers 2] [--seconds 60]`: how soon what calls
 * cause is in effect while a backlog waits for five concurrency slots, and what a pause costs.
 */
export async function backlog(stack: Stack, options: Options): Promise<string> {
  const contacts = options.backlog + options.waiting;
  const group = { firstTeam: 0, teams: 1, firstContact: 0, contacts, calls: 0, maxConcurrentCalls: SLOTS };
  console.error('Filling the database …');
  await fill(stack.db, [group]);
  const enrolled = await Enrolled.prepare(stack, group);
  await enrolled.enroll(0, options.backlog, new Date());
  console.error('Calling …');
  const workers = await startWorkers(stack, options.workers, { SIMULATOR_TALK_MS: String(TALK_MS) });
  await pause(options.seconds * 1_000);
  const lags = await settledAfter(stack);
  const { rows: seen } = await stack.db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM enrollments WHERE campaign_id = ${CAMPAIGN_OF_BENCH} AND waiting_for = 'concurrency'`,
  );
  for (const worker of workers) await worker.stop();
  await stack.db.query(`DELETE FROM enrollments WHERE campaign_id = ${CAMPAIGN_OF_BENCH}`);
  console.error('Enrolling for the pause …');
  await enrolled.enroll(options.backlog, options.waiting, new Date(Date.now() + 30 * 86_400_000));
  const paused = await pauseOf(stack);
  const inTime = lags.filter((ms) => ms <= BOUND_MS).length / lags.length;
  return table(
    ['', 'measured', 'target'],
    targeted([
      ['enrollments due at one instant', figure(options.backlog), ''],
      [`calls that ended in ${options.seconds} s, with ${SLOTS} slots`, figure(lags.length), ''],
      [`of these, settled within ${BOUND_MS / 1_000} s`, figure(inTime, 4), '≥ 0.99'],
      ['from the end of a call to the end of its enrollment, p99, ms', figure(percentile(lags, 0.99)), ''],
      ['known to wait for a slot', figure(seen[0]?.n ?? NaN), ''],
      ['live enrollments of the paused campaign', figure(options.waiting), ''],
      ['answer to the pause, ms', figure(paused.answerMs), '≤ 1000'],
      ['answer that shows it, `waitingFor` and `whyNot`, ms', figure(paused.readMs), '≤ 1000'],
      ['rows of enrollments that the pause wrote', figure(paused.written), '≤ 0'],
    ]),
  );
}

function targeted(rows: string[][]): string[][] {
  console.error(missedTargets(rows));
  return rows;
}

/**
 * For each call that ended, but for those of the last seconds: milliseconds until its enrollment ended. A call
 * whose enrollment has not ended counts as not settled at all.
 */
async function settledAfter(stack: Stack): Promise<number[]> {
  const { rows } = await stack.db.query<{ ms: number | null }>(
    `SELECT extract(epoch FROM e.ended_at - r.ended_at)::float8 * 1000 AS ms
     FROM call_requests r JOIN enrollments e ON e.id = r.enrollment_id
     WHERE r.status = 'completed' AND r.ended_at < now() - interval '${BOUND_MS} ms'`,
  );
  return rows.map(({ ms }) => ms ?? Infinity).sort((a, b) => a - b);
}

async function pauseOf(stack: Stack) {
  const api = await stack.startApi();
  const worker = await stack.startWorker();
  await pause(5_000);
  const { rows } = await stack.db.query<{ id: string; team: string; campaign: string }>(
    `SELECT e.id, ${SQL.team('0')} AS team, e.campaign_id AS campaign FROM enrollments e WHERE e.campaign_id = ${CAMPAIGN_OF_BENCH} LIMIT 1`,
  );
  const { id, team, campaign } = rows[0]!;
  const path = `${api.url}/api/admin/teams/${team}/campaigns/${campaign}`;
  const before = await updated(stack);
  const [answerMs] = await timed(path, 'PATCH', { status: 'paused' });
  const [readMs, read] = await timed(`${path}/enrollments/${id}`, 'GET');
  const [, stats] = await timed(`${path}/stats`, 'GET');
  const shown = JSON.stringify([read, stats]);
  if (
    !shown.includes('"waitingFor":"paused"') ||
    !shown.includes('"rule":"paused"') ||
    !/"paused":\d+/.test(shown)
  ) {
    throw new Error(`the pause is not shown: ${shown.slice(0, 2_000)}`);
  }
  await pause(5_000);
  await worker.stop();
  const written = (await updated(stack)) - before;
  await api.stop();
  return { answerMs, readMs, written };
}

async function timed(url: string, method: string, body?: object): Promise<[number, unknown]> {
  const started = performance.now();
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: 'Bearer operator-token-of-the-benchmark',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const value: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${JSON.stringify(value)}`);
  return [performance.now() - started, value];
}

/** Rows of enrollments that were updated so far. */
async function updated(stack: Stack): Promise<number> {
  const { rows } = await stack.db.query<{ n: number }>(
    `SELECT n_tup_upd::float8 AS n FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
  );
  return rows[0]?.n ?? NaN;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
