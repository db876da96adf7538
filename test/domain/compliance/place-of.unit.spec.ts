import { numberPlaces } from '../../../src/domain/compliance/number-places.js';
import { type PlaceSource } from '../../../src/domain/compliance/place.js';
import { placeOf, statedPlace } from '../../../src/domain/compliance/place-of.js';
import { isTimeZone } from '../../../src/domain/zones/time-zone.js';

/** `zones` are separated by spaces. */
type Row = [
  what: string,
  e164: string,
  source: PlaceSource,
  zones: string,
  country: string,
  regions?: string,
];

const place = (source: PlaceSource, zones: string, country: string, regions = '') => ({
  source,
  zones: zones.split(' '),
  country,
  regions: regions.split(' ').filter((region) => region !== ''),
});

const US_ZONES =
  'America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Juneau America/Los_Angeles ' +
  'America/New_York America/North_Dakota/Center America/Phoenix Pacific/Honolulu';
const AU_ZONES =
  'Australia/Adelaide Australia/Brisbane Australia/Darwin Australia/Eucla Australia/Lord_Howe Australia/Perth ' +
  'Australia/Sydney Indian/Christmas Indian/Cocos';
const GB_ZONES = 'Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London';

describe('a number with an area code of +1 has the zones of the area code', () => {
  test.each<Row>([
    ['Manhattan', '+12125550123', 'areaCode', 'America/New_York', 'US', 'US-NY'],
    ['Florida, two zones', '+18505550123', 'areaCode', 'America/Chicago America/New_York', 'US', 'US-FL'],
    ['Florida, the overlay', '+14485550123', 'areaCode', 'America/Chicago America/New_York', 'US', 'US-FL'],
    ['Orlando’s overlay', '+16895550123', 'areaCode', 'America/New_York', 'US', 'US-FL'],
    [
      'Idaho, two zones',
      '+12085550123',
      'areaCode',
      'America/Boise America/Denver America/Los_Angeles',
      'US',
      'US-ID',
    ],
    ['Tennessee, two zones', '+14235550123', 'areaCode', 'America/Chicago America/New_York', 'US', 'US-TN'],
    ['Indiana, two zones', '+12195550123', 'areaCode', 'America/Chicago America/New_York', 'US', 'US-IN'],
    [
      'Arizona with the Navajo Nation',
      '+19285550123',
      'areaCode',
      'America/Denver America/Phoenix',
      'US',
      'US-AZ',
    ],
    [
      'Oregon’s overlay with Malheur County',
      '+14585550123',
      'areaCode',
      'America/Boise America/Los_Angeles',
      'US',
      'US-OR',
    ],
    ['Washington, D.C.', '+12025550123', 'areaCode', 'America/New_York', 'US', 'US-DC'],
    ['Saskatchewan’s overlay', '+14745550123', 'areaCode', 'America/Regina', 'CA', 'CA-SK'],
    ['two provinces', '+19025550123', 'areaCode', 'America/Halifax', 'CA', 'CA-NS CA-PE'],
    [
      'eastern Quebec',
      '+14185550123',
      'areaCode',
      'America/Blanc-Sablon America/Halifax America/Toronto',
      'CA',
      'CA-QC',
    ],
    ['Puerto Rico, where US law holds', '+17875550123', 'areaCode', 'America/Puerto_Rico', 'PR', 'US-PR'],
    ['Jamaica', '+18765550123', 'areaCode', 'America/Jamaica', 'JM'],
  ])('%s', (_, e164, source, zones, country, regions = '') => {
    expect(placeOf(e164)).toEqual(place(source, zones, country, regions));
  });

  test('an exchange in one of the zones narrows nothing, because numbers are ported', () => {
    // libphonenumber puts 1 423 837 (South Pittsburg) into Chicago alone.
    expect(placeOf('+14238375555').zones).toEqual(['America/Chicago', 'America/New_York']);
  });
});

describe('numbers of +1 without a place', () => {
  test.each<Row>([
    ['toll-free', '+18005550123', 'country', US_ZONES, 'US'],
    ['toll-free, a newer code', '+18335550123', 'country', US_ZONES, 'US'],
    ['personal', '+15005550123', 'country', US_ZONES, 'US'],
  ])('%s', (_, e164, source, zones, country) => {
    expect(placeOf(e164)).toEqual(place(source, zones, country));
  });

  test('are of the team’s default country if it is another of +1', () => {
    expect(placeOf('+18005550123', 'CA')).toMatchObject({ country: 'CA', source: 'country' });
    expect(placeOf('+18005550123', 'CA').zones).toEqual(
      expect.arrayContaining(['America/St_Johns', 'America/Regina', 'America/Vancouver']),
    );
    expect(placeOf('+18005550123', 'JM')).toEqual(place('country', 'America/Jamaica', 'JM'));
    expect(placeOf('+18005550123', 'DE')).toEqual(place('country', US_ZONES, 'US'));
    expect(placeOf('+18505550123', 'CA').country).toBe('US');
  });

  test('an area code that no plan knows is unknown', () => {
    expect(placeOf('+12995550123')).toMatchObject({ zones: [], source: 'unknown' });
  });
});

describe('fixed-line numbers elsewhere have the zones of their prefix', () => {
  test.each<Row>([
    ['Berlin', '+4930901820', 'prefix', 'Europe/Berlin', 'DE'],
    ['Madrid', '+34912345678', 'prefix', 'Europe/Madrid', 'ES'],
    ['Las Palmas', '+34928123456', 'prefix', 'Atlantic/Canary', 'ES'],
    ['Melbourne', '+61392345678', 'prefix', 'Australia/Sydney', 'AU'],
    [
      'Sydney’s area code, which Lord Howe shares',
      '+61292345678',
      'prefix',
      'Australia/Lord_Howe Australia/Sydney',
      'AU',
    ],
    [
      'Queensland’s, which reaches into New South Wales',
      '+61732345678',
      'prefix',
      'Australia/Brisbane Australia/Sydney',
      'AU',
    ],
    ['Jersey', '+441534123456', 'prefix', 'Europe/Jersey', 'JE'],
    ['Moscow', '+74951234567', 'prefix', 'Europe/Moscow', 'RU'],
    ['Kaliningrad, which the map calls Bucharest', '+74012123456', 'prefix', 'Europe/Kaliningrad', 'RU'],
    ['Almaty', '+77272123456', 'prefix', 'Asia/Almaty', 'KZ'],
    ['Guadeloupe', '+590590201234', 'prefix', 'America/Guadeloupe', 'GP', 'FR-971'],
    ['Martinique', '+596596301234', 'prefix', 'America/Martinique', 'MQ', 'FR-972'],
    ['French Guiana', '+594594123456', 'prefix', 'America/Cayenne', 'GF', 'FR-973'],
    ['Réunion', '+262262123456', 'prefix', 'Indian/Reunion', 'RE', 'FR-974'],
    ['Mayotte', '+262269601234', 'prefix', 'Indian/Mayotte', 'YT', 'FR-976'],
    ['Algiers, which the map calls Paris', '+21321123456', 'prefix', 'Africa/Algiers', 'DZ'],
  ])('%s', (_, e164, source, zones, country, regions = '') => {
    expect(placeOf(e164)).toEqual(place(source, zones, country, regions));
  });

  test('the Northern Territory is not told from South Australia', () => {
    expect(placeOf('+61889123456').zones).toEqual(
      expect.arrayContaining(['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth']),
    );
  });
});

describe('mobile numbers, and others that name no place, have all zones of the calling code', () => {
  test.each<Row>([
    ['Australia, mobile', '+61412345678', 'country', AU_ZONES, 'AU'],
    ['Australia, toll-free', '+611800123456', 'country', AU_ZONES, 'AU'],
    ['United Kingdom, mobile', '+447400123456', 'country', GB_ZONES, 'GB'],
    ['Spain, mobile', '+34612345678', 'country', 'Atlantic/Canary Europe/Madrid', 'ES'],
    ['France, mobile', '+33612345678', 'country', 'Europe/Paris', 'FR'],
    ['Réunion, mobile', '+262692123456', 'country', 'Indian/Mayotte Indian/Reunion', 'RE', 'FR-974'],
    ['South Africa, mobile', '+27821234567', 'country', 'Africa/Johannesburg', 'ZA'],
  ])('%s', (_, e164, source, zones, country, regions = '') => {
    expect(placeOf(e164)).toEqual(place(source, zones, country, regions));
  });

  test('Russia and Kazakhstan share a calling code', () => {
    const russian = placeOf('+79161234567');
    expect(russian).toMatchObject({ source: 'country', country: 'RU' });
    expect(russian.zones).toEqual(
      expect.arrayContaining(['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Almaty', 'Asia/Kamchatka']),
    );
    expect(placeOf('+77012345678')).toEqual({ ...russian, country: 'KZ' });
  });

  test('Mexico does not tell mobile numbers from fixed ones', () => {
    expect(placeOf('+525512345678').zones).toEqual(
      expect.arrayContaining(['America/Mexico_City', 'America/Cancun', 'America/Tijuana']),
    );
    // The form of numbers until 2019.
    expect(placeOf('+5215512345678')).toEqual(placeOf('+525512345678'));
  });
});

test.each([
  ['a service of no country', '+80012345678'],
  ['a satellite phone', '+881612345678'],
  ['an erased number', 'erased:3f2a'],
  ['no number', ''],
])('%s is of an unknown place', (_, e164) => {
  expect(placeOf(e164)).toMatchObject({ zones: [], source: 'unknown', country: null, regions: [] });
});

test('a stated zone is the only one, and the jurisdictions stay those of the number', () => {
  expect(statedPlace('America/Chicago', '+18505550123')).toEqual(
    place('stated', 'America/Chicago', 'US', 'US-FL'),
  );
  expect(statedPlace('Europe/Paris', '+80012345678')).toEqual({
    zones: ['Europe/Paris'],
    source: 'stated',
    country: null,
    regions: [],
  });
});

describe('the table', () => {
  const { areaCodes, northAmerica, prefixes } = numberPlaces();
  const sets = [
    ...[...areaCodes].map(([code, { zones }]) => [code, zones] as const),
    ...northAmerica,
    ...prefixes,
  ];

  test('names zones that the zone data know, sorted and each once', () => {
    const wrong = sets.filter(
      ([, zones]) =>
        zones.length === 0 ||
        zones.some((zone) => !isTimeZone(zone)) ||
        String(zones) !== String([...new Set(zones)].sort()),
    );
    expect(wrong).toEqual([]);
  });

  test('has a country for each area code, and a state for each of the United States and Canada', () => {
    const without = [...areaCodes].filter(
      ([, { country, regions }]) =>
        country === null ||
        (['US', 'CA', 'PR', 'GU', 'VI', 'AS', 'MP'].includes(country) && regions.length === 0),
    );
    expect(without).toEqual([]);
    expect(areaCodes.size).toBeGreaterThan(430);
    const states = new Set([...areaCodes.values()].flatMap(({ regions }) => regions));
    // 50 states, the District of Columbia and 5 territories.
    expect([...states].filter((state) => state.startsWith('US-')).length).toBe(56);
    expect([...states].filter((state) => state.startsWith('CA-')).length).toBe(13);
  });
});
