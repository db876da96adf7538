/**
 * `npm run bench -- scale [--sizes 10000,100000,1000000] [--rounds 10] [--seconds 2] [--out
 * file]`: how the trigger fares with more contacts and calls in a team, with one team and
 * with a thousand, and with more processes. All of them are in one database, and measured in turn.
 *
 * With `--calls 10000000 [--keep directory] [--fill-only] [--rounds 10] [--seconds 2]` it measures a year of
 * calls beside an almost empty database instead: the trigger, the worker, lists, pages and metrics. A
 * directory keeps its data for the next time.
 */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { fill, type Group } from './data.js';
import { load, type NextRequest, percentile } from './load.js';
import { publish } from './page.js';
import { idsOf, triggers } from './requests.js';
import { CONNECTIONS, WARM_UP_SECONDS } from './slices.js';
import { scaleCalls } from './scale-calls.js';
import { callsReport } from './scale-calls-report.js';
import { type Measured, Stack } from './stack.js';
import { figure, medianOf, ratio, type Sample, type Samples, table } from './table.js';

const TEAMS = [1, 1_000];
const PROCESSES = 4;

/** Something to measure. */
interface Point {
  what: string;
  group: Group;
  processes: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      rounds: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '2' },
      calls: { type: 'string' },
      keep: { type: 'string' },
      'fill-only': { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (values.calls !== undefined) {
    const [calls, keep] = [Number(values.calls), values.keep && resolve(values.keep)];
    if (!(calls >= 1)) throw new Error('--calls is a number above 0');
    const sides = await scaleCalls({ calls, keep, fillOnly: values['fill-only'], rounds, seconds });
    if (sides !== null) await publish('scale-calls', callsReport(sides, rounds, seconds), values.out);
    return;
  }
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const points = pointsOf(sizes);
    console.error('Filling the database …');
    const groups = [...new Set(points.map(({ group }) => group))];
    await fill(stack.db, groups);
    const ids = await idsOf(stack.db, groups);
    const apis: Measured[] = [];
    for (let process = 0; process < PROCESSES; process += 1) apis.push(await stack.startApi());
    const samples: Samples = new Map();
    // The first round opens connections, compiles and fills caches.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { what, group, processes } of points) {
        const loads = apis
          .slice(0, processes)
          .map(({ url }, index) => ({ url, next: triggers(url, part(group, index, processes), ids) }));
        await loadAll(loads, WARM_UP_SECONDS);
        const sample = await loadAll(loads, seconds);
        await stack.clean();
        console.error(
          `${round === 0 ? 'warm-up' : `round ${round}`}  ${what}: ${Math.round(sample.perSecond)}/s`,
        );
        if (round > 0) samples.set(what, [...(samples.get(what) ?? []), sample]);
      }
    }
    await publish('scale', reportOf(samples, rounds, seconds), values.out);
  } finally {
    await stack.close();
  }
}

function pointsOf(sizes: number[]): Point[] {
  let [firstTeam, firstContact] = [0, 0];
  const points: Point[] = [];
  for (const teams of TEAMS) {
    for (const size of sizes) {
      const group = { firstTeam, teams, firstContact, contacts: size, calls: size };
      points.push({
        what: `${size} contacts and calls in ${teams} team${teams === 1 ? '' : 's'}`,
        group,
        processes: 1,
      });
      firstTeam += teams;
      firstContact += size;
    }
  }
  const middle = points[TEAMS.length * sizes.length - Math.ceil(sizes.length / 2)];
  if (middle === undefined) throw new Error('--sizes names none');
  for (let processes = 2; processes <= PROCESSES; processes += 1) {
    points.push({ ...middle, what: `${middle.what}, ${processes} processes`, processes });
  }
  return points;
}

async function loadAll(loads: { url: string; next: NextRequest }[], seconds: number): Promise<Sample> {
  const connections = Math.round(CONNECTIONS / loads.length);
  const results = await Promise.all(loads.map(({ url, next }) => load(url, connections, seconds, next)));
  for (const { statuses } of results) {
    if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(JSON.stringify(statuses));
  }
  const latencies = results.flatMap((result) => result.latencies).sort((a, b) => a - b);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const perSecond = latencies.length / (results[0]?.seconds ?? NaN);
  return { perSecond, p50, p99, node: NaN, postgres: NaN, redis: NaN };
}

/**
 * A share of the contacts, so that no two processes call the same one; it begins with the group's first team.
 */
function part(group: Group, index: number, parts: number): Group {
  const share = Math.floor(group.contacts / parts / group.teams) * group.teams;
  return { ...group, firstContact: group.firstContact + index * share, contacts: share };
}

function reportOf(samples: Samples, rounds: number, seconds: number): string {
  const [first = ''] = samples.keys();
  const rows = [...samples.keys()].map((what) => {
    const { perSecond, p50, p99 } = medianOf(samples, what);
    return [what, figure(perSecond), figure(ratio(samples, what, first), 2), figure(p50, 1), figure(p99, 1)];
  });
  return `## Contacts, teams and processes

\`npm run bench -- scale\` measures the trigger at ${CONNECTIONS} connections, in ${rounds} rounds of ${seconds} seconds, one line after the
other in one database. Figures are medians. The load, the processes, Postgres and Redis share the machine.

${table(['', 'a second', '÷ the first line', 'p50 ms', 'p99 ms'], rows)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
