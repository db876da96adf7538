import { type ZoneData } from './zone-data.js';

/** A zone whose clock two versions of the data tell differently. */
export interface ZoneChange {
  zone: string;
  /** The first instant at which the offsets differ, ISO 8601. */
  from: string;
  /** Minutes ahead of UTC at this instant. */
  offsetBefore: number;
  offset: number;
}

const MINUTE_MS = 60_000;

/** The zones, without links, whose offsets differ between `since` and `until` (epoch milliseconds). */
export function changesBetween(before: ZoneData, data: ZoneData, since: number, until: number): ZoneChange[] {
  return data.data.zones.flatMap((packed) => {
    const name = packed.slice(0, packed.indexOf('|'));
    const [old, zone] = [before.zone(name), data.zone(name)];
    if (old === undefined || zone === undefined) return [];
    for (let at = since; at < until; at = Math.min(old.at(at).until, zone.at(at).until)) {
      const [offsetBefore, offset] = [old.at(at).offset / MINUTE_MS, zone.at(at).offset / MINUTE_MS];
      if (offsetBefore !== offset)
        return [{ zone: name, from: new Date(at).toISOString(), offsetBefore, offset }];
    }
    return [];
  });
}
