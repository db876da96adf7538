import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { parse } from 'yaml';
import { faultsAmong } from '../../src/compliance/packs/check-packs.js';
import { loadPacks } from '../../src/compliance/packs/load-packs.js';
import { contentOf, packOfContent } from '../../src/compliance/packs/pack-content.js';
import { PackError } from '../../src/compliance/packs/pack-error.js';
import { SHIPPED_DIR } from '../../src/compliance/packs/pack-files.js';
import { Packs } from '../../src/compliance/packs/packs.service.js';
import { parsePack } from '../../src/compliance/packs/parse-pack.js';
import { shippedFaults } from '../../src/compliance/packs/shipped-faults.js';
import { ConfigError } from '../../src/config/config-error.js';
import { read } from '../support/repository.js';
import { SHIPPED, SHIPPED_FAULTS } from './support/shipped-packs.js';

const ajv = new Ajv2020({ allErrors: true });
addFormats(ajv);
const isOfSchema = ajv.compile(JSON.parse(read('packs/schema.json')) as object);

const HEAD = `appliesTo: { purpose: [marketing], voice: [ai] }
    citation: A law
    source: { url: https://example.com/law, readOn: '2026-11-28' }
    confidence: high`;
const packOf = (rules: string, head = '') =>
  `pack: zz\njurisdiction: ZZ\nname: Nowhere\n${head}rules:\n${rules}\n`;
const ruleOf = (value: string, kind = 'callingHours', head = HEAD) =>
  `  - id: zz-one\n    kind: ${kind}\n    ${head}\n    ${value}`;
const HOURS = "clock: calledParty\n    hours: { monday: [{ start: '09:00', end: '20:00' }] }";
const GOOD = packOf(ruleOf(HOURS));

describe('the packs of the release', () => {
  test('have no fault of form, among each other, or of their own rules', () => {
    expect(SHIPPED_FAULTS).toEqual([]);
    expect(faultsAmong(SHIPPED.all)).toEqual([]);
    expect(shippedFaults(SHIPPED.all, new Date('2026-11-28T12:00:00Z'))).toEqual([]);
  });

  test.each(SHIPPED.all.map(({ pack }) => pack))('%s is of the schema for editors', (pack) => {
    isOfSchema(parse(readFileSync(join(SHIPPED_DIR, `${pack}.yaml`), 'utf8')));
    expect(isOfSchema.errors).toBeNull();
  });

  test('are of the United States, every state that is sure, Canada and the others', () => {
    expect(SHIPPED.all.map(({ pack }) => pack).join(' ')).toBe(
      'ae au be ca de es eu fr gb it mx nl us us-ca us-ct us-fl us-in us-ky us-la us-ma us-md us-mn us-ms us-nm us-ok us-or us-pa us-ri us-sc us-sd us-ut us-va us-wa us-wy za',
    );
  });

  test('have the duty of the AI Act in every member of the European Union', () => {
    for (const country of ['FR', 'DE', 'ES', 'IT', 'NL', 'BE', 'PT', 'IE', 'AT', 'GR']) {
      const found = SHIPPED.inForce(SHIPPED.forJurisdictions(country, []), '2026-08-02');
      expect([country, found.some(({ rule }) => rule.id === 'eu-ai-50-1')]).toEqual([country, true]);
    }
    expect(SHIPPED.forJurisdictions('GB', []).map(({ pack }) => pack)).toEqual(['gb']);
  });

  test('never have a consent widen hours or closed dates, and have one lift two registers', () => {
    const lifted = SHIPPED.all.flatMap(({ rules }) =>
      rules.flatMap(({ id, unless }) => (unless === null ? [] : [[id, unless]])),
    );
    expect(lifted).toEqual([
      ['ca-dncl', 'express'],
      ['us-ndnc', 'expressWritten'],
    ]);
  });
});

describe('places', () => {
  const names = (country: string | null, regions: string[] = []) =>
    SHIPPED.forJurisdictions(country, regions).map(({ pack }) => pack);

  test('have the packs of the country and of each region, with what these extend', () => {
    expect(names('US')).toEqual(['us']);
    expect(names('US', ['US-FL'])).toEqual(['us', 'us-fl']);
    expect(names('US', ['US-FL', 'US-TX', 'US-UT'])).toEqual(['us', 'us-fl', 'us-ut']);
    expect(names('FR')).toEqual(['eu', 'fr']);
    expect(names('JP')).toEqual([]);
    expect(names(null)).toEqual([]);
  });

  test('have the packs of a region whose country is not the number’s, also where the region has none', () => {
    expect(names('CA', ['US-FL'])).toEqual(['ca', 'us', 'us-fl']);
    expect(names('CA', ['US-TX'])).toEqual(['ca', 'us']);
  });

  test('in territories have the packs of the country whose law holds there', () => {
    for (const territory of ['PR', 'VI', 'GU', 'AS', 'MP']) expect(names(territory)).toEqual(['us']);
    for (const territory of ['RE', 'GP', 'MQ', 'GF', 'YT']) expect(names(territory)).toEqual(['eu', 'fr']);
    for (const territory of ['CX', 'CC']) expect(names(territory)).toEqual(['au']);
    expect(names('NC')).toEqual([]);
  });

  test('packs by name come with what they extend', () => {
    expect(SHIPPED.withExtended(['us-fl', 'none']).map(({ pack }) => pack)).toEqual(['us', 'us-fl']);
    expect(SHIPPED.get('us-fl')?.jurisdiction).toBe('US-FL');
    expect(SHIPPED.get('none')).toBeUndefined();
  });
});

describe('the version', () => {
  test('is of the content, whatever the layout of the file', () => {
    const other = GOOD.replace('name: Nowhere\n', '').replace('rules:', 'name: "Nowhere" # a remark\nrules:');
    expect(parsePack(other, 'zz.yaml').version).toBe(parsePack(GOOD, 'zz.yaml').version);
    expect(parsePack(GOOD, 'zz.yaml').version).toMatch(/^[0-9a-f]{12}$/);
    const changed = parsePack(GOOD.replace('20:00', '20:01'), 'zz.yaml');
    expect(changed.version).not.toBe(parsePack(GOOD, 'zz.yaml').version);
  });

  test.each(SHIPPED.all)('of $pack is that of its kept content, which gives the pack again', (pack) => {
    expect(packOfContent(contentOf(pack))).toEqual(pack);
    expect(contentOf(packOfContent(contentOf(pack)))).toBe(contentOf(pack));
  });
});

describe('a pack in which any value was replaced by another one', () => {
  const texts = ['us-ct', 'us-ri', 'us-ut', 'ca', 'it', 'ae'].map(
    (pack) => [pack, readFileSync(join(SHIPPED_DIR, `${pack}.yaml`), 'utf8')] as const,
  );
  /** Likely values beside any. */
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', 'x', '24:00', '00:00', '2026-02-30', 'calledParty', 'express', null, 0, -1, 2.5, 31),
  );

  test('is read or refused with its file, and what is read is of the schema for editors', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), value, ([pack, text], place, replacement) => {
        const content = replaced(parse(text), place, replacement);
        try {
          parsePack(JSON.stringify(content), `${pack}.yaml`);
        } catch (error) {
          expect(error).toBeInstanceOf(PackError);
          expect((error as Error).message).toMatch(new RegExp(`^${pack}\\.yaml`));
          return;
        }
        isOfSchema(content);
        expect(isOfSchema.errors).toBeNull();
      }),
      { numRuns: 150 },
    );
  });
});

/** A copy in which one value, found by counting, is another one. */
function replaced(content: unknown, place: number, value: unknown): unknown {
  const copy = { content: JSON.parse(JSON.stringify(content)) as unknown };
  const places: [parent: Record<string, unknown>, key: string][] = [];
  const visit = (parent: Record<string, unknown>, key: string) => {
    places.push([parent, key]);
    const child = parent[key];
    if (typeof child !== 'object' || child === null) return;
    for (const each of Object.keys(child)) visit(child as Record<string, unknown>, each);
  };
  visit(copy, 'content');
  const [parent, key] = places[place % places.length]!;
  parent[key] = value;
  return copy.content;
}

describe('a pack of an operator', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'packs-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (text: string, file = 'zz.yaml') => writeFileSync(join(directory, file), text);
  const refusal = (settings = {}): string => {
    try {
      loadPacks({ packsDir: directory, ...settings });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return (error as Error).message;
    }
    return 'nothing is wrong';
  };

  test('is loaded beside those of the release', () => {
    write(GOOD);
    const packs = new Packs(() => loadPacks({ packsDir: directory }));
    expect(packs.all).toHaveLength(SHIPPED.all.length + 1);
    expect(packs.forJurisdictions('ZZ', []).map(({ pack }) => pack)).toEqual(['zz']);
    isOfSchema(parse(GOOD));
    expect(isOfSchema.errors).toBeNull();
  });

  test('may be of a jurisdiction of the release, and extend it', () => {
    write(GOOD.replace('jurisdiction: ZZ', 'jurisdiction: US-LA\nextends: [us-la]'));
    const packs = new Packs(() => loadPacks({ packsDir: directory }));
    expect(packs.forJurisdictions('US', ['US-LA']).map(({ pack }) => pack)).toEqual(['us', 'us-la', 'zz']);
  });

  const window = (start: string, end: string, more = '') =>
    ruleOf(`clock: calledParty\n    hours: { monday: [{ start: '${start}', end: '${end}' }${more}] }`);
  const holiday = (day: string) => ruleOf(`days: [{ name: A day, ${day} }]`, 'closedDates');
  const cap = (text: string) => ruleOf(`max: 3\n    window: { ${text} }`, 'frequencyCap');
  const withHead = (from: string, to: string) => packOf(ruleOf(HOURS).replace(from, to));

  // Whether the schema for editors sees it, too; it cannot see what relates two values.
  test.each<[what: string, text: string, message: string, isSeenBySchema: boolean]>([
    ['no YAML', 'pack: [', 'zz.yaml is not YAML: ', false],
    [
      'a key twice',
      GOOD.replace('name:', 'pack: zz\nname:'),
      'zz.yaml is not YAML: Map keys must be unique',
      false,
    ],
    ['no object', '- 1', 'zz.yaml must be an object', true],
    ['no rules', packOf('  []'), 'zz.yaml: rules must be a list with an entry', true],
    [
      'another name',
      GOOD.replace('pack: zz', 'pack: yy'),
      'zz.yaml: pack must be the name of the file',
      false,
    ],
    ['a bad jurisdiction', GOOD.replace('ZZ', 'Zz'), 'zz.yaml: jurisdiction must be ISO 3166', true],
    [
      'an unknown field',
      packOf(ruleOf(HOURS), 'extend: [us]\n'),
      'zz.yaml: extend is not a known field',
      true,
    ],
    [
      'an unknown pack',
      packOf(ruleOf(HOURS), 'extends: [yy]\n'),
      'zz.yaml: extends names yy, which is not a pack',
      false,
    ],
    [
      'itself extended',
      packOf(ruleOf(HOURS), 'extends: [zz]\n'),
      'zz.yaml: extends leads to the pack itself',
      false,
    ],
    [
      'a rule without id',
      GOOD.replace('id: zz-one', 'note: x'),
      'zz.yaml: rules[0]: id must be lower-case words',
      true,
    ],
    [
      'an id of the release',
      GOOD.replace('zz-one', 'us-ndnc'),
      'us.yaml, zz.yaml: us-ndnc: id must be of one rule',
      false,
    ],
    [
      'an unknown kind',
      packOf(ruleOf(HOURS, 'hours')),
      'zz.yaml: zz-one: kind must be one of callingHours',
      true,
    ],
    [
      'a field of another kind',
      packOf(ruleOf(`${HOURS}\n    max: 3`)),
      'zz.yaml: zz-one: max is not a known field',
      true,
    ],
    ['no citation', withHead('citation: A law', 'note: x'), 'zz.yaml: zz-one: citation must be a text', true],
    [
      'no source',
      withHead("source: { url: https://example.com/law, readOn: '2026-11-28' }", 'note: x'),
      'zz.yaml: zz-one: source must be an object',
      true,
    ],
    [
      'a bad address',
      withHead('https://example.com/law', 'a book'),
      'zz.yaml: zz-one: source.url must be',
      true,
    ],
    [
      'no such date',
      withHead('2026-11-28', '2026-02-30'),
      'zz.yaml: zz-one: source.readOn must be a date',
      true,
    ],
    [
      'an unknown purpose',
      withHead('[marketing]', '[sales]'),
      'zz.yaml: zz-one: appliesTo.purpose must be some of marketing',
      true,
    ],
    ['a voice twice', withHead('[ai]', '[ai, ai]'), 'zz.yaml: zz-one: appliesTo.voice must be some of', true],
    [
      'bad confidence',
      withHead('high', 'sure'),
      'zz.yaml: zz-one: confidence must be one of high, medium, low',
      true,
    ],
    [
      'dates the wrong way round',
      packOf(ruleOf(`${HOURS}\n    effectiveFrom: '2026-02-01'\n    effectiveTo: '2026-01-31'`)),
      'zz.yaml: zz-one: effectiveTo must not be before effectiveFrom',
      false,
    ],
    [
      'a consent that widens hours',
      packOf(ruleOf(`${HOURS}\n    unless: express`)),
      'zz.yaml: zz-one: unless is not for callingHours',
      true,
    ],
    [
      'an unknown zone',
      packOf(ruleOf(HOURS.replace('calledParty', 'EST'))),
      'zz.yaml: zz-one: clock must be calledParty, or a zone: it must be an IANA time zone name; for EST',
      false,
    ],
    [
      'hours that never open',
      packOf(ruleOf('clock: calledParty\n    hours: { monday: [] }')),
      'zz.yaml: zz-one: hours never open',
      false,
    ],
    [
      'a bad time',
      packOf(window('9:00', '20:00')),
      'zz.yaml: zz-one: hours.monday[0].start must be a time HH:MM',
      true,
    ],
    [
      'a window over midnight',
      packOf(window('20:00', '08:00')),
      'zz.yaml: zz-one: hours.monday[0] must not cross midnight',
      false,
    ],
    [
      'windows that overlap',
      packOf(window('09:00', '12:00', ", { start: '11:59', end: '13:00' }")),
      'zz.yaml: zz-one: hours.monday[1] must not overlap another window',
      false,
    ],
    [
      'no such day',
      packOf(holiday('month: 4, day: 31')),
      'zz.yaml: zz-one: days[0]: day must be a whole number from 1 to 30',
      false,
    ],
    [
      'a day of two kinds',
      packOf(holiday('easter: 1, month: 4')),
      'zz.yaml: zz-one: days[0]: month is not a known field',
      true,
    ],
    [
      'a weekday without nth',
      packOf(holiday('month: 4, weekday: monday')),
      'zz.yaml: zz-one: days[0]: nth must be a whole number',
      true,
    ],
    [
      'no such proclaimed date',
      packOf(holiday("dates: ['2026-13-01']")),
      'zz.yaml: zz-one: days[0]: dates[0] must be a date',
      true,
    ],
    [
      'calendar days in hours',
      packOf(cap('length: 24, unit: hours, type: calendarDays')),
      'zz.yaml: zz-one: window.unit must be days',
      true,
    ],
    [
      'two local days',
      packOf(cap('length: 2, unit: days, type: localDay')),
      'zz.yaml: zz-one: window.length must be 1',
      true,
    ],
    [
      'a window of days that is longer than the facts reach back',
      packOf(cap('length: 367, unit: days, type: rolling')),
      'zz.yaml: zz-one: window.length must be at most 366 where unit is days',
      true,
    ],
    [
      'a cool-off that is longer than the facts reach back',
      packOf(ruleOf('days: 367', 'coolOff')),
      'zz.yaml: zz-one: days must be a whole number from 1 to 366',
      true,
    ],
    [
      'no English',
      packOf(ruleOf('disclosure: identity\n    texts: { fr: Bonjour. }', 'disclosure')),
      'zz.yaml: zz-one: texts must have one in en',
      true,
    ],
    [
      'a suspension without end',
      packOf(ruleOf('what: All calls.', 'suspension')),
      'zz.yaml: zz-one: effectiveTo must be set',
      true,
    ],
  ])('with %s is refused with its file, rule and field', (_, text, message, isSeenBySchema) => {
    write(text);
    expect(refusal()).toContain(`Invalid environment variables:\n  PACKS_DIR: ${message}`);
    const isYaml = !message.includes('is not YAML');
    expect(!isYaml || isOfSchema(parse(text)) === !isSeenBySchema).toBe(true);
  });

  test('of every file is said what is wrong', () => {
    write(packOf('  []'));
    write(packOf('  []').replace('zz', 'zy'), 'zy.yaml');
    write(GOOD, 'zx.yml');
    expect(refusal().split('\n').slice(1)).toEqual([
      '  PACKS_DIR: zx.yml must have a name that ends with .yaml',
      '  PACKS_DIR: zy.yaml: rules must be a list with an entry',
      '  PACKS_DIR: zz.yaml: rules must be a list with an entry',
    ]);
  });

  test('must not be a pack of the release', () => {
    write(GOOD.replace('pack: zz', 'pack: us'), 'us.yaml');
    expect(refusal()).toContain('PACKS_DIR: us.yaml: there is another pack us');
  });

  test('must be in a directory that can be read', () => {
    expect(refusal({ packsDir: join(directory, 'none') })).toContain('PACKS_DIR: cannot be read: ENOENT');
  });

  test('rules are raised by their ids, which says so and changes the version', () => {
    const packs = new Packs(() => loadPacks({ packsRaise: 'us-ky-hours, us-la-holidays,us-ndnc' }));
    const rule = packs.get('us-ky')?.rules.find(({ id }) => id === 'us-ky-hours');
    expect(rule?.confidence).toBe('high');
    expect(rule?.note).toMatch(/Raised from medium by PACKS_RAISE\.$/);
    const changed = packs.all.filter(({ pack, version }) => SHIPPED.get(pack)?.version !== version);
    expect(changed.map(({ pack }) => pack)).toEqual(['us-ky', 'us-la']);
    expect(refusal({ packsRaise: 'us-ky-hours,us-xx-hours' })).toContain(
      'PACKS_RAISE: us-xx-hours is not the id of a rule',
    );
  });
});
