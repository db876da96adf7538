import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneData } from '../../../src/domain/zones/time-zone.js';
import { expectEqual } from '../../support/compare.js';
import { type CompiledZone, readCompiledZone } from './support/compiled-zone.js';

/** Where Debian's package `tzdata` installs IANA's data, compiled by `zic`. */
const DIRECTORY = '/usr/share/zoneinfo';
const SINCE = Date.UTC(2024, 0);
const UNTIL = Date.UTC(2031, 0);

/** Refused by name, see `ZoneData`. */
const REFUSED = ['EST', 'MST', 'HST'];

const source = join(DIRECTORY, 'tzdata.zi');
const [, version] = existsSync(source) ? (/^# version (\S+)/.exec(readFileSync(source, 'utf8')) ?? []) : [];
const isSame = version === zoneData().version;
const compare = isSame ? test : test.skip;
if (!isSame) {
  process.stdout.write(
    `zone data: not compared with ${DIRECTORY}, which has ${version ?? 'no version'}, not ${zoneData().version}\n`,
  );
}

compare('every transition of every zone from 2024 to 2030 is that of the second source', () => {
  const names = zoneData()
    .names()
    .filter((name) => !REFUSED.includes(name));
  let transitions = 0;
  for (const name of names) {
    const expected = transitionsOf(readCompiledZone(readFileSync(join(DIRECTORY, name))));
    expectEqual([name, ownTransitions(name)], [name, expected]);
    transitions += expected.length - 1;
  }
  process.stdout.write(
    `zone data ${zoneData().version}: ${transitions} transitions of ${names.length} names agree with ${DIRECTORY}\n`,
  );
  expect(names.length).toBeGreaterThan(590);
  expect(transitions).toBeGreaterThan(2_000);
});

compare('the second source has no other names', () => {
  const names = new Set(zoneData().names());
  const others = readFileSync(source, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([kind, first, second]) => (kind === 'Z' ? [first] : kind === 'L' ? [second] : []))
    .filter((name) => name !== undefined && !names.has(name));
  // `Factory` stands for a clock that is not set yet.
  expect(others).toEqual(['Factory']);
});

/** The offset at the begin of the years, and each instant with the offset that it begins. */
type Found = [instant: number, offset: number][];

function ownTransitions(name: string): Found {
  const zone = zoneData().zone(name);
  if (zone === undefined) throw new Error(`${name} is not known`);
  const found: Found = [[SINCE, zone.at(SINCE).offset]];
  for (let at = zone.at(SINCE).until; at < UNTIL; at = zone.at(at).until)
    found.push([at, zone.at(at).offset]);
  return found;
}

function transitionsOf({ before, transitions }: CompiledZone): Found {
  let offset = before;
  const found: Found = [];
  for (const [at, next] of [...transitions, [Infinity, NaN] as const]) {
    if (found.length === 0 && at > SINCE) found.push([SINCE, offset]);
    if (at > SINCE && at < UNTIL && next !== offset) found.push([at, next]);
    offset = next;
  }
  return found;
}
