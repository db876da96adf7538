import { readFileSync, statSync } from 'node:fs';
import { PACKAGED_ON } from './domain/zones/packaged.js';
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

const DAY_MS = 86_400_000;
/** Laws change several times a year. */
const OLD_AFTER_DAYS = 180;

/** A warning about old zone data, by the day of the release's data or of the file; null if they are newer. */
export function oldZoneDataWarning(tzdataFile: string | undefined, now = Date.now()): string | null {
  const from = tzdataFile === undefined ? Date.parse(PACKAGED_ON) : statSync(tzdataFile).mtimeMs;
  const days = Math.floor((now - from) / DAY_MS);
  if (days <= OLD_AFTER_DAYS) return null;
  return `the zone data ${zoneData().version} are ${days} days old: update Outdial, or set TZDATA_FILE`;
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
