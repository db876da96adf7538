import { HOUR_MS } from '../../guardrails/guardrail.js';

export type Counts = Record<string, number>;

/** One hour of UTC in which something was dialed or refused. */
export interface ForecastHour {
  /** The instant at which it begins, ISO 8601. */
  hour: string;
  dials: number;
  /** As {@link Tally.skipped}, but for this hour only. */
  skipped: Counts;
}

/** Counts what a play does. */
export class Tally {
  readonly outcomes: Counts = {};
  readonly ended: Counts = {};
  /**
   * How often each rule prevented a due attempt. An attempt that several rules refuse in turn counts once for
   * each of these rules.
   */
  readonly skipped: Counts = {};
  dials = 0;
  firstDialAt: number | null = null;
  lastDialAt: number | null = null;
  lastEndAt: number | null = null;
  private readonly hours = new Map<number, ForecastHour>();

  dial(at: number): void {
    this.dials += 1;
    this.firstDialAt ??= at;
    this.lastDialAt = at;
    this.hourOf(at).dials += 1;
  }

  skip(rule: string, at: number): void {
    add(this.skipped, rule);
    add(this.hourOf(at).skipped, rule);
  }

  outcome(name: string): void {
    add(this.outcomes, name);
  }

  end(reason: string, at: number): void {
    add(this.ended, reason);
    this.lastEndAt = at;
  }

  byHour(): ForecastHour[] {
    return [...this.hours].sort(([a], [b]) => a - b).map(([, hour]) => hour);
  }

  private hourOf(at: number): ForecastHour {
    const begin = Math.floor(at / HOUR_MS) * HOUR_MS;
    let hour = this.hours.get(begin);
    if (hour === undefined) {
      hour = { hour: new Date(begin).toISOString(), dials: 0, skipped: {} };
      this.hours.set(begin, hour);
    }
    return hour;
  }
}

export function add(counts: Counts, name: string, n = 1): void {
  counts[name] = (counts[name] ?? 0) + n;
}
