/**
 * `npm run bench -- campaigns [--due 100000] [--waiting 1000000] [--workers 2] [--rounds 3] [--calls 5000]
 * [--seconds 60] [--idle 20] [--out file]`: what enrollments cost that wait, and how
 * fast those are called that are due at one instant.
 */
import { parseArgs } from 'node:util';
import { type Claimed, Enrolled } from './campaign-enrollments.js';
import { backlog } from './campaign-backlog.js';
import { type Idle, idle, tableScans } from './campaign-idle.js';
import { apiKeyOf, fill } from './data.js';
import { type Exported, exportOnce } from './exports.js';
import { startWorkers } from './herd-drain.js';
import { callsQueue, drainDue } from './queue-bench.js';
import { publish } from './page.js';
import { type Measured, Stack } from './stack.js';
import { figure, median, missedTargets, table } from './table.js';

interface Options {
  due: number;
  waiting: number;
  workers: number;
  rounds: number;
  calls: number;
  seconds: number;
  idle: number;
  /** Instead of all else: see `campaign-backlog.ts`. */
  backlog: number;
}

/** Longer than it takes to enroll, to vacuum and to write a checkpoint: none of it is beside the claims. */
const PREPARATION_MS = 10_000;

/**
 * Without calls of other days, Postgres would plan the statements of both kinds for a table that is empty.
 */
const EARLIER_CALLS = 20_000;

interface Rates {
  /** Claims a second, of each round. */
  campaign: number[];
  plain: number[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      due: { type: 'string', default: '100000' },
      waiting: { type: 'string', default: '1000000' },
      workers: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      calls: { type: 'string', default: '5000' },
      seconds: { type: 'string', default: '60' },
      idle: { type: 'string', default: '20' },
      backlog: { type: 'string', default: '0' },
      out: { type: 'string' },
    },
  });
  const { out, ...numbers } = values;
  const options = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Options;
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    if (options.backlog > 0) {
      console.error(`\n${await backlog(stack, options)}`);
      return;
    }
    await publish('campaigns', await measure(stack, options), out);
  } finally {
    await stack.close();
  }
}

async function measure(stack: Stack, options: Options): Promise<string> {
  const { due, waiting, calls } = options;
  const contacts = Math.max(due, calls) + waiting;
  const group = {
    firstTeam: 0,
    teams: 1,
    firstContact: 0,
    contacts,
    calls: Math.min(contacts, EARLIER_CALLS),
  };
  console.error('Filling the database …');
  await fill(stack.db, [group]);
  const enrolled = await Enrolled.prepare(stack, group);
  const none = await idle(stack, options.idle);
  await enrolled.enroll(Math.max(due, calls), waiting, new Date(Date.now() + 30 * 86_400_000));
  const many = await idle(stack, options.idle);
  console.error('Results of all of them …');
  const results = await resultsOf(stack, enrolled);
  console.error('Claims, in turn …');
  const rates = await claimRates(stack, enrolled, options);
  console.error('All at one instant …');
  const dueAt = new Date(Date.now() + 10_000 + due / 10);
  await enrolled.enroll(0, due, dueAt);
  const workers = await startWorkers(stack, options.workers);
  await new Promise((resolve) => setTimeout(resolve, dueAt.getTime() - Date.now()));
  const before = await tableScans(stack);
  await new Promise((resolve) => setTimeout(resolve, options.seconds * 1_000));
  await stopAll(workers);
  const scans = (await tableScans(stack)) - before;
  const statsMs = await enrolled.statsMs();
  const herd = await enrolled.claimed();
  return reportOf({ options, none, many, results, rates, herd, dueAt, scans, statsMs });
}

interface Results extends Exported {
  /** Of large tables, while they were read. */
  scans: number;
}

/** The results of the campaign, as CSV. */
async function resultsOf(stack: Stack, enrolled: Enrolled): Promise<Results> {
  const api = await stack.startApi();
  const path = `/api/campaigns/${await enrolled.campaignId()}/results?format=csv`;
  const before = await tableScans(stack);
  const exported = await exportOnce(api, apiKeyOf(enrolled.group.firstTeam), path);
  await api.stop();
  return { ...exported, scans: (await tableScans(stack)) - before };
}

/** Of calls that triggers left due, and of enrollments that are due, each to their ends, in turn. */
async function claimRates(stack: Stack, enrolled: Enrolled, { workers: count, rounds, calls }: Options) {
  const queue = callsQueue(stack);
  await queue.waitUntilReady();
  const workers = await startWorkers(stack, count);
  const rates: Rates = { campaign: [], plain: [] };
  // The first round compiles, and fills caches.
  for (let round = 0; round <= rounds; round += 1) {
    await drainDue(stack, queue, enrolled.group, calls);
    const plain = await enrolled.claimedCalls();
    await enrolled.clean();
    const due = Date.now() + PREPARATION_MS;
    await enrolled.enroll(0, calls, new Date(due));
    if (Date.now() > due)
      throw new Error(`${PREPARATION_MS} ms were too short to prepare ${calls} enrollments`);
    await enrolled.drained();
    const campaign = await enrolled.claimedCalls();
    await enrolled.clean();
    console.error(
      `${round === 0 ? 'warm-up' : `round ${round}`}  ${figure(campaign.perSecond)} of the campaign, ${figure(plain.perSecond)} plain`,
    );
    if (round === 0) continue;
    rates.campaign.push(campaign.perSecond);
    rates.plain.push(plain.perSecond);
  }
  await stopAll(workers);
  await queue.close();
  return rates;
}

async function stopAll(workers: Measured[]): Promise<void> {
  for (const worker of workers) await worker.stop();
}

function reportOf(found: {
  options: Options;
  none: Idle;
  many: Idle;
  results: Results;
  rates: Rates;
  herd: Claimed;
  dueAt: Date;
  scans: number;
  statsMs: number;
}): string {
  const { options, none, many, results, rates, herd, dueAt, scans, statsMs } = found;
  const ratios = rates.campaign.map((rate, round) => rate / (rates.plain[round] ?? NaN));
  const late = herd.first === null ? NaN : (herd.first.getTime() - dueAt.getTime()) / 1_000;
  const rows = [
    ['enrollments that wait', figure(options.waiting), ''],
    ['scans of large tables, while nothing is due', figure(many.scans), '≤ 0'],
    ['rows of enrollments that an idle second reads', figure(many.rows, 1), '≤ 10'],
    ['the same with none', figure(none.rows, 1), ''],
    ['CPU of Postgres in an idle second, ms', figure(many.postgresMs, 1), ''],
    ['the same with none', figure(none.postgresMs, 1), ''],
    ['CPU of the worker in an idle second, ms', figure(many.nodeMs, 1), ''],
    ['the same with none', figure(none.nodeMs, 1), ''],
    ['rows of the results as CSV', figure(results.rows), ''],
    ['rows of them a second', figure(results.rows / results.seconds), ''],
    ['growth of the API meanwhile, MB', figure(results.growth), ''],
    ['of it after the first 16 MB of the file', figure(results.laterGrowth), ''],
    ['scans of large tables meanwhile', figure(results.scans), '≤ 0'],
    ['claims a second of plain firings', figure(median(rates.plain)), ''],
    ['claims a second of a campaign', figure(median(rates.campaign)), ''],
    ['campaign ÷ plain', figure(median(ratios), 2), '≥ 0.8'],
    ['enrollments due at one instant', figure(options.due), ''],
    [`claims a second in the first ${options.seconds} seconds`, figure(herd.perSecond), ''],
    ['from the instant to the first claim, s', figure(late, 2), '≤ 2'],
    ['scans of large tables meanwhile', figure(scans), '≤ 0'],
    ['reading the counts of the campaign after that, ms', figure(statsMs, 1), '≤ 100'],
  ];
  return `## Campaigns

${missedTargets(rows)}

\`npm run bench -- campaigns --due 100000 --waiting 1000000\` (numbers of enrollments) takes about ten minutes on a machine
that does nothing else. ${options.workers} workers share it with Postgres and Redis. The carrier answers at once, and each call ends at
once. Claims of plain firings and of a campaign are measured in turn, ${options.calls.toLocaleString('en')} calls each, in ${options.rounds} rounds; figures are medians.
In an idle second of a worker nothing is due. Large tables are \`enrollments\`, \`enrollment_dials\`, \`call_requests\` and
\`contacts\`.

${table(['', 'measured', 'target'], rows)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
