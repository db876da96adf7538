/** Whether a UTF-16 unit is white space, or a mark that shows nothing, such as a zero-width space. */
function isInvisible(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0xa0) return false;
  return (
    unit === 0xa0 ||
    unit === 0xad ||
    unit === 0x1680 ||
    unit === 0x180e ||
    (unit >= 0x2000 && unit <= 0x200f) ||
    (unit >= 0x2028 && unit <= 0x202f) ||
    (unit >= 0x205f && unit <= 0x206f) ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

/**
 * A text without the spaces, no-break spaces and zero-width characters at its ends. They come with a text
 * that was copied from a page or a spreadsheet, and cannot be seen there.
 */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isInvisible(text.charCodeAt(from))) from += 1;
  while (to > from && isInvisible(text.charCodeAt(to - 1))) to -= 1;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

/** Whether a text has nothing that can be seen. */
export function isBlank(text: string): boolean {
  return trimmed(text) === '';
}
