/*
 * Texts and JSON values as they are typed. A text is typed as it is, unless it would then be read as something else: it
 * is typed as a JSON string, in quotes.
 */

/** Blanks around it, line ends and control characters do not survive a form. */
const isPlain = (text: string): boolean =>
  text !== '' && text === text.trim() && !text.startsWith('"') && !UNSENT.test(text);

/** Control characters, and halves of surrogate pairs. */
const UNSENT = /\p{Cc}|[\uD800-\uDFFF]/u;

/** A text as it is typed into one line. */
export function plainText(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

/** The inverse of {@link plainText}. */
export function textIn(typed: string): string {
  const value = typed.trim();
  const read = value.startsWith('"') ? parsed(value) : undefined;
  return typeof read?.value === 'string' ? read.value : value;
}

/** A note, which is a text or an object, as it is typed. */
export function noteText(note: unknown): string {
  if (note === undefined || note === null) return '';
  if (typeof note !== 'string') return JSON.stringify(note, null, 2);
  const lines = note.split('\n').join('');
  return note.startsWith('{') || note !== note.trim() || !isPlain(lines) ? JSON.stringify(note) : note;
}

/** The inverse of {@link noteText}; undefined: there is none. */
export function noteOf(typed: string): unknown {
  const text = typed.replaceAll('\r\n', '\n').trim();
  if (text === '') return undefined;
  const read = /^["{]/.test(text) ? parsed(text) : undefined;
  return read === undefined ? text : read.value;
}

/** Variables, one a line, such as `offer: spring`. A value that is not a text is typed as JSON. */
export function linesOfVariables(variables: unknown): string {
  if (typeof variables !== 'object' || variables === null) return '';
  return Object.entries(variables)
    .map(([name, value]) => `${nameText(name)}: ${valueText(value)}`)
    .join('\n');
}

/**
 * The inverse of {@link linesOfVariables}; undefined: there are none. If a line has no name, or one that an earlier line
 * has, the text itself is returned, which is no valid value.
 */
export function variablesIn(typed: string): unknown {
  const lines = typed.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  const entries = lines.map(variableIn);
  const names = new Set(entries.map((entry) => entry?.[0]));
  const isRead = entries.every((entry) => entry !== null) && names.size === entries.length;
  return isRead ? Object.fromEntries(entries) : typed;
}

const LINE = /^\s*("(?:[^"\\]|\\.)*"|[^":][^:]*?)\s*:(.*)$/s;

function variableIn(line: string): [name: string, value: unknown] | null {
  const [, name, value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) return null;
  const typed = value.trim();
  return [textIn(name), parsed(typed)?.value ?? (typed === 'null' ? null : typed)];
}

function nameText(name: string): string {
  return isPlain(name) && !name.includes(':') ? name : JSON.stringify(name);
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlain(value) && parsed(value) === undefined ? value : JSON.stringify(value);
}

/** Undefined: the text is no JSON. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
