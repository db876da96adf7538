/**
 * A local wall-clock reading in milliseconds: the instant at which a clock set to UTC shows the same date and
 * time. Calendar arithmetic on such readings is arithmetic on numbers. A reading determines an instant only
 * together with an offset.
 */
export type WallClock = number;

const day = 86_400_000;

/**
 * IANA names begin with a letter. Newer engines also accept offsets such as `+01:00`. Offsets never change
 * with the season, so such a value is probably a mistake.
 */
const ianaName = /^[A-Za-z][\w+/-]{0,63}$/;

/**
 * The formatters by zone. Zones are in lower case, so that each has one entry. Building a formatter costs
 * more than using it a thousand times.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The zone of the last look-up: consecutive decisions often have the same zone. */
let latest: { zone: string; formatter: Intl.DateTimeFormat } | undefined;

function formatterOf(zone: string): Intl.DateTimeFormat {
  if (latest?.zone === zone) return latest.formatter;
  const formatter = namedFormatter(zone);
  latest = { zone, formatter };
  return formatter;
}

function namedFormatter(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase();
  const cached = formatters.get(key);
  if (cached) return cached;
  if (!ianaName.test(zone)) throw new RangeError('not the name of a time zone');
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: key,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(key, formatter);
  return formatter;
}

/**
 * Whether `name` is an IANA time zone name that `Intl` knows, in upper or lower case. Links and `UTC` are
 * included.
 */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * What the wall clock in `zone` reads minus what a clock in UTC reads, in milliseconds, at `instant` (epoch
 * milliseconds). Throws a RangeError for an unknown zone or an invalid instant, because an undecided call
 * must not be dialed.
 *
 * `getTimezoneOffset` of date-fns-tz is not used: near a transition it returns the offset of the wrong side.
 */
export function offsetMs(zone: string, instant: number): number {
  const formatter = formatterOf(zone);
  if (!(instant >= CACHED_FROM && instant < CACHED_UNTIL)) return formattedOffset(formatter, instant);
  const date = Math.floor(instant / day);
  let offsets = offsetsOfDays.get(formatter);
  if (offsets === undefined) offsetsOfDays.set(formatter, (offsets = new Map<number, number | null>()));
  let offset = offsets.get(date);
  if (offset === undefined) {
    if (cachedDays >= MOST_CACHED_DAYS) {
      offsetsOfDays = new WeakMap([[formatter, (offsets = new Map<number, number | null>())]]);
      cachedDays = 0;
    }
    const [begin, end] = [date * day, (date + 1) * day].map((at) => formattedOffset(formatter, at));
    offset = begin === end ? begin! : null;
    offsets.set(date, offset);
    cachedDays += 1;
  }
  return offset ?? formattedOffset(formatter, instant);
}

/**
 * By formatter: the offset of each UTC day that was looked up; null for a day within which the offset
 * changes. Formatting an instant costs more than all other work of a decision. A day whose offset is the same
 * at both ends has no transition: see {@link nextTransition}.
 */
let offsetsOfDays = new WeakMap<Intl.DateTimeFormat, Map<number, number | null>>();
let cachedDays = 0;
const MOST_CACHED_DAYS = 20_000;
const CACHED_FROM = Date.UTC(2000, 0);
const CACHED_UNTIL = Date.UTC(2100, 0);

function formattedOffset(formatter: Intl.DateTimeFormat, instant: number): number {
  // MM/DD/YYYY, HH:MM:SS
  const text = formatter.format(instant);
  const at = text.length - 8;
  const wholeSeconds = Date.UTC(
    Number(text.slice(6, at - 2)),
    Number(text.slice(0, 2)) - 1,
    Number(text.slice(3, 5)),
    Number(text.slice(at, at + 2)),
    Number(text.slice(at + 3, at + 5)),
    Number(text.slice(at + 6)),
  );
  return wholeSeconds - Math.floor(instant / 1000) * 1000;
}

/**
 * The first instant in `(after, until]` whose offset differs from the offset at `after`, or undefined (epoch
 * milliseconds).
 *
 * The search samples one instant a day. It would miss two transitions within a day that cancel each other
 * out. Since 2000, no zone has had two transitions within six days.
 */
export function nextTransition(zone: string, after: number, until: number): number | undefined {
  const offset = offsetMs(zone, after);
  for (let low = after; low < until;) {
    let high = Math.min(low + day, until);
    if (offsetMs(zone, high) === offset) {
      low = high;
      continue;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetMs(zone, middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }
  return undefined;
}
