import { availableParallelism, cpus } from 'node:os';
import { type Interval, pairedRatio } from './statistics.js';
import { figure, median, table } from './table.js';
import { type Used } from './workload.js';

/** By kind of work: what the slices of each round have used together. */
export type Rounds = Map<string, Used[]>;

/** What was measured of one build. */
export interface Side {
  label: string;
  rounds: Rounds;
  /** Megabytes. */
  peak: { api: number; worker: number };
  /** On the disk, for each call. */
  bytesOfCall: number;
}

type Metric = [name: string, digits: number, of: (used: Used) => number];

const METRICS: Metric[] = [
  ['a second', 0, ({ requests, seconds }) => requests / seconds],
  ['CPU µs: node', 0, ({ nodeUs, requests }) => nodeUs / requests],
  ['CPU µs: Postgres', 0, ({ postgresUs, requests }) => postgresUs / requests],
  ['CPU µs: both', 0, ({ nodeUs, postgresUs, requests }) => (nodeUs + postgresUs) / requests],
  ['WAL bytes', 0, ({ walBytes, requests }) => walBytes / requests],
];

/** Medians of the rounds of both builds, and the ratio of their pairs with its interval. */
export function compareReport(sides: Side[], made: { rounds: number; seconds: number }): string {
  const [ours, theirs] = sides;
  if (!ours || !theirs) throw new Error('two builds are compared');
  const rows = [...ours.rounds].flatMap(([kind, used]) => {
    const others = theirs.rounds.get(kind) ?? [];
    return METRICS.map(([name, digits, of]) => {
      const [a, b] = [used.map(of), others.map(of)];
      return [kind, name, figure(median(a), digits), figure(median(b), digits), ...cells(pairedRatio(a, b))];
    });
  });
  const memory = (['api', 'worker'] as const).map((process) => {
    const [a, b] = [ours.peak[process], theirs.peak[process]];
    return ['peak memory, MB', process, figure(a), figure(b), figure(a / b, 3), '–'];
  });
  const [a, b] = [ours.bytesOfCall, theirs.bytesOfCall];
  const disk = ['disk bytes', 'a call, with its indexes', figure(a), figure(b), figure(a / b, 3), '–'];
  return `${made.rounds} rounds of ${made.seconds} seconds, four slices each in turn, on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that the load shares.
Figures are medians of the rounds; ratios are taken within each round (this ÷ ${theirs.label}), with their 95 % interval.

${table(['', '', ours.label, theirs.label, 'ratio', '95 %'], [...rows, ...memory, disk])}
`;
}

function cells({ ratio, low, high }: Interval): string[] {
  return [figure(ratio, 3), `${figure(low, 3)}–${figure(high, 3)}`];
}
