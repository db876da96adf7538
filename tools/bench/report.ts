import { availableParallelism, cpus } from 'node:os';
import { type Stack } from './stack.js';
import { figure, medianOf, ratio, type Samples, table } from './table.js';
import { CONCURRENCY, CONNECTIONS } from './slices.js';

interface Circumstances {
  rounds: number;
  seconds: number;
  floorName: string;
}

type Row = [what: string, of: string, to: string, wanted: string, field?: 'p99'];

/** What is compared, and what is wanted of it. */
const RATIOS: Row[] = [
  ['trigger ÷ floor', 'trigger', 'floor', '≥ 0.45'],
  ['p99 of the trigger ÷ the floor’s', 'trigger', 'floor', '≤ 2', 'p99'],
  ['trigger ÷ naive', 'trigger', 'naive', '≥ 6'],
  ['trigger ÷ bare Nest', 'trigger', 'bare Nest', ''],
  ['row-level security: on ÷ off', 'trigger', 'trigger, no RLS', ''],
  ['plan limit: one team ÷ 100 teams', 'trigger, one, plan', 'trigger, 100, plan', '≥ 0.85'],
  ['without: one team ÷ 100 teams', 'trigger, one team', 'trigger', ''],
  ['foreign keys, one team: with ÷ without', 'trigger, one team', 'trigger, one, no FKs', ''],
  ['worker ÷ BullMQ no-op', 'worker', 'BullMQ no-op', '≥ 0.20'],
  ['worker floor ÷ BullMQ no-op', 'worker floor', 'BullMQ no-op', ''],
  ['worker ÷ its floor', 'worker', 'worker floor', ''],
  ['worker, to the end ÷ BullMQ no-op', 'worker, to the end', 'BullMQ no-op', ''],
  ['enroll ÷ its floor', 'enroll', 'enroll floor', '≥ 0.4'],
];

export async function report(stack: Stack, samples: Samples, circumstances: Circumstances): Promise<string> {
  const { rounds, seconds, floorName } = circumstances;
  const { rows } = await stack.db.query<{ server_version: string }>('SHOW server_version');
  const redis = /redis_version:(\S+)/.exec(await stack.redis.info('server'))?.[1] ?? '';
  const figures = [...samples.keys()].map((name) => {
    const { perSecond, p50, p99, node, postgres, redis: ofRedis } = medianOf(samples, name);
    return [
      ...[name, figure(perSecond), figure(p50, 1), figure(p99, 1)],
      ...[figure(node), figure(postgres), figure(ofRedis)],
    ];
  });
  const ratios = RATIOS.filter(([, of, to]) => samples.has(of) && samples.has(to)).map(
    ([what, of, to, wanted, field]) => [what, figure(ratio(samples, of, to, field), 2), wanted],
  );
  return `# Benchmarks

Written by \`npm run bench\`. Medians of ${rounds} rounds of ${seconds} seconds each, everything in turn, ${CONNECTIONS} connections, ${CONCURRENCY} calls at a time in the worker, on
${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that the load shares. Node ${process.versions.node}, Postgres ${rows[0]?.server_version ?? ''} with synchronous commit, Redis ${redis} with AOF. The processes run as in
production: authentication, validation, every guardrail, rate limit, row-level security, logs to a file, metrics. Rates drift with the
machine; the ratios are of each round by itself.

${table(['ratio', 'median', 'wanted'], ratios)}

${table(['', 'a second', 'p50 ms', 'p99 ms', 'CPU µs: node', 'Postgres', 'Redis'], figures)}

- **floor** is ${floorName} running one prepared statement that does all that a trigger must, with a race that the trigger has not.
- **bare Nest** is an endpoint of the same shape without a database; **naive** the trigger with repositories in a transaction and \`queue.add\`.
- **worker** goes from a job to the claim, the dial, and what an instant carrier answers to it; **to the end** also writes down the carrier's reports that the
  call was answered and that it ended, which real carriers send to the API. **BullMQ no-op** takes jobs and does nothing, and **worker floor** is that with two bare
  statements a job: one that claims, and one that writes down the answer.
- 100,000 contacts with one ended call each in 100 teams; as many in one team; and both once more with a plan limit in force.
`;
}
