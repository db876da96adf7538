/** One measurement of one thing. */
export interface Sample {
  perSecond: number;
  /** Milliseconds; NaN where there is nothing to wait for. */
  p50: number;
  p99: number;
  /** CPU microseconds per request. */
  node: number;
  postgres: number;
  redis: number;
}

export type Samples = Map<string, Sample[]>;

export function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? NaN;
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The median of the ratios of each round: what drifts from round to round drops out. */
export function ratio(samples: Samples, of: string, to: string, field: keyof Sample = 'perSecond'): number {
  const [above, below] = [samples.get(of) ?? [], samples.get(to) ?? []];
  return median(above.map((sample, round) => sample[field] / (below[round]?.[field] ?? NaN)));
}

export function medianOf(samples: Samples, what: string): Sample {
  const all = samples.get(what) ?? [];
  const of = (field: keyof Sample) => median(all.map((sample) => sample[field]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    node: of('node'),
    postgres: of('postgres'),
    redis: of('redis'),
  };
}

export function figure(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join(
    '\n',
  );
}

/**
 * Names the targets that were missed, one a line.
 *
 * @param rows what was measured, the figure (of several the last one counts), and a target such as `≥ 0.5` or
 *   none.
 */
export function missedTargets(rows: string[][]): string {
  const missed = rows.filter(([, measured = '', target = '']) => !meets(measured, target));
  if (missed.length === 0) return 'All targets are met.';
  return missed
    .map(
      ([what = '', measured = '', target = '']) =>
        `- **Target missed:** ${what} is ${measured} instead of ${target}.`,
    )
    .join('\n');
}

function meets(measured: string, target: string): boolean {
  const [, comparison, bound] = /^([≥≤<]) ([\d.]+)$/.exec(target) ?? [];
  if (comparison === undefined) return true;
  const value = Number(measured.split(', ').at(-1));
  if (comparison === '≥') return value >= Number(bound);
  return comparison === '≤' ? value <= Number(bound) : value < Number(bound);
}
