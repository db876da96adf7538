import { type Schedule } from '../../../../src/domain/calling-hours.js';
import { inside, localDate, timesOfDay, type ZoneTable } from '../../support/calling-hours-oracle.js';

// As the oracle of calling hours: only types of the code under test, offsets of Temporal, and texts.

const minute = 60_000;
const day = 86_400_000;
const limit = 400 * day;

/** A rule as texts. */
export interface Rule {
  schedule: Schedule;
  effectiveFrom: string | null;
  effectiveTo: string | null;
  zones: ZoneTable[];
}

export interface LawfulCase {
  from: number;
  agent: { schedule: Schedule; zone: ZoneTable };
  rules: Rule[];
}

/** A local date of a rule, and of each of its minutes whether it is open, once it was asked for. */
interface ScannedDate {
  /** null: the rule is not in effect. */
  date: ReturnType<typeof localDate> | null;
  minutes: (boolean | undefined)[];
}

/** Whether an instant is open, by a rule in one zone. Keeps the local date and the offset of the last instant. */
class Scan {
  private midnight = NaN;
  private scanned: ScannedDate = { date: null, minutes: [] };
  private segment = 0;

  /** @param dates by their midnight; the zones of a rule share them. */
  constructor(
    private readonly rule: Omit<Rule, 'zones'>,
    private readonly table: ZoneTable,
    private readonly dates: Map<number, ScannedDate>,
  ) {}

  isOpen(instant: number): boolean {
    const { starts, offsets } = this.table;
    while (instant >= (starts[this.segment + 1] ?? Infinity)) this.segment++;
    const wall = instant + offsets[this.segment]!;
    if (!(wall >= this.midnight && wall < this.midnight + day)) {
      this.midnight = Math.floor(wall / day) * day;
      this.scanned = this.scannedDate();
    }
    const { date, minutes } = this.scanned;
    const at = Math.floor((wall - this.midnight) / minute);
    return (minutes[at] ??= date === null || inside(date, timesOfDay[at]!));
  }

  private scannedDate(): ScannedDate {
    const known = this.dates.get(this.midnight);
    if (known !== undefined) return known;
    const date = this.isInEffect() ? localDate(this.rule.schedule, this.midnight) : null;
    const scanned = { date, minutes: new Array<boolean | undefined>(timesOfDay.length) };
    this.dates.set(this.midnight, scanned);
    return scanned;
  }

  private isInEffect(): boolean {
    const date = new Date(this.midnight).toISOString().slice(0, 10);
    const { effectiveFrom, effectiveTo } = this.rule;
    return date >= (effectiveFrom ?? '0000') && date <= (effectiveTo ?? '9999');
  }
}

const scansOf = (rules: readonly Rule[]) =>
  rules.flatMap((rule) => {
    const dates = new Map<number, ScannedDate>();
    return rule.zones.map((table) => new Scan(rule, table, dates));
  });

export function oracleIsOpenInAll(rules: readonly Rule[], instant: number): boolean {
  return scansOf(rules).every((scan) => scan.isOpen(instant));
}

/** Reads every clock minute after minute; right where offsets are whole minutes, as all are since 1972. */
export function oracleNextOpeningInAll({ from, agent, rules }: LawfulCase): number | null {
  const always = { effectiveFrom: null, effectiveTo: null };
  const scans = [new Scan({ schedule: agent.schedule, ...always }, agent.zone, new Map()), ...scansOf(rules)];
  const isOpen = (instant: number) => scans.every((scan) => scan.isOpen(instant));
  if (isOpen(from)) return from;
  for (let at = Math.ceil(from / minute) * minute; at <= from + limit; at += minute) {
    if (isOpen(at)) return at;
  }
  return null;
}
