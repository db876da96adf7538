import fc from 'fast-check';
import {
  isOpen,
  nextOpening,
  type CallingHours,
  type CallingWindow,
  type Schedule,
} from '../../../src/domain/calling-hours.js';
import { oracleIsOpen, oracleNextOpening, reading, type ZoneTable } from './calling-hours-oracle.js';

const minute = 60_000;
const day = 86_400_000;

/**
 * Zones whose laws since 2000 the zone data tell otherwise than those of Node 20.20 (2025c). Temporal uses
 * Node's, so it is no second source about them; test/domain/zones/second-source.unit.spec.ts has one.
 */
const otherwiseInNode: ReadonlySet<string> = new Set([
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'America/Edmonton',
  'America/Havana',
  'America/Inuvik',
  'America/Rainy_River',
  'America/Vancouver',
  'America/Winnipeg',
  'America/Yellowknife',
  'Canada/Central',
  'Canada/Mountain',
  'Canada/Pacific',
  'Cuba',
  'Europe/Chisinau',
  'Europe/Tiraspol',
]);

/**
 * The zones about which Node's data agree: those that the engine names, `UTC`, and links, which the engine
 * does not list but callers send.
 */
export const zones: readonly string[] = [
  ...new Set([
    ...Intl.supportedValuesOf('timeZone'),
    'UTC',
    'US/Eastern',
    'US/Samoa',
    'Asia/Calcutta',
    'Asia/Katmandu',
    'GB',
    'GB-Eire',
    'Eire',
    'Navajo',
    'Zulu',
    'America/Buenos_Aires',
    'Australia/LHI',
    'NZ-CHAT',
    'EST5EDT',
    'Etc/GMT+12',
    'Etc/GMT-14',
  ]),
].filter((zone) => !otherwiseInNode.has(zone));

export interface Case {
  from: number;
  schedule: Schedule;
}

const time = (minuteOfDay: number) => {
  const wrapped = ((minuteOfDay % 1440) + 1440) % 1440;
  return `${String(Math.floor(wrapped / 60)).padStart(2, '0')}:${String(wrapped % 60).padStart(2, '0')}`;
};

/**
 * Minutes of the day; negative ones are still to be moved next to the anchor's wall clock. Quarters make
 * edges meet.
 */
const anyTime = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: -240, max: -1 }) },
  { weight: 3, arbitrary: fc.integer({ min: -16, max: -1 }).map((quarters) => 15 * quarters) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1439 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 30, 60, 120, 180, 1380, 1439) },
);
const anyWindow = fc.tuple(
  anyTime,
  fc.oneof({ weight: 6, arbitrary: anyTime }, fc.constantFrom('24:00', '00:00')),
);
const anyDay = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(anyWindow, { minLength: 1, maxLength: 3 }) },
);
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/**
 * Instants, windows and closed dates crowd around the anchor (epoch milliseconds), which may be a transition.
 */
export function casesAround(table: ZoneTable, anchor: number): fc.Arbitrary<Case> {
  const wall = reading(table, anchor - 1) + 1;
  const anchorMinute = Math.floor((wall % day) / minute);
  const near = (value: number) => time(value < 0 ? anchorMinute + value + 120 : value);
  const toWindow = ([start, end]: [number, number | string]): CallingWindow => ({
    start: near(start),
    end: typeof end === 'string' ? end : near(end),
  });
  const callingHours = fc.array(anyDay, { minLength: 7, maxLength: 7 }).map((days): CallingHours => {
    const hours: NonNullable<CallingHours> = {};
    for (const [index, windows] of days.entries()) {
      const valid = windows.map(toWindow).filter(({ start, end }) => start !== end);
      if (valid.length > 0) hours[weekdays[index]!] = valid;
    }
    return Object.keys(hours).length > 0 ? hours : { friday: [{ start: near(-120), end: '24:00' }] };
  });
  return fc.record({
    from: fc
      .oneof(
        { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1) },
        { weight: 3, arbitrary: fc.integer({ min: -180 * minute, max: 180 * minute }) },
        { weight: 2, arbitrary: fc.integer({ min: -12, max: 12 }).map((quarters) => 15 * quarters * minute) },
        { weight: 3, arbitrary: fc.integer({ min: -3 * day, max: 3 * day }) },
      )
      .map((distance) => anchor + distance),
    schedule: fc.record({
      callingHours: fc.oneof({ weight: 9, arbitrary: callingHours }, fc.constant(null)),
      closedDates: fc
        .oneof(
          fc.constant([]),
          fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 4 }),
          fc.nat({ max: 15 }).map((length) => Array.from({ length }, (_, index) => index - 2)),
        )
        .map((days) => days.map((distance) => new Date(wall + distance * day).toISOString().slice(0, 10))),
    }),
  });
}

/** What the code under test and the oracle say differently about one case, or undefined. */
export function disagreement(table: ZoneTable, { from, schedule }: Case): string | undefined {
  const { zone } = table;
  const told = (what: string, expected: string, actual: string) =>
    `${what} in ${zone} at ${new Date(from).toISOString()}: expected ${expected}, got ${actual}; ${JSON.stringify(schedule)}`;
  const open = oracleIsOpen(schedule, table, from);
  const actuallyOpen = isOpen(schedule, zone, new Date(from));
  if (open !== actuallyOpen) return told('isOpen', String(open), String(actuallyOpen));
  const next = oracleNextOpening(schedule, table, from);
  const actualNext = nextOpening(schedule, zone, new Date(from));
  if (next !== actualNext.getTime()) {
    return told('nextOpening', new Date(next).toISOString(), actualNext.toISOString());
  }
  if (!isOpen(schedule, zone, actualNext)) return told('isOpen', 'true at the opening', 'false');
  if (next > from && isOpen(schedule, zone, new Date(next - 1))) {
    return told('isOpen', 'false just before the opening', 'true');
  }
  return undefined;
}
