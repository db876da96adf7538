import { type PackedZones, unpackZone } from './packed-zones.js';
import { yearOf } from './yearly-rule.js';
import { Zone } from './zone.js';

const VERSION = /^\d{4}[a-z]{1,2}$/;
const IANA_NAME = /^[A-Za-z][\w+/-]{0,63}$/;

/**
 * Names of IANA that are refused. People write them for places with daylight time, but they name zones without
 * it.
 */
const MISLEADING = new Set(['est', 'mst', 'hst']);

/** The names and offsets of all zones of one version of IANA's time zone database. */
export class ZoneData {
  readonly version: string;
  /** The packed zone of each name, in lower case; links have that of the zone that they name. */
  private readonly packed = new Map<string, string>();
  private readonly zones = new Map<string, Zone>();
  private readonly lastYear: number;

  /** Throws a RangeError if the data do not have the form of {@link PackedZones}. */
  constructor(readonly data: PackedZones) {
    if (!VERSION.test(data.version)) throw new RangeError('the version is not one such as 2026f');
    this.version = data.version;
    for (const zone of data.zones) this.packed.set(zone.slice(0, zone.indexOf('|')).toLowerCase(), zone);
    for (const link of data.links) {
      const [target = '', name = ''] = link.split('|');
      const zone = this.packed.get(target.toLowerCase());
      if (zone === undefined) throw new RangeError(`the link ${link.slice(0, 130)} names no zone`);
      this.packed.set(name.toLowerCase(), zone);
    }
    this.lastYear = lastYearOf(data.zones);
    for (const name of this.packed.keys()) {
      if (!IANA_NAME.test(name)) throw new RangeError(`${name.slice(0, 64)} is not the name of a zone`);
    }
  }

  /** The names of zones and links as the data write them, with those that {@link zone} does not find. */
  names(): string[] {
    const links = this.data.links.map((link) => link.slice(link.indexOf('|') + 1));
    return [...this.data.zones.map((zone) => zone.slice(0, zone.indexOf('|'))), ...links];
  }

  /** Parses all zones. Throws a RangeError if one of them cannot be read. */
  check(): this {
    for (const name of this.names()) this.zone(name);
    return this;
  }

  /** @returns undefined for a name that is not accepted, see {@link MISLEADING}. */
  zone(name: string): Zone | undefined {
    const known = this.zones.get(name);
    if (known !== undefined) return known;
    // The longest name of IANA has 32 characters. A long text is not copied.
    if (name.length > 64) return undefined;
    const key = name.toLowerCase();
    const zone = this.zones.get(key) ?? this.parse(key);
    // Only spellings of the data are kept, so that requests cannot fill the memory.
    if (zone?.name === name) this.zones.set(name, zone);
    return zone;
  }

  private parse(key: string): Zone | undefined {
    const packed = MISLEADING.has(key) ? undefined : this.packed.get(key);
    if (packed === undefined) return undefined;
    const zone = new Zone(packed.slice(0, packed.indexOf('|')), unpackZone(packed), this.lastYear);
    this.zones.set(key, zone);
    return zone;
  }
}

/** The year in which the data end. The zone with the most transitions changes its clock until then. */
function lastYearOf(zones: readonly string[]): number {
  const longest = zones.reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest === '' ? 0 : yearOf(unpackZone(longest).starts.at(-1) ?? 0);
}
