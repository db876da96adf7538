/**
 * `npm run bench -- herd [--calls 100000] [--workers 2] [--paced 6000] [--out file]`: calls that are due at one instant, as at nine o'clock sharp, with triggers going on beside them. Then what
 * pacing keeps.
 */
import { parseArgs } from 'node:util';
import { fill } from './data.js';
import { drainHerd, type Herd } from './herd-drain.js';
import { measurePacing, measureStream, type Pacing, type Stream } from './herd-pacing.js';
import { publish } from './page.js';
import { Stack } from './stack.js';
import { figure, missedTargets, table } from './table.js';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '100000' },
      workers: { type: 'string', default: '2' },
      paced: { type: 'string', default: '6000' },
      out: { type: 'string' },
    },
  });
  const [calls, workers, paced] = [Number(values.calls), Number(values.workers), Number(values.paced)];
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    // One team with nearly all of them, one with ten, and one that triggers meanwhile.
    const large = { firstTeam: 0, teams: 1, firstContact: 0, contacts: calls, calls: 0 };
    const small = { firstTeam: 1, teams: 1, firstContact: calls, contacts: 10, calls: 0 };
    const busy = { firstTeam: 2, teams: 1, firstContact: calls + 10, contacts: 50_000, calls: 0 };
    const limited = {
      firstTeam: 3,
      teams: 1,
      firstContact: calls + 50_010,
      contacts: 5_000,
      calls: 0,
      maxConcurrentCalls: 10,
    };
    await fill(stack.db, [large, small, busy, limited]);
    const herd = await drainHerd(stack, { large, small, busy, workers });
    await stack.clean();
    const options = { group: large, limited, calls: paced, workers };
    const stream = await measureStream(stack, options);
    await stack.clean();
    const pacing = await measurePacing(stack, options);
    await publish('herd', reportOf(herd, stream, pacing, workers), values.out);
  } finally {
    await stack.close();
  }
}

function reportOf(herd: Herd, stream: Stream, pacing: Pacing[], workers: number): string {
  const rows = [
    ['calls at one instant', figure(herd.calls), ''],
    ['from the instant to the last claim, s', figure(herd.lastClaimSeconds, 1), ''],
    ['BullMQ’s no-op for as many delayed jobs, s', figure(herd.noOpSeconds, 1), ''],
    [
      `steady rate: calls a second of the same workers, ${herd.steadyCalls.toLocaleString('en')} due at once without other load`,
      figure(herd.steadyRate),
      '',
    ],
    ['claims a second ÷ the steady rate', figure(herd.drainRatio, 2), '≥ 0.7'],
    ['claims a second in the first five seconds ÷ the steady rate', figure(herd.firstFiveRatio, 2), '≥ 0.5'],
    ['lateness p50, p99, s', `${figure(herd.p50, 1)}, ${figure(herd.p99, 1)}`, ''],
    ['last claim of a team with 10 of them, s', figure(herd.smallTeamSeconds, 2), ''],
    ['p99 of the trigger before the instant, ms', figure(herd.triggerP99Before, 1), ''],
    ['p99 of the trigger in the first ten seconds, ms', figure(herd.triggerP99During, 1), ''],
    ['bytes of Redis per scheduled call', figure(herd.bytesPerCall), '≤ 600'],
    ['Redis’ CPU for the rank of a job, µs', figure(herd.rankMicroseconds, 1), ''],
    [
      `lateness p50, p99 of ${stream.perSecond} calls a second that are due evenly, s`,
      `${figure(stream.p50, 3)}, ${figure(stream.p99, 3)}`,
      '< 1',
    ],
  ];
  const paced = pacing.map(({ what, wanted, found, most, lateP99 }) => [
    what,
    figure(wanted, 1),
    figure(found, 1),
    figure(found / wanted, 3),
    figure(most),
    figure(lateP99, 2),
  ]);
  return `## The nine o'clock herd

${missedTargets(rows)}

\`npm run bench -- herd\` makes many calls due at one instant. ${workers} workers run on the
machine that also runs Postgres, Redis, the API and the load.

${table(['', 'measured', 'target'], rows)}

${table(['pacing', 'limit', 'kept', 'kept ÷ limit', 'most in one second', 'lateness p99 s'], paced)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
