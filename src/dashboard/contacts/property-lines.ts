/** The custom properties of a contact as a person types them, and what is wrong with them. */
export interface ReadProperties {
  properties: Record<string, unknown>;
  /** Sentences that name the lines. */
  faults: string[];
}

const QUOTED_KEY = /^("(?:[^"\\]|\\.)*")\s*:(.*)$/;
const PLAIN_KEY = /^([^:]+):(.*)$/;

/**
 * Reads properties, one a line as `key: value`. A value that is JSON is read as JSON, any other as a text; a key in
 * quotes may contain a colon. {@link propertyLines} writes what this reads.
 *
 * @param isReserved whether a name is that of a field of its own.
 */
export function readProperties(text: string, isReserved: (key: string) => boolean): ReadProperties {
  const properties = new Map<string, unknown>();
  const faults: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const where = `Line ${index + 1}`;
    const [key, value] = partsOf(line.trim());
    if (key === undefined || value === undefined) faults.push(`${where} must be a key, a colon and a value.`);
    else if (isReserved(key)) faults.push(`${where}: ${key} has a field of its own.`);
    else if (properties.has(key)) faults.push(`${where}: ${key} is there already.`);
    else properties.set(key, valueOf(value));
  }
  return { properties: Object.fromEntries(properties), faults };
}

/** The properties as {@link readProperties} reads them, one a line. */
export function propertyLines(properties: Readonly<Record<string, unknown>>): string {
  return Object.entries(properties)
    .map(([key, value]) => `${keyText(key)}: ${propertyText(value)}`)
    .join('\n');
}

/** The value of a property as a person reads and types it: a text without quotes, unless it would be read as JSON. */
export function propertyText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = !/[\r\n]/.test(value) && value.trim() === value && valueOf(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

function keyText(key: string): string {
  const isPlain = /^[^":\r\n][^:\r\n]*$/.test(key) && key.trim() === key;
  return isPlain ? key : JSON.stringify(key);
}

function partsOf(line: string): [key?: string, value?: string] {
  const [, quoted, rest] = QUOTED_KEY.exec(line) ?? [];
  if (quoted !== undefined) return [jsonOf(quoted)?.value as string | undefined, rest];
  const [, plain, value] = line.startsWith('"') ? [] : (PLAIN_KEY.exec(line) ?? []);
  return [plain?.trim() || undefined, value];
}

/** A number that a double does not keep as it was typed, such as a long customer number, stays a text. */
function valueOf(text: string): unknown {
  const typed = text.trim();
  const json = jsonOf(typed);
  if (json === null) return typed;
  return typeof json.value === 'number' && String(json.value) !== typed ? typed : json.value;
}

function jsonOf(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}
