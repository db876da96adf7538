import { PACKAGED } from './packaged.js';
import { likelyZones } from './likely-zones.js';
import { type Zone } from './zone.js';
import { ZoneData } from './zone-data.js';

/**
 * A local wall-clock reading in milliseconds: the instant at which a clock set to UTC shows the same date and
 * time. Calendar arithmetic on such readings is arithmetic on numbers. A reading determines an instant only
 * together with an offset.
 */
export type WallClock = number;

/** The data by which this process decides. */
let data = new ZoneData(PACKAGED);

/** The zone of the last look-up: consecutive decisions often have the same zone. */
let latest: { name: string; zone: Zone } | undefined;

/** The data by which this process decides. */
export function zoneData(): ZoneData {
  return data;
}

/** From now on this process decides by these data. To be called before the process decides anything. */
export function useZoneData(newer: ZoneData): void {
  data = newer;
  latest = undefined;
}

/** What `work` returns, decided by other data than the process's own. `work` must be synchronous. */
export function byZoneData<T>(other: ZoneData, work: () => T): T {
  const own = data;
  useZoneData(other);
  try {
    return work();
  } finally {
    useZoneData(own);
  }
}

/** Whether a version of IANA's data, such as `2026f`, is older than another one. After `z` comes `za`. */
export function isOlderVersion(version: string, other: string): boolean {
  return version < other;
}

/** Throws a RangeError for an unknown zone, because an undecided call must not be dialed. */
function zoneNamed(name: string): Zone {
  if (latest?.name === name) return latest.zone;
  const zone = data.zone(name);
  if (zone === undefined) throw new RangeError('not the name of a time zone');
  latest = { name, zone };
  return zone;
}

/**
 * Whether `name` is a time zone name of IANA, in upper or lower case. Links and `UTC` are included. `EST`,
 * `MST` and `HST` are not.
 */
export function isTimeZone(name: unknown): name is string {
  return typeof name === 'string' && (latest?.name === name || data.zone(name) !== undefined);
}

/** What is wrong with a time zone name that a request sent, after the name of the field. */
export function timeZoneFault(name: string): string | null {
  if (data.zone(name) !== undefined) return null;
  const likely = likelyZones(name);
  if (likely === undefined) return 'must be an IANA time zone name, such as Europe/Berlin';
  return `must be an IANA time zone name; for ${name.toUpperCase()}, send ${likely}`;
}

/**
 * What the wall clock in `zone` reads minus what a clock in UTC reads, in milliseconds, at `instant` (epoch
 * milliseconds). Throws a RangeError for an unknown zone or an invalid instant, because an undecided call
 * must not be dialed.
 */
export function offsetMs(zone: string, instant: number): number {
  return zoneNamed(zone).at(instant).offset;
}

/**
 * The first instant in `(after, until]` whose offset differs from the offset at `after`, or undefined (epoch
 * milliseconds).
 */
export function nextTransition(zone: string, after: number, until: number): number | undefined {
  const transition = zoneNamed(zone).at(after).until;
  return transition <= until ? transition : undefined;
}
