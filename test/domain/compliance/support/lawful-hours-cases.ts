import fc from 'fast-check';
import { type CallingHours, type Schedule, weekdays } from '../../../../src/domain/calling-hours.js';
import {
  isOpenInAll,
  type LawfulHours,
  nextOpeningInAll,
} from '../../../../src/domain/compliance/lawful-hours.js';
import { casesAround } from '../../support/calling-hours-cases.js';
import { reading, zoneTable, type ZoneTable } from '../../support/calling-hours-oracle.js';
import {
  type LawfulCase,
  oracleIsOpenInAll,
  oracleNextOpeningInAll,
  type Rule,
} from './lawful-hours-oracle.js';

const day = 86_400_000;
const since = Date.UTC(2025, 11);
const until = Date.UTC(2029, 0);
/** The scan reads 400 days more. */
const tableUntil = Date.UTC(2030, 3);

/** Where one number's person may be: sets of zones with daylight time, without, and with changes on other days. */
const places: readonly (readonly string[])[] = [
  ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  ['America/Phoenix', 'America/Denver'],
  ['America/Adak', 'America/Anchorage', 'America/Chicago', 'Pacific/Honolulu'],
  ['America/St_Johns', 'America/Halifax', 'America/Puerto_Rico'],
  ['Australia/Sydney', 'Australia/Lord_Howe', 'Australia/Perth', 'Indian/Christmas', 'Indian/Cocos'],
  ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Eucla'],
  ['Pacific/Auckland', 'Pacific/Chatham'],
  ['Atlantic/Canary', 'Europe/Madrid'],
  ['Atlantic/Azores', 'Europe/Lisbon'],
  ['America/Santiago', 'Pacific/Easter'],
  ['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Yekaterinburg', 'Asia/Kamchatka'],
  ['America/Nuuk', 'America/Scoresbysund', 'America/Thule'],
  ['Africa/Cairo', 'Asia/Gaza', 'Asia/Beirut'],
  ['Asia/Tehran', 'Asia/Kathmandu'],
];
export const caseZones: readonly string[] = [...new Set(places.flat())];

const tables = new Map<string, ZoneTable>();
export function tableOf(zone: string): ZoneTable {
  let table = tables.get(zone);
  if (table === undefined) tables.set(zone, (table = zoneTable(zone, since, tableUntil)));
  return table;
}

const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Hours such as laws have: some days have a window by day, or two of them. */
const usualHours: fc.Arbitrary<CallingHours> = fc
  .array(
    fc.record({
      open: fc.integer({ min: 0, max: 5 }).map((one) => one > 0),
      start: fc.integer({ min: 24, max: 44 }),
      pause: fc.option(fc.integer({ min: 46, max: 52 }), { freq: 3 }),
      end: fc.integer({ min: 56, max: 96 }),
    }),
    { minLength: 7, maxLength: 7 },
  )
  .map((days) => {
    const hours: NonNullable<CallingHours> = {};
    for (const [index, { open, start, pause, end }] of days.entries()) {
      if (!open && index > 1) continue;
      hours[weekdays[index]!] =
        pause === null
          ? [{ start: time(15 * start), end: time(15 * end) }]
          : [
              { start: time(15 * start), end: time(15 * pause) },
              { start: time(15 * (pause + 2)), end: time(15 * end) },
            ];
    }
    return hours;
  });

/** Instants, windows, closed dates, and the days on which rules change crowd around a change of one of the clocks. */
export const lawfulCases: fc.Arbitrary<LawfulCase> = fc
  .record({
    place: fc.constantFrom(...places),
    // Of a distant agent, the hours often never meet those of the place, and a scan of 400 days is long.
    distant: fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, fc.constantFrom(...caseZones)),
    ofAgent: fc.boolean(),
    pick: fc.nat(),
    other: fc.integer({ min: since + 5 * day, max: until }),
  })
  .chain(({ place, distant, ofAgent, pick, other }) => {
    const agentZone = distant ?? place[pick % place.length]!;
    const zone = ofAgent ? agentZone : place[pick % place.length]!;
    const changes = tableOf(zone)
      .starts.slice(1)
      .filter((start) => start < until);
    const anchor = changes[pick % (changes.length + 1)] ?? other;
    return casesAt(anchor, place, agentZone);
  });

function casesAt(anchor: number, place: readonly string[], agentZone: string): fc.Arbitrary<LawfulCase> {
  const agentTable = tableOf(agentZone);
  const rule = fc
    .record({
      zones: fc.shuffledSubarray([...place], { minLength: 1 }),
      near: casesAround(tableOf(place[0]!), anchor),
      usual: usualHours,
      kind: fc.constantFrom('near', 'usual', 'usual', 'usual', 'closedDates', 'closedDates'),
      from: fc.option(fc.integer({ min: -3, max: 4 }), { freq: 2 }),
      to: fc.option(fc.integer({ min: -3, max: 4 }), { freq: 2 }),
    })
    .map(({ zones, near, usual, kind, from, to }): Rule => {
      const local = reading(tableOf(zones[0]!), anchor);
      const date = (days: number) => new Date(local + days * day).toISOString().slice(0, 10);
      const hours = { near: near.schedule.callingHours, usual, closedDates: null }[kind]!;
      return {
        schedule: {
          callingHours: kind === 'closedDates' ? null : hours,
          closedDates: near.schedule.closedDates,
        },
        effectiveFrom: from === null ? null : date(from),
        effectiveTo: to === null ? null : date(to),
        zones: zones.map(tableOf),
      };
    });
  return fc
    .record({
      agent: casesAround(agentTable, anchor),
      usual: fc.option(usualHours, { freq: 2 }),
      rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
    })
    .map(({ agent, usual, rules }): LawfulCase => {
      const schedule: Schedule =
        usual === null ? agent.schedule : { callingHours: usual, closedDates: agent.schedule.closedDates };
      return { from: agent.from, agent: { schedule, zone: agentTable }, rules };
    });
}

function lawfulHours({ schedule, effectiveFrom, effectiveTo, zones }: Rule): LawfulHours {
  const closed = new Set(schedule.closedDates);
  return {
    hours: schedule.callingHours,
    isClosed: (date) => closed.has(date),
    effectiveFrom,
    effectiveTo,
    zones: zones.map(({ zone }) => zone),
  };
}

const shown = (instant: number | null) => (instant === null ? 'none' : new Date(instant).toISOString());

/** What the code under test and the scan say differently about one case, or undefined. */
export function lawfulDisagreement(one: LawfulCase): string | undefined {
  const { from, agent, rules } = one;
  const list = rules.map(lawfulHours);
  const told = (what: string, expected: string, actual: string) =>
    `${what} at ${shown(from)}: expected ${expected}, got ${actual}; ${JSON.stringify({
      agent: { ...agent, zone: agent.zone.zone },
      rules: rules.map((rule) => ({ ...rule, zones: rule.zones.map(({ zone }) => zone) })),
    })}`;
  const open = oracleIsOpenInAll(rules, from);
  const actuallyOpen = isOpenInAll(list, new Date(from));
  if (open !== actuallyOpen) return told('isOpenInAll', String(open), String(actuallyOpen));
  const next = oracleNextOpeningInAll(one);
  const actual = nextOpeningInAll(agent.schedule, agent.zone.zone, list, new Date(from));
  if (next !== (actual?.getTime() ?? null)) {
    return told('nextOpeningInAll', shown(next), shown(actual?.getTime() ?? null));
  }
  if (actual !== null && !isOpenInAll(list, actual))
    return told('isOpenInAll', 'true at the opening', 'false');
  return undefined;
}
