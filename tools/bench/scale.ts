/**
 * `npm run bench:scale [-- --sizes 10000,100000,1000000] [--rounds 5] [--seconds 4] [--out docs/benchmarks-scale.md]`: how
 * the trigger fares with more contacts and calls in the database, with one team and with a thousand, and with more processes.
 */
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { repositoryRoot } from '../services/paths.js';
import { fill, type Group, SQL } from './data.js';
import { load, percentile } from './load.js';
import { type Ids, triggers } from './requests.js';
import { CONNECTIONS } from './slices.js';
import { type Measured, Stack } from './stack.js';
import { figure, median, table, writePage } from './table.js';

const TEAMS = [1, 1_000];
const PROCESSES = [1, 2, 3, 4];

interface Point {
  what: string;
  perSecond: number;
  p99: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      out: { type: 'string', default: join(repositoryRoot(), 'docs', 'benchmarks-scale.md') },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const points: Point[] = [];
    const first = await stack.startApi();
    const measure = async (what: string, group: Group, apis: Measured[], size: number) => {
      await fill(stack.db, [group]);
      const ids = await idsOf(stack, group.teams);
      const results: Omit<Point, 'what'>[] = [];
      // One more: the first plans anew for what the tables hold now.
      for (let round = 0; round <= rounds; round += 1) {
        const result = await loadAll(apis, group, ids, seconds);
        await stack.clean();
        if (round > 0) results.push(result);
      }
      const point = {
        what,
        perSecond: median(results.map(({ perSecond }) => perSecond)),
        p99: median(results.map(({ p99 }) => p99)),
      };
      console.error(`${what.padEnd(50)} ${size}: ${Math.round(point.perSecond)}/s`);
      points.push(point);
    };
    for (const teams of TEAMS) {
      for (const size of sizes) {
        const group = { firstTeam: 0, teams, firstContact: 0, contacts: size, calls: size };
        await measure(`${size} contacts and calls, ${teams} teams, 1 process`, group, [first], size);
      }
    }
    const middle = sizes[Math.floor((sizes.length - 1) / 2)] ?? 0;
    const apis: Measured[] = [first];
    for (const processes of PROCESSES.slice(1)) {
      apis.push(await stack.startApi());
      const group = { firstTeam: 0, teams: 1_000, firstContact: 0, contacts: middle, calls: middle };
      await measure(`${middle} contacts and calls, 1000 teams, ${processes} processes`, group, apis, middle);
    }
    const text = reportOf(points, rounds, seconds);
    await writePage(values.out, text);
    console.error(`\n${text}`);
  } finally {
    await stack.close();
  }
}

async function loadAll(
  apis: Measured[],
  group: Group,
  ids: Ids,
  seconds: number,
): Promise<Omit<Point, 'what'>> {
  const parts = apis.map((_, index) => part(group, index, apis.length));
  const results = await Promise.all(
    apis.map((api, index) =>
      load(
        api.url,
        Math.round(CONNECTIONS / apis.length),
        seconds,
        triggers(api.url, parts[index] ?? group, ids),
      ),
    ),
  );
  for (const { statuses } of results) {
    if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(JSON.stringify(statuses));
  }
  const latencies = results.flatMap((result) => result.latencies).sort((a, b) => a - b);
  return { perSecond: latencies.length / (results[0]?.seconds ?? NaN), p99: percentile(latencies, 0.99) };
}

/** A share of the contacts, so that no two processes call the same one; it begins with the group's first team. */
function part(group: Group, index: number, parts: number): Group {
  const share = Math.floor(group.contacts / parts / group.teams) * group.teams;
  return { ...group, firstContact: group.firstContact + index * share, contacts: share };
}

async function idsOf(stack: Stack, teams: number): Promise<Ids> {
  const { rows } = await stack.db.query<{ n: number; agent: string }>(
    `SELECT n, ${SQL.agent('n')} AS agent FROM generate_series(0, ${teams - 1}) AS n`,
  );
  return { agents: new Map(rows.map(({ n, agent }) => [n, agent])), campaigns: new Map() };
}

function reportOf(points: Point[], rounds: number, seconds: number): string {
  const first = points[0]?.perSecond ?? NaN;
  const rows = points.map(({ what, perSecond, p99 }) => [
    ...[what, figure(perSecond), figure(perSecond / first, 2), figure(p99, 1)],
  ]);
  return `# Scale

Written by \`npm run bench:scale\`: the trigger at ${CONNECTIONS} connections, medians of ${rounds} rounds of ${seconds} seconds. The load, the processes, Postgres and Redis share the machine.

${table(['', 'a second', '÷ the first line', 'p99 ms'], rows)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
