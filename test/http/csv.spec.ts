import { csvLine } from '../../src/http/csv.js';

test.each([
  [['a', 'b'], 'a,b'],
  [[null, undefined, ''], ',,'],
  [[1, true, -2.5], '1,true,-2.5'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [[{ a: 'x' }, ['y'], []], '"{""a"":""x""}","[""y""]",[]'],
  // Phone numbers and other numbers are no formulas.
  [['+14155552671', '-12', '+1.5'], '+14155552671,-12,+1.5'],
  [['=1+1', '+cmd', '-x', '@SUM(A1)', '\tx', '+1-2'], `'=1+1,'+cmd,'-x,'@SUM(A1),'\tx,'+1-2`],
  [['=HYPERLINK("x")', '\rx'], `"'=HYPERLINK(""x"")","'\rx"`],
])('%j is %j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
