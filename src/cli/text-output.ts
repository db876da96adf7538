import { type Output } from './command.js';

const NEXT_LINE = /\r?\n/;

/** What people read. */
export function textOf(output: Output): string {
  switch (output.kind) {
    case 'record':
      return [recordText(output.shown ?? output.value), output.note]
        .filter((part) => part !== undefined)
        .join('\n\n');
    case 'page':
      return tableText(output.page.items, output.columns);
    case 'text':
      return output.text;
  }
}

/** What programs read: the same as over HTTP. */
export function jsonOf(output: Output): string {
  const json = JSON.stringify(output.kind === 'page' ? output.page : output.value, null, 2);
  // JSON.stringify escapes the other control characters. Escaping these does not change the JSON value.
  return json.replace(/[\u007f-\u009f]|\p{Cf}/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function recordText(value: object): string {
  const entries = Object.entries(value);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, field]) => `${name.padEnd(width)}  ${indented(shown(field), width + 2)}`)
    .join('\n');
}

function tableText(items: readonly object[], columns: readonly string[]): string {
  if (items.length === 0) return '(none)';
  const rows = items.map((item) =>
    columns.map((column) => oneLine(shown((item as Record<string, unknown>)[column]))),
  );
  const lines = [columns.map(title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `outboundEnabled` → `OUTBOUND ENABLED`. */
function title(column: string): string {
  return column.replace(/[A-Z]/g, ' $&').toUpperCase();
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? '-' : printable(value.join(', '));
  }
  return JSON.stringify(value);
}

/** Names and prompts are untrusted text, so no control character in them may reach the terminal. */
export function printable(text: string): string {
  return text
    .split(NEXT_LINE)
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD'))
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
