import { readFileSync } from 'node:fs';
import { ConfigError } from './config/config-error.js';
import { type PackedZones } from './domain/zones/packed-zones.js';
import { isOlderVersion, useZoneData, zoneData } from './domain/zones/time-zone.js';
import { ZoneData } from './domain/zones/zone-data.js';
import { describeError } from './telemetry/describe-error.js';

/**
 * Makes the process decide by the zone data of `TZDATA_FILE`, if one is set. To be called before anything is
 * decided.
 *
 * @throws ConfigError for a file that cannot be read, or whose data are older than those of the release.
 */
export function installZoneData(tzdataFile: string | undefined): void {
  if (tzdataFile === undefined) return;
  const given = readZoneData(tzdataFile);
  const own = zoneData().version;
  if (isOlderVersion(given.version, own)) {
    throw refused(`has the version ${given.version}, which is older than ${own} of this release; unset it`);
  }
  useZoneData(given);
}

function readZoneData(file: string): ZoneData {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return new ZoneData(packedZones(read)).check();
  } catch (error) {
    throw refused(
      `cannot be used: ${describeError(error)}. It must be like data/packed/latest.json of moment-timezone`,
    );
  }
}

function packedZones(read: unknown): PackedZones {
  const { version, zones, links } = (read ?? {}) as Partial<Record<keyof PackedZones, unknown>>;
  if (typeof version !== 'string' || !areTexts(zones) || !areTexts(links) || zones.length === 0) {
    throw new RangeError('version, zones and links are not those of zone data');
  }
  return { version, zones, links };
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function refused(why: string): ConfigError {
  return new ConfigError(`Invalid environment variables:\n  TZDATA_FILE: ${why}`);
}
