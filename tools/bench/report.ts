import { availableParallelism, cpus } from 'node:os';
import { type Stack } from './stack.js';
import { figure, medianOf, missedTargets, ratio, type Samples, table } from './table.js';
import { CONCURRENCY, CONNECTIONS } from './slices.js';

interface Circumstances {
  rounds: number;
  seconds: number;
  floorName: string;
}

type Row = [what: string, of: string, to: string, target: string, field?: 'p99'];

/** What is compared, and its target. */
const RATIOS: Row[] = [
  ['trigger ÷ floor', 'trigger', 'floor', '≥ 0.60'],
  ['p99 of the trigger ÷ the floor’s', 'trigger', 'floor', '≤ 1.5', 'p99'],
  ['trigger ÷ naive', 'trigger', 'naive', '≥ 6'],
  ['trigger ÷ bare Nest', 'trigger', 'bare Nest', ''],
  ['row-level security: on ÷ off', 'trigger', 'trigger, no RLS', ''],
  ['plan limit: one team ÷ 100 teams', 'trigger, one, plan', 'trigger, 100, plan', '≥ 0.85'],
  ['no plan limit: one team ÷ 100 teams', 'trigger, one team', 'trigger', ''],
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
      name,
      figure(perSecond),
      figure(p50, 1),
      figure(p99, 1),
      figure(node),
      figure(postgres),
      figure(ofRedis),
    ];
  });
  const ratios = RATIOS.filter(([, of, to]) => samples.has(of) && samples.has(to)).map(
    ([what, of, to, target, field]) => [what, figure(ratio(samples, of, to, field), 2), target],
  );
  return `## Against Postgres, BullMQ and Nest

${missedTargets(ratios)}

\`npm run bench\` measured medians of ${rounds} rounds of ${seconds} seconds, with ${CONNECTIONS} connections, and ${CONCURRENCY} calls at a time in the worker.
The load shares ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) with the processes, which run as in production. Versions: Node ${process.versions.node},
Postgres ${rows[0]?.server_version ?? ''} with synchronous commit, Redis ${redis} with AOF. The ratios are those of each round, so that the drift of
the machine does not affect them.

${table(['ratio', 'median', 'target'], ratios)}

${table(['', 'a second', 'p50 ms', 'p99 ms', 'CPU µs: node', 'Postgres', 'Redis'], figures)}

- **floor** is ${floorName} running one prepared statement that does everything a trigger must do. It has
  a race condition that the trigger does not have.
- **bare Nest** is an endpoint of the same shape without a database.
- **naive** is the trigger with repositories in a transaction and \`queue.add\`.
- **worker** goes from a job to the claim, the dial, and the answer of a carrier that answers at once;
  **to the end** also stores the carrier's two reports, which with real carriers is the API's work.
- **BullMQ no-op** takes jobs and does nothing. **worker floor** is the no-op with two bare
  statements per job: one claims, and one stores the answer.
- There are 100,000 contacts with one ended call each in 100 teams, as many in one team, and both
  once more with a plan limit.
`;
}
