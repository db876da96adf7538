import { availableParallelism, cpus } from 'node:os';
import { type ComplianceMode } from '../../src/domain/compliance/facts.js';
import { type Outcome } from './compliance-data.js';
import { type Interval, pairedRatio } from './statistics.js';
import { figure, median, missedTargets, table } from './table.js';

/** What the slices of one mode in one round came to together. */
export interface Used extends Outcome {
  requests: number;
  seconds: number;
  /** Microseconds of CPU. */
  nodeUs: number;
  postgresUs: number;
}

/** By kind of request, and by mode, the rounds in their order. */
export type RoundsOfModes = Map<string, Record<ComplianceMode, Used[]>>;

type Metric = [name: string, digits: number, of: (used: Used) => number];

const RATE: Metric = ['a second', 0, ({ requests, seconds }) => requests / seconds];
const METRICS: Metric[] = [
  RATE,
  ['CPU µs: node', 0, ({ nodeUs, requests }) => nodeUs / requests],
  ['CPU µs: Postgres', 0, ({ postgresUs, requests }) => postgresUs / requests],
  ['scheduled, %', 0, ({ calls, scheduled }) => (100 * scheduled) / calls],
];

/** The least that the rate of a mode is of the rate of mode `off`. */
const TARGETS: [mode: ComplianceMode, target: string][] = [
  ['warn', '≥ 0.95'],
  ['enforce', '≥ 0.9'],
];

/**
 * @param measured at least one kind.
 * @param made `packs` counts those that the process has loaded.
 */
export function complianceReport(
  measured: RoundsOfModes,
  made: { rounds: number; seconds: number; packs: number; connections: number },
): string {
  const ratios = [...measured].flatMap(([kind, modes]) =>
    TARGETS.map(([mode, target]) => {
      const [, , of] = RATE;
      const ratio = pairedRatio(modes[mode].map(of), modes.off.map(of));
      return [`${kind}: ${mode} ÷ off`, figure(ratio.ratio, 3), target, intervalOf(ratio)];
    }),
  );
  const figures = [...measured].flatMap(([kind, modes]) =>
    METRICS.map(([name, digits, of]) => {
      const medians = (['off', 'warn', 'enforce'] as const).map((mode) =>
        figure(median(modes[mode].map(of)), digits),
      );
      return [kind, name, ...medians];
    }),
  );
  return `## Lawful calling

${missedTargets(ratios)}

\`npm run bench -- compliance\` triggers calls of teams that differ in their \`compliance\` alone: \`off\`, \`warn\`, and \`enforce\` with all
${made.packs} packs and every rule of theirs, 100 teams each, on one stack and one API process. The modes alternate: off, warn, enforce,
enforce, warn, off, and so on. There were ${made.rounds} rounds of two slices of ${made.seconds} seconds for each, with ${made.connections} connections, on
${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that the load shares. Ratios are taken within each round, with their 95 % interval;
other figures are medians.

- **zone stated**: the contact has a zone in which it is about noon, so that every call is dialed at once.
- **zone by number**: the zones are those of the number's area code, so that calls of teams that enforce wait for the
  lawful hours of the place, if it is night there.
- Each person has been called once, 40 days or more ago, and has given written consent; a register of a
  million numbers is in force.

${table(['ratio', 'measured', 'target', '95 %'], ratios)}

${table(['', '', 'off', 'warn', 'enforce'], figures)}
`;
}

const intervalOf = ({ low, high }: Interval): string => `${figure(low, 3)}–${figure(high, 3)}`;
