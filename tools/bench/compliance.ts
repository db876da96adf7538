/**
 * `npm run bench -- compliance [--rounds 8] [--seconds 3] [--out file]`: what packs cost the trigger. Teams in the modes
 * `off`, `warn` and `enforce` alternate on one stack and one API process; prints the ratios of their rates with
 * intervals, and writes its section of docs/benchmarks.md, or another file. It fails if a call was refused, or judged
 * otherwise than its mode says, because then something else was measured.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { loadPacks } from '../../src/compliance/packs/load-packs.js';
import { COMPLIANCE_MODES, type ComplianceMode } from '../../src/domain/compliance/facts.js';
import { MEASURED } from './calls-of-build.js';
import { contactsOf, fillModes, GROUPS_OF_MODES, type Kind, KINDS, outcomeOf } from './compliance-data.js';
import { complianceReport, type RoundsOfModes, type Used } from './compliance-report.js';
import { apiKeyOf, phoneOf, teamOf } from './data.js';
import { load, type NextRequest, postRequest } from './load.js';
import { publish } from './page.js';
import { type Ids, idsOf } from './requests.js';
import { CONNECTIONS } from './slices.js';
import { type Measured, Stack } from './stack.js';

/** Before each slice: the caches are those of another team. */
const WARM_UP_SECONDS = 0.5;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '8' },
      seconds: { type: 'string', default: '3' },
      out: { type: 'string' },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (!(rounds >= 1) || !(seconds > 0)) throw new Error('--rounds and --seconds are numbers above 0');
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    console.error('Filling the database …');
    await fillModes(stack.db);
    const bench = new ModesBench(
      stack,
      await stack.startApi(),
      await idsOf(stack.db, Object.values(GROUPS_OF_MODES)),
    );
    // The first round opens connections, compiles and fills caches.
    for (let round = 0; round <= rounds; round += 1) await bench.playRound(round, seconds);
    const packs = loadPacks({}).length;
    const made = { rounds, seconds, packs, connections: CONNECTIONS };
    await publish('compliance', complianceReport(bench.measured, made), values.out);
  } finally {
    await stack.close();
  }
}

class ModesBench {
  readonly measured: RoundsOfModes = new Map(KINDS.map((kind) => [kind, { off: [], warn: [], enforce: [] }]));

  constructor(
    private readonly stack: Stack,
    private readonly api: Measured,
    private readonly ids: Ids,
  ) {}

  /** Two slices of each mode and kind, there and back, so that what drifts within the round is equal for all. */
  async playRound(round: number, seconds: number): Promise<void> {
    const first = round % COMPLIANCE_MODES.length;
    const turn = [...COMPLIANCE_MODES.slice(first), ...COMPLIANCE_MODES.slice(0, first)];
    for (const kind of KINDS) {
      const used = { off: [], warn: [], enforce: [] } as Record<ComplianceMode, Used[]>;
      for (const mode of [...turn, ...[...turn].reverse()])
        used[mode].push(await this.slice(kind, mode, seconds));
      const rates = COMPLIANCE_MODES.map((mode) => {
        const together = sumOf(used[mode]);
        if (round > 0) this.measured.get(kind)?.[mode].push(together);
        return `${mode} ${Math.round(together.requests / together.seconds)}/s`;
      });
      console.error(`${round === 0 ? 'warm-up' : `round ${round}`}  ${kind.padEnd(14)} ${rates.join(', ')}`);
    }
  }

  private async slice(kind: Kind, mode: ComplianceMode, seconds: number): Promise<Used> {
    const next = this.requests(kind, mode);
    const pids = [this.api.program.pid ?? 0];
    await load(this.api.url, CONNECTIONS, WARM_UP_SECONDS, next);
    const before = this.stack.cpu(pids);
    const { requests, seconds: took, statuses } = await load(this.api.url, CONNECTIONS, seconds, next);
    const after = this.stack.cpu(pids);
    const outcome = await outcomeOf(this.stack.db, MEASURED);
    await this.stack.clean();
    const bad = Object.keys(statuses).filter((status) => status !== '200');
    if (bad.length > 0) throw new Error(`${kind}, ${mode}: ${JSON.stringify(statuses)}`);
    const judged = mode === 'off' ? 0 : outcome.calls;
    if (outcome.judged !== judged)
      throw new Error(`${kind}, ${mode}: judged otherwise, ${JSON.stringify(outcome)}`);
    if (outcome.scheduled > 0 && (kind === 'zone stated' || mode !== 'enforce'))
      throw new Error(`${kind}, ${mode}: ${outcome.scheduled} calls were moved`);
    return {
      ...outcome,
      requests,
      seconds: took,
      nodeUs: after.node - before.node,
      postgresUs: after.postgres - before.postgres,
    };
  }

  /** As `triggers` makes them. */
  private requests(kind: Kind, mode: ComplianceMode): NextRequest {
    const group = GROUPS_OF_MODES[mode];
    const { first, count } = contactsOf(group, kind);
    let index = Math.floor(Math.random() * count);
    return () => {
      index += 1;
      const contact = first + (index % count);
      const team = teamOf(group, contact);
      return postRequest(
        this.api.url,
        `/api/voice-agents/${this.ids.agents.get(team)}/calls`,
        apiKeyOf(team),
        {
          phoneNumber: phoneOf(contact, group.areaCodes),
          name: `Contact ${contact}`,
          email: `c${contact}@example.com`,
          bench: true,
          topic: 'the appointment',
          reference: randomUUID(),
        },
      );
    };
  }
}

function sumOf(slices: readonly Used[]): Used {
  const sum = (field: keyof Used) => slices.reduce((total, slice) => total + slice[field], 0);
  return {
    calls: sum('calls'),
    scheduled: sum('scheduled'),
    judged: sum('judged'),
    requests: sum('requests'),
    seconds: sum('seconds'),
    nodeUs: sum('nodeUs'),
    postgresUs: sum('postgresUs'),
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
