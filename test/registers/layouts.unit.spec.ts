import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { areaCodeLines } from '../../src/registers/reading/area-code-lines.js';
import { AreaCodeTags } from '../../src/registers/reading/area-code-tags.js';
import { DigitRows } from '../../src/registers/reading/digit-rows.js';
import { numberLines } from '../../src/registers/reading/number-lines.js';
import { type NumberReader, SeenAreas } from '../../src/registers/reading/number-reader.js';
import { RegisterRows } from '../../src/registers/reading/register-rows.js';
import { tpsLines } from '../../src/registers/reading/tps-lines.js';
import { zipOf } from './zip.js';

/** The numbers of a text that arrives in pieces of these lengths. */
function numbersOf(reader: NumberReader, text: string, lengths: readonly number[] = []): string[] {
  const rows = new DigitRows();
  const read: string[] = [];
  const take = (work: () => void, bytes: number) => {
    rows.reserve(4 * (bytes + 512));
    work();
    read.push(rows.take().toString());
  };
  let rest = Buffer.from(text);
  for (const length of [...lengths, rest.length]) {
    const piece = rest.subarray(0, length);
    rest = rest.subarray(length);
    if (piece.length > 0) take(() => reader.read(piece, rows), piece.length);
  }
  take(() => reader.end(rows), 0);
  return read.join('').split('\n').slice(0, -1);
}

const areaCodes = () => areaCodeLines(new SeenAreas());

describe('a flat text file of the United States or Canada', () => {
  test('has an area code, a comma and seven digits a line', () => {
    const seen = new SeenAreas();
    const numbers = numbersOf(areaCodeLines(seen), '212,5550123\n416,1234567\r\n416,1234568\n');
    expect(numbers).toEqual(['12125550123', '14161234567', '14161234568']);
    expect(seen.areas).toEqual([1212, 1416]);
  });

  test.each([
    ['212,555012', 'line 1 is not an area code, a comma and seven digits'],
    ['212,5550123\n\n2125550123', 'line 3 is not an area code, a comma and seven digits'],
    ['areacode,phone', 'line 1 is not an area code, a comma and seven digits'],
    ['212,55501234', 'line 1 is not an area code, a comma and seven digits'],
    [
      '212,5550123,2026-11-01,A',
      'line 1 has more fields than a full list: a list of changes is not imported',
    ],
    ['2'.repeat(2_000), 'line 1 is too long'],
  ])('with %j is refused', (text, message) => {
    expect(() => numbersOf(areaCodes(), text)).toThrow(message);
  });
});

describe('an XML tagged file of the United States or Canada', () => {
  const tagged = (text: string, seen = new SeenAreas()) => numbersOf(new AreaCodeTags(seen), text);

  test('has numbers in area codes', () => {
    const seen = new SeenAreas();
    const text = `<?xml version="1.0"?>
<list type='full' level='ac' val='416'>
<ac val='416'>
<ph val='1234567' /> <ph val='1234568'/>
</ac><ac val="905">\n<ph val="1234567"></ph></ac>
</list>\n`;
    expect(tagged(text, seen)).toEqual(['14161234567', '14161234568', '19051234567']);
    expect(seen.areas).toEqual([1416, 1905]);
  });

  test('is read as the CRTC prints it, with two ends of the list', () => {
    const seen = new SeenAreas();
    const text = `<list type='full' level='all' val='' /> <ac val='416'> <ph val='1234567' /> </ac> </list>`;
    expect(tagged(text, seen)).toEqual(['14161234567']);
    expect(seen.areas).toBeNull();
  });

  test.each([
    [
      `<list type='change' level='all' val=''>`,
      'line 1 is not of a full list: a list of changes is not imported',
    ],
    [`<list type='full'>\n<ph val='1234567'/>`, 'line 2 is not seven digits of a number in an area code'],
    [`<list type='full'><ac val='416'><ph val='123456'/>`, 'is not seven digits'],
    [`<list type='full'><ac val='41'>`, 'is not an area code of three digits'],
    [`<list type='full'><add val='416'>`, 'line 1 has an unknown tag'],
    [`<list type='full'><ac val='416'>1234567</ac>`, 'line 1 has text between tags'],
    [`<list type='full'><ac val='416'><ph val='123`, 'breaks off in a tag'],
    [`<ac val='416'>`, 'has no list'],
    [`<${'x'.repeat(2_000)}>`, 'has a tag that is too long'],
  ])('with %j is refused', (text, message) => {
    expect(() => tagged(text)).toThrow(message);
  });
});

describe('a file of the Telephone Preference Service', () => {
  test('has numbers with spaces behind the dialing code, or without', () => {
    const text = '0207 3787244\r\n01635 506160\r\n0191 5657153\r\n01635506160 \r\n0169772323  \r\n';
    expect(numbersOf(tpsLines(), text)).toEqual([
      '442073787244',
      '441635506160',
      '441915657153',
      '441635506160',
      '44169772323',
    ]);
  });

  test.each(['2073787244', '0207-3787244', '020737872', '020737872441', 'TPS'])(
    'with %j is refused',
    (text) => {
      expect(() => numbersOf(tpsLines(), `${text}\r\n`)).toThrow('line 1 is not a British number');
    },
  );
});

describe('a list', () => {
  test('has a number a line, and comments', () => {
    expect(numbersOf(numberLines(null), '# made by hand\n+971501234567\n\n+32 2 555 12 12\n')).toEqual([
      '971501234567',
      '3225551212',
    ]);
  });

  test('reads numbers in national form by its country', () => {
    expect(numbersOf(numberLines('BE'), '02 555 12 12\n0470123456\n')).toEqual(['3225551212', '32470123456']);
  });

  test('takes every number that a text can mean', () => {
    // In Brazil and with its calling code.
    const numbers = numbersOf(numberLines('BR'), '5521998765\n');
    expect(numbers.length).toBeGreaterThanOrEqual(1);
  });

  test('is refused with a line that is no number, which is not repeated', () => {
    expect(() => numbersOf(numberLines('BE'), '+3225551212\nJane Doe\n')).toThrow(
      /^line 2 is not a phone number$/,
    );
  });
});

test('a file says the same however it arrives', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  const line = fc.tuple(digits(3), digits(7), fc.constantFrom('\n', '\r\n', '\n\n'));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 40 })), (lines, lengths) => {
      const text = lines.map(([area, rest, end]) => `${area},${rest}${end}`).join('');
      const tags = lines.map(([area, rest]) => `<ac val='${area}'><ph val='${rest}' /></ac>\n`).join('');
      const expected = lines.map(([area, rest]) => `1${area}${rest}`);
      expect(numbersOf(areaCodes(), text, lengths)).toEqual(expected);
      const tagged = `<list type='full' level='all' val=''>${tags}</list>`;
      expect(numbersOf(new AreaCodeTags(new SeenAreas()), tagged, lengths)).toEqual(expected);
    }),
  );
});

describe('files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'outdial-registers-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function write(name: string, content: string | Buffer): string {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  }

  async function read(...paths: string[]) {
    const rows = new RegisterRows(paths, { format: 'lnnte', country: null });
    let text = '';
    for await (const piece of rows) text += piece.toString();
    return { numbers: text.split('\n').slice(0, -1), areas: rows.areas, count: rows.count };
  }

  test('and zip archives with a file for each area code are one register', async () => {
    const plain = write('204.csv', '\ufeff204,1234567');
    const archive = write(
      'national.zip',
      zipOf([
        { name: 'lists/', content: '' },
        { name: 'lists/416.csv', content: '416,1234567\n416,1234568\n' },
        {
          name: 'lists/905.xml',
          content: `<list type='full'><ac val='905'><ph val='1234567'/></ac></list>`,
          streamed: true,
        },
      ]),
    );
    expect(await read(plain, archive)).toEqual({
      numbers: ['12041234567', '14161234567', '14161234568', '19051234567'],
      areas: [1204, 1416, 1905],
      count: 4,
    });
  });

  test('that are broken are refused by their names', async () => {
    const content = '416,1234567\n'.repeat(2_000);
    const whole = zipOf([{ name: '416.csv', content }]);
    const cases: [string, Buffer | string, RegExp][] = [
      [
        'bad.zip',
        zipOf([{ name: 'a.csv', content: '416\n' }]),
        /bad\.zip\/a\.csv: line 1 is not an area code/,
      ],
      ['sum.zip', zipOf([{ name: 'a.csv', content, crc: 1 }]), /sum\.zip\/a\.csv: the checksum in the zip/],
      ['short.zip', whole.subarray(0, whole.length - 30), /short\.zip: the zip archive is broken/],
      ['flipped.zip', flipped(whole, 45), /flipped\.zip\/416\.csv: /],
      ['text.csv', '416,1234567\noops\n', /text\.csv: line 2 is not an area code/],
    ];
    for (const [name, bytes, message] of cases)
      await expect(read(write(name, bytes))).rejects.toThrow(message);
    await expect(read(join(directory, 'none.csv'))).rejects.toThrow(/none\.csv cannot be read \(ENOENT\)/);
    await expect(read(directory)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x55;
  return changed;
}
