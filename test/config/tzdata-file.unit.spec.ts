import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/config/config-error.js';
import { PACKAGED, PACKAGED_ON } from '../../src/domain/zones/packaged.js';
import { offsetMs, useZoneData, zoneData } from '../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../src/domain/zones/zone-data.js';
import { installZoneData, oldZoneDataWarning } from '../../src/zone-data.js';

const HOUR_MS = 3_600_000;
const directory = mkdtempSync(join(tmpdir(), 'tzdata-'));

afterEach(() => useZoneData(new ZoneData(PACKAGED)));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(content: unknown): string {
  const file = join(directory, 'tzdata.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('newer data decide from then on', () => {
  const before = offsetMs('Asia/Tokyo', Date.UTC(2026, 10, 27));
  const zones = PACKAGED.zones.map((zone) =>
    zone.startsWith('Asia/Tokyo|') ? 'Asia/Tokyo|JST|-a0|0||38e6' : zone,
  );
  installZoneData(fileOf({ ...PACKAGED, version: '2027a', zones }));
  expect(zoneData().version).toBe('2027a');
  expect([before, offsetMs('Asia/Tokyo', Date.UTC(2026, 10, 27))]).toEqual([9 * HOUR_MS, 10 * HOUR_MS]);
});

test('data older than 180 days are warned about: by the day of the release, or of the file', () => {
  const days = (from: number, count: number) => from + count * 24 * HOUR_MS;
  const released = Date.parse(PACKAGED_ON);
  expect(oldZoneDataWarning(undefined, days(released, 180))).toBeNull();
  expect(oldZoneDataWarning(undefined, days(released, 181))).toContain(
    `${PACKAGED.version} are 181 days old`,
  );
  const file = fileOf(PACKAGED);
  const written = days(released, 300);
  utimesSync(file, written / 1_000, written / 1_000);
  expect(oldZoneDataWarning(file, days(written, 180))).toBeNull();
  expect(oldZoneDataWarning(file, days(written, 181))).toContain('TZDATA_FILE');
});

test('without a file, and with a file of the same version, the version stays', () => {
  installZoneData(undefined);
  installZoneData(fileOf(PACKAGED));
  expect(zoneData().version).toBe(PACKAGED.version);
});

test.each([
  ['older data', { ...PACKAGED, version: '2025c' }, 'has the version 2025c, which is older than'],
  ['no JSON', '# version 2027a', 'cannot be used'],
  ['other JSON', { version: '2027a' }, 'cannot be used'],
  [
    'a zone that cannot be read',
    { ...PACKAGED, version: '2027a', zones: ['Etc/UTC|A|0|1||'], links: [] },
    'Etc/UTC',
  ],
])('a file with %s is refused', (_, content, why) => {
  expect(() => installZoneData(fileOf(content))).toThrow(ConfigError);
  expect(() => installZoneData(fileOf(content))).toThrow(why);
  expect(zoneData().version).toBe(PACKAGED.version);
});

test('a file that does not exist is refused', () => {
  expect(() => installZoneData(join(directory, 'none.json'))).toThrow(
    /^Invalid environment variables:\n {2}TZDATA_FILE: /,
  );
});
