import { PackError } from './pack-error.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads the fields of one object of a pack. Each method throws a {@link PackError} that names the field; `end` refuses
 * the fields that were not read, so that a misspelt one is never ignored.
 */
export class Fields {
  private readonly unread: Set<string>;

  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    /** What messages begin with, such as `us-fl.yaml: us-fl-hours: window`. */
    readonly where: string,
    private readonly separator: '.' | ': ',
  ) {
    this.unread = new Set(Object.keys(values));
  }

  /** The fields of a file or a rule: a field's name comes after `where` and a colon. */
  static of(value: unknown, where: string): Fields {
    return Fields.read(value, where, ': ');
  }

  private static read(value: unknown, where: string, separator: '.' | ': '): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new Fields(value as Record<string, unknown>, where, separator);
    throw new PackError(`${where} must be an object`);
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  /** The value as it is, which the caller validates. */
  take(name: string): unknown {
    this.unread.delete(name);
    return this.values[name];
  }

  object(name: string): Fields {
    return Fields.read(this.take(name), this.at(name), '.');
  }

  /** Each entry of an object with any names, in the order of the file. */
  entries(name: string): [key: string, value: unknown][] {
    return Object.entries(this.object(name).values);
  }

  list(name: string): readonly unknown[] {
    const value = this.take(name);
    if (!Array.isArray(value) || value.length === 0) throw this.fault(name, 'must be a list with an entry');
    return value as unknown[];
  }

  /** One line of text. */
  text(name: string, pattern = /^\S(?:.*\S)?$/u, rule = 'must be a text of one line'): string {
    const value = this.take(name);
    if (typeof value !== 'string' || !pattern.test(value)) throw this.fault(name, rule);
    return value;
  }

  optionalText(name: string): string | null {
    return this.isOpen(name) ? null : this.text(name);
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const value = this.take(name);
    const known = values.find((one) => one === value);
    if (known === undefined) throw this.fault(name, `must be one of ${values.join(', ')}`);
    return known;
  }

  optionalOneOf<Value extends string>(name: string, values: readonly Value[]): Value | null {
    return this.isOpen(name) ? null : this.oneOf(name, values);
  }

  /** Some of the values, at least one, each once. They come out in the order of `values`. */
  someOf<Value extends string>(name: string, values: readonly Value[]): Value[] {
    const list = this.list(name);
    const isKnown = list.every((one) => (values as readonly unknown[]).includes(one));
    if (!isKnown || new Set(list).size < list.length)
      throw this.fault(name, `must be some of ${values.join(', ')}, each once`);
    return values.filter((value) => list.includes(value));
  }

  whole(name: string, min: number, max: number): number {
    const value = this.take(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw this.fault(name, `must be a whole number from ${min} to ${max}`);
    return value;
  }

  optionalWhole(name: string, min: number, max: number): number | null {
    return this.isOpen(name) ? null : this.whole(name, min, max);
  }

  optionalFlag(name: string): boolean | null {
    if (this.isOpen(name)) return null;
    const value = this.take(name);
    if (typeof value !== 'boolean') throw this.fault(name, 'must be true or false');
    return value;
  }

  date(name: string): string {
    const value = this.take(name);
    if (!isDate(value)) throw this.fault(name, 'must be a date YYYY-MM-DD of the calendar');
    return value;
  }

  optionalDate(name: string): string | null {
    return this.isOpen(name) ? null : this.date(name);
  }

  end(): void {
    const [unknown] = this.unread;
    if (unknown !== undefined) throw this.fault(unknown.slice(0, 40), 'is not a known field here');
  }

  fault(name: string, rule: string): PackError {
    return new PackError(`${this.at(name)} ${rule}`);
  }

  private at(name: string): string {
    return `${this.where}${this.separator}${name}`;
  }

  /** Whether an optional field is missing or null, which are the same. */
  private isOpen(name: string): boolean {
    return (this.take(name) ?? null) === null;
  }
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const instant = Date.parse(`${value}T00:00:00Z`);
  // `Date` turns 2026-02-30 into 2 March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(value);
}
