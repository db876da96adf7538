import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBsonStrings } from '../../tools/places/bson-strings.js';
import { NUMBER_PLACES_FILE, numberPlacesFile } from '../../tools/places/number-places.js';
import { readPhoneMaps } from '../../tools/places/read-maps.js';
import { root } from '../support/repository.js';

test('the table of places is what the packages’ data give now: npm run places', () => {
  const committed = readFileSync(join(root, NUMBER_PLACES_FILE), 'utf8');
  expect(numberPlacesFile(readPhoneMaps()) === committed).toBe(true);
  expect(Buffer.byteLength(committed)).toBeLessThan(64 * 1024);
});

describe('BSON', () => {
  // { "212": "New York", "": "Zürich" }
  const document = Buffer.from(
    '2e000000' + '02323132000900' + '00004e657720596f726b00' + '020008' + '0000005ac3bc7269636800' + '00',
    'hex',
  );

  test('its texts are read by their names', () => {
    document.writeInt32LE(document.length, 0);
    expect([...readBsonStrings(document)]).toEqual([
      ['212', 'New York'],
      ['', 'Zürich'],
    ]);
  });

  test('another type is refused', () => {
    const number = Buffer.from('0c0000001061000100000000', 'hex');
    expect(() => readBsonStrings(number)).toThrow('element 0 has the type 16');
  });
});
