import fc from 'fast-check';
import { calls, chance, DAY, minutes, type PlannedCall, rarely } from './planned-calls.js';
import { type CallingHours } from '../../../../src/domain/calling-hours.js';
import { AGENT } from './definitions.js';

/** What is true from `from` on and before `to`, epoch milliseconds. */
export interface Interval {
  what: (typeof INTERVALS)[number];
  from: number;
  to: number;
}

export const INTERVALS = [
  'campaignPaused',
  'enrollmentPaused',
  'teamPaused',
  'notWhitelisted',
  'planSpent',
  'busy',
  'noCallerId',
  'carrierAway',
  'paced',
  'noConcurrencySlot',
] as const;

/** Everything that happens to one enrollment. Instants are epoch milliseconds, at whole minutes. */
export interface Play {
  definition: { steps: PlayedStep[]; caps: PlayedCaps; [key: string]: unknown };
  contactZone: string | null;
  agentZone: string;
  hours: CallingHours;
  closedDates: string[];
  enrolledAt: number;
  horizon: number;
  notBefore: number | null;
  calls: PlannedCall[];
  intervals: Interval[];
  suppressedAt: number | null;
  deletedAt: number | null;
  archivedAt: number | null;
  /** Calls of the team to the number beside the campaign's. */
  others: { at: number; completedAt: number | null }[];
  limits: { daily: number | null; weekly: number | null; monthly: number | null };
  retryWithinRedialWindow: boolean;
}

export interface PlayedCaps {
  maxAttempts: number | null;
  perNumber: { count: number; per: string }[];
  afterConversation: string | null;
  lifetime: string | null;
}

export interface PlayedStep {
  key: string;
  after?: string;
  maxAttempts?: number;
  retry?: Record<string, string[]>;
  on?: Record<string, unknown>[];
}

/** What a play comes to; one line a dial, an end or a look. */
export interface Trace {
  dials: string[];
  end: string | null;
}

/**
 * The n-th dial takes the n-th; behind the last, no dial is answered, so that callbacks and backoff do not go
 * on for ever.
 */
export function plannedCall({ calls }: Play, dial: number): PlannedCall {
  return calls[dial] ?? { outcome: 'no_answer', lasts: 1, recordedAfter: 0, resolution: null, result: null };
}

export const MINUTE = 60_000;
const HORIZON_DAYS = 12;

/** Some hours before changes of the clock, which come in the days that follow, and an ordinary week. */
const STARTS: [zone: string, start: number][] = [
  ['America/New_York', Date.UTC(2026, 9, 28, 12)],
  ['America/New_York', Date.UTC(2027, 2, 10, 12)],
  ['Europe/Berlin', Date.UTC(2026, 9, 22, 8)],
  ['Europe/Berlin', Date.UTC(2027, 2, 25, 8)],
  ['Australia/Lord_Howe', Date.UTC(2026, 9, 1, 0)],
  ['America/Santiago', Date.UTC(2026, 8, 3, 12)],
  ['Asia/Kolkata', Date.UTC(2026, 10, 20, 3)],
];

const windows = (start: string, end: string) => ({ start, end });
const week = (list: { start: string; end: string }[], days: string[]): CallingHours =>
  Object.fromEntries(days.map((day) => [day, list]));
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const ALL = [...WEEKDAYS, 'saturday', 'sunday'];
const HOURS: CallingHours[] = [
  null,
  week([windows('09:00', '17:00')], WEEKDAYS),
  week([windows('09:30', '12:00'), windows('13:15', '20:00')], ALL),
  week([windows('22:00', '03:00')], ALL),
  week([windows('01:30', '02:30')], ['sunday', 'monday']),
];

const delay = fc.constantFrom(
  'PT0S',
  'PT5M',
  'PT15M',
  'PT2H',
  'PT12H',
  'PT13H',
  'P1D',
  'P1DT2H',
  'PT30H',
  'P2D',
  'P3D',
  'P1W',
);
const delays = fc.array(delay, { maxLength: 3 });
const retry = fc.dictionary(fc.constantFrom('no_answer', 'busy', 'voicemail', 'failed'), delays, {
  maxKeys: 4,
});

function routes(behind: string[]): fc.Arbitrary<Record<string, unknown>[]> {
  const next = behind.map((key) => ({ next: key }));
  const effect = fc.constantFrom<object>({ goal: true }, { end: 'reached' }, { end: 'no_response' }, ...next);
  const disposition = fc.constantFrom('yes', 'later', 'no').map((word) => ({ disposition: word }));
  const outcome = fc.constantFrom('completed', 'no_response').map((word) => ({ outcome: word }));
  const entry = fc.oneof(
    fc.tuple(disposition, effect),
    fc.constant([{ disposition: 'later' }, { callback: true }]),
    fc.tuple(outcome, effect),
  );
  return fc.array(
    entry.map(([when, then]) => ({ ...when, ...then })),
    { maxLength: 3 },
  );
}

const keys = ['first', 'second', 'third'];
const steps = fc.integer({ min: 0, max: 11 }).chain((drawn) => {
  const count = Math.ceil(drawn / 4);
  return fc.tuple(
    ...keys.slice(0, count).map((key, index) =>
      fc
        .tuple(delay, retry, routes(keys.slice(index + 1, count)), rarely(30, fc.integer({ min: 1, max: 4 })))
        .map(([after, delaysOf, on, maxAttempts]) => ({
          key,
          agentId: AGENT,
          after,
          retry: delaysOf,
          on,
          ...(maxAttempts !== null && { maxAttempts }),
        })),
    ),
  );
});

const caps = fc.record({
  maxAttempts: rarely(30, fc.integer({ min: 1, max: 4 })),
  perNumber: fc.array(
    fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      per: fc.constantFrom('PT24H', 'P1D', 'P3D', 'P1W', 'PT90M'),
    }),
    { maxLength: 2 },
  ),
  afterConversation: rarely(30, fc.constantFrom('P1D', 'P3D', 'PT20H', 'PT0S')),
  lifetime: rarely(40, fc.constantFrom('P2D', 'P5D', 'PT100H', 'P2W')),
});

const anInstant = minutes(HORIZON_DAYS * DAY);

export const plays: fc.Arbitrary<Play> = fc
  .record({
    start: fc.constantFrom(...STARTS),
    into: minutes(3 * DAY),
    inAgentZone: chance(25),
    agentZone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Europe/London'),
    steps,
    caps,
    narrowing: rarely(30, fc.constantFrom(...HOURS)),
    hours: fc.constantFrom(null, ...HOURS),
    closed: fc.array(minutes(10), { maxLength: 2 }),
    calls,
    notBefore: rarely(10, anInstant),
    suppressed: rarely(8, anInstant),
    deleted: rarely(4, anInstant),
    archived: rarely(4, anInstant),
    intervals: fc.array(
      fc.record({ what: fc.constantFrom(...INTERVALS), from: anInstant, lasts: minutes(2 * DAY) }),
      { maxLength: 4 },
    ),
    others: fc.array(fc.record({ at: anInstant, completed: chance(50) }), { maxLength: 3 }),
    limits: fc.record({
      daily: rarely(25, fc.integer({ min: 1, max: 2 })),
      weekly: rarely(20, fc.integer({ min: 1, max: 3 })),
      monthly: rarely(10, fc.integer({ min: 1, max: 4 })),
    }),
    retryWithinRedialWindow: chance(50),
  })
  .map((drawn) => {
    const [zone, start] = drawn.start;
    const enrolledAt = start + drawn.into * MINUTE;
    const at = (after: number) => enrolledAt + after * MINUTE;
    const maybeAt = (after: number | null) => (after === null ? null : at(after));
    return {
      definition: {
        steps: drawn.steps,
        caps: drawn.caps,
        hours: drawn.narrowing,
        closedDates: drawn.closed.slice(1).map((day) => dateOf(start, day)),
      },
      contactZone: drawn.inAgentZone ? null : zone,
      agentZone: drawn.inAgentZone ? zone : drawn.agentZone,
      hours: drawn.hours,
      closedDates: drawn.closed.slice(0, 1).map((day) => dateOf(start, day)),
      enrolledAt,
      horizon: at(HORIZON_DAYS * DAY),
      notBefore: maybeAt(drawn.notBefore),
      calls: drawn.calls,
      intervals: drawn.intervals.map(({ what, from, lasts }) => ({
        what,
        from: at(from),
        to: at(from + lasts),
      })),
      suppressedAt: maybeAt(drawn.suppressed),
      deletedAt: maybeAt(drawn.deleted),
      archivedAt: maybeAt(drawn.archived),
      others: drawn.others.map((other) => ({
        at: at(other.at),
        completedAt: other.completed ? at(other.at + 4) : null,
      })),
      limits: drawn.limits,
      retryWithinRedialWindow: drawn.retryWithinRedialWindow,
    };
  });

const dateOf = (start: number, day: number) =>
  new Date(start + day * DAY * MINUTE).toISOString().slice(0, 10);
