import fc from 'fast-check';
import { csvLine, withoutGuard } from '../../src/http/csv.js';
import { expectEqual } from '../support/compare.js';

test.each([
  [['a', 'b'], 'a,b'],
  [[null, undefined, ''], ',,'],
  [[1, true, -2.5], '1,true,-2.5'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [[{ a: 'x' }, ['y'], []], '"{""a"":""x""}","[""y""]",[]'],
  // Phone numbers and other numbers are no formulas.
  [['+14155552671', '-12', '+1.5'], '+14155552671,-12,+1.5'],
  [['=1+1', '+cmd', '-x', '@SUM(A1)', '\tx', '+1-2'], `'=1+1,'+cmd,'-x,'@SUM(A1),"'\tx",'+1-2`],
  [['=HYPERLINK("x")', '\rx'], `"'=HYPERLINK(""x"")","'\rx"`],
  // A spreadsheet can take a semicolon or a tab for a separator, and a full-width sign for one of a formula.
  [['＝1', '＋1', '－1', '＠a', '\nx'], `'＝1,'＋1,'－1,'＠a,"'\nx"`],
  [['a;=1', 'a\t@b', 'a;b', 'a;＝1'], `"a;'=1","a\t'@b","a;b","a;'＝1"`],
  // An apostrophe that was there is told from one that guards.
  [["'=1", "'a", "a;'-b"], `''=1,'a,"a;''-b"`],
])('%j is %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});

test('a cell without its guard is the text', () => {
  const piece = fc.oneof(
    fc.constantFrom("'", '=', '+', '-', '@', '＝', '＠', ';', '\t', '\r', '\n', '1', 'a'),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const line = csvLine([text]).slice(0, -2);
      const cell = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      expectEqual(withoutGuard(cell), text);
    }),
    { seed: 20261127, numRuns: 2000 },
  );
});
