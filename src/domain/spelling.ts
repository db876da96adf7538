/** A key without its case, spaces, `_` and `-`. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

/** From this length on, a word may have a wrong letter; from the second on, two faults. */
const MEDIUM = 6;
const LONG = 8;

/**
 * Whether a key is probably a misspelling of another one: the same but for its case, `_` and `-`, or with a
 * letter too many, a letter missing, or two letters swapped. Longer words may also have a wrong letter.
 */
export function isMisspelling(sent: string, meant: string): boolean {
  if (Math.abs(sent.length - meant.length) > meant.length) return false;
  const [one, other] = [foldKey(sent), foldKey(meant)];
  const length = Math.min(one.length, other.length);
  const allowed = length >= LONG ? 2 : 1;
  if (Math.abs(one.length - other.length) > allowed) return false;
  return distance(one, other, length >= MEDIUM ? 1 : 2) <= allowed;
}

/**
 * The number of letters to insert, to delete or to swap with their neighbours, until two words are the same.
 * @param wrongLetter how much a letter in place of another one counts.
 */
function distance(a: string, b: string, wrongLetter: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : wrongLetter),
      );
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
