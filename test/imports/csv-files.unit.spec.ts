import fc from 'fast-check';
import { textOf } from '../../src/imports/upload/encoding.js';
import { CsvReader } from '../../src/imports/upload/uploaded-rows.js';
import { expectEqual } from '../support/compare.js';

/** The rows of a file that arrives in pieces, as they are stored for the worker. */
async function rowsOf(file: string | Buffer, pieceBytes = 4096): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { value } of readerOf(file, pieceBytes).rows()) rows.push(value);
  return rows;
}

const readerOf = (file: string | Buffer, pieceBytes: number) =>
  new CsvReader(textOf(inPieces(Buffer.from(file), pieceBytes)), []);

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

const PIECES = [1, 2, 3, 7, 64, 4096];
const number = (n: number) => `+1415${String(2_000_000 + n)}`;
const lines = (count: number, at: Record<number, string>) =>
  [
    'phoneNumber,name,note',
    ...Array.from({ length: count }, (_, n) => at[n + 1] ?? `${number(n)},Name ${n},note`),
    '',
  ].join('\n');
const bad = (...cells: string[]) => ({
  error: 'The row is not valid CSV: its quotation marks do not match',
  cells,
});

describe('separators', () => {
  test.each([
    ['commas', 'phoneNumber,name\n1,Ada\n'],
    ['semicolons', 'phoneNumber;name\n1;Ada\n'],
    ['tabs', 'phoneNumber\tname\n1\tAda\n'],
    ['vertical bars', 'phoneNumber|name\n1|Ada\n'],
    ['what its first line names', 'sep=;\r\nphoneNumber;name\r\n1;Ada\r\n'],
    ['what its first line names, in quotation marks', '"sep=~"\nphoneNumber~name\n1~Ada\n'],
    ['semicolons, behind empty lines', '\r\n;;\r\nphoneNumber;name\r\n1;Ada\r\n'],
  ])('a file has %s', async (_, file) => {
    for (const size of PIECES) expect(await rowsOf(file, size)).toEqual([['1', 'Ada']]);
  });

  test.each([
    ['a quoted comma', 'phoneNumber;name;"Street, No"\n1;Ada;"Main, 1"\n', ['1', 'Ada', 'Main, 1']],
    ['a comma', 'name;phoneNumber;city, country\nAda;1;Paris, FR\n', ['Ada', '1', 'Paris, FR']],
    ['more commas', 'phoneNumber;"name";a,b,c,d\n1;Ada;x\n', ['1', 'Ada', 'x']],
  ])('a header with semicolons has %s', async (_, file, row) => {
    expect(await rowsOf(file)).toEqual([row]);
  });
});

describe('cells', () => {
  test('that are empty at the end of the header and of rows are nothing', async () => {
    expect(await rowsOf('phoneNumber,name,,\n1,Ada,,\n2,Bob, ,,,\n3\n4,,\n')).toEqual([
      ['1', 'Ada'],
      ['2', 'Bob'],
      ['3', ''],
      ['4', ''],
    ]);
  });

  test('rows of empty cells are no rows', async () => {
    const empty = [',,', ' ,,', '"","",""', '', '   ', '\u00A0,\u200B,', ',,'];
    const file = `phoneNumber,name,plan\n1,Ada,gold\n${empty.join('\n')}\n2,Bob,gold\n`;
    for (const size of PIECES) {
      expect(await rowsOf(file, size)).toEqual([
        ['1', 'Ada', 'gold'],
        ['2', 'Bob', 'gold'],
      ]);
    }
  });

  test.each(['\x1a', '\x1a\r\n', '\r\n\x1a', '\n\x1a\x1a \n'])('%j at the end is nothing', async (end) => {
    for (const size of PIECES)
      expect(await rowsOf(`phoneNumber,name\n1,Ada${end}`, size)).toEqual([['1', 'Ada']]);
  });

  test('Ctrl-Z elsewhere is kept', async () => {
    for (const size of PIECES) {
      expect(await rowsOf('phoneNumber,name\n1,A\x1a\n2,\x1a b\n', size)).toEqual([
        ['1', 'A\x1a'],
        ['2', '\x1a b'],
      ]);
    }
  });
});

describe('quotation marks that do not match', () => {
  test.each([
    ['within a cell', '1,George "Buck" Smith,x', bad('1', 'George "Buck" Smith', 'x')],
    ['behind a cell', '1,"Buck" Smith,x', bad('1', '"Buck" Smith', 'x')],
    ['within a quoted cell', '1,"George "Buck" Smith",x', bad('1', '"George "Buck" Smith"', 'x')],
    ['inches', '1,5" pipe,x', bad('1', '5" pipe', 'x')],
  ])('%s cost their row', async (_, line, row) => {
    for (const size of PIECES) {
      const rows = await rowsOf(lines(4, { 2: line }), size);
      expect(rows).toEqual([
        [number(0), 'Name 0', 'note'],
        row,
        [number(2), 'Name 2', 'note'],
        [number(3), 'Name 3', 'note'],
      ]);
    }
  });

  test('that close in a later row cost no row in between', async () => {
    const file = lines(9, { 3: '1,"Ada,x', 6: '2,"Bob",x', 8: '3,"two\nlines",x' });
    for (const size of PIECES) {
      const rows = await rowsOf(file, size);
      expect(rows[2]).toEqual(bad('1', '"Ada', 'x'));
      expect(rows[5]).toEqual(['2', 'Bob', 'x']);
      expect(rows[7]).toEqual(['3', 'two\nlines', 'x']);
      expect(rows).toHaveLength(9);
    }
  });

  test('that never close cost the file, and the message names the row', async () => {
    for (const size of PIECES) {
      await expect(rowsOf(lines(40, { 30: '1,"Ada,x' }), size)).rejects.toThrow(
        'Row 30 is not valid CSV: its quotation marks do not match',
      );
    }
    await expect(rowsOf('phoneNumber,"name\n1,Ada\n')).rejects.toThrow('The header is not valid CSV');
    await expect(rowsOf('phoneNumber,na"me\n1,Ada\n')).rejects.toThrow('The header is not valid CSV');
  });
});

describe('encodings', () => {
  const text = 'phoneNumber,name\n1,Zoë\n2,Ağrı 🎈\n';
  const rows = [
    ['1', 'Zoë'],
    ['2', 'Ağrı 🎈'],
  ];
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
  ])('%s is read', async (_, file) => {
    for (const size of PIECES) expect(await rowsOf(file, size)).toEqual(rows);
  });

  test.each([
    [
      'Windows-1252',
      Buffer.from('J\xf6rgen', 'latin1'),
      'is not valid UTF-8: the file looks like Windows-1252',
    ],
    ['a broken character', Buffer.from([0xe2, 0x82, 0x41]), 'is not valid UTF-8'],
    ['bytes that are no letters', Buffer.from([0x81, 0x8d]), 'is not valid UTF-8'],
  ])('a message names the row with %s', async (_, name, message) => {
    const file = Buffer.concat([
      Buffer.from('phoneNumber,name\n'),
      Buffer.from(Array.from({ length: 1499 }, (_unused, n) => `${number(n)},é${n}\n`).join('')),
      Buffer.from('1,'),
      name,
      Buffer.from('\n2,Bob\n'),
    ]);
    for (const size of [1, 3, 64, 4096, 100_000]) {
      await expect(rowsOf(file, size)).rejects.toThrow(`Row 1500 ${message}`);
    }
  });

  test('a message names the header', async () => {
    const file = Buffer.from('phoneNumber,pr\xe9nom\n1,Ada\n', 'latin1');
    await expect(rowsOf(file)).rejects.toThrow('The header is not valid UTF-8');
  });

  test('a message names the row of UTF-16 that is cut', async () => {
    await expect(rowsOf(utf16.subarray(0, -1))).rejects.toThrow('Row 2 is not valid UTF-16');
  });
});

test('the message of a row that is too large names it, however the file arrives', async () => {
  for (const size of [64, 4096, 100_000]) {
    await expect(rowsOf(lines(20, { 12: `1,${'x'.repeat(300_000)},y` }), size)).rejects.toThrow(
      'Row 12 is larger than 256 KB',
    );
  }
});

test('every well-formed file is read as it was written, however it arrives', async () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', '""', 'a,b', 'a;b', '\n', '\r\n', '|', "'", 'é🎈'));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 40 }),
      async (cells, separator, lineEnd, size) => {
        const named = [['phoneNumber', 'a', 'b'], ...cells.map((two, n) => [String(n + 1), ...two])];
        const file = named.map((row) => row.map(quoted).join(separator)).join(lineEnd);
        if (file.replace(/[\s"]+$/, '').endsWith('\x1a')) return;
        expectEqual(await rowsOf(file, size), named.slice(1));
      },
    ),
    { seed: 20261127, numRuns: 300 },
  );
});
