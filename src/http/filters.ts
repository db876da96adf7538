import { invalid, type Problem, problemOf } from './app-error.js';
import { instantOf } from './call-result-fields.js';
import { isUuid } from './validators.js';

/** Reads the filters of a list, and names every one that is malformed. */
export class FilterReader<Filter extends string> {
  private readonly problems: Problem[];

  /**
   * @param problems faults that were found before. {@link done} refuses them with the faults of the filters.
   */
  constructor(
    private readonly filters: Partial<Record<Filter, string>>,
    problems: readonly Problem[] = [],
  ) {
    this.problems = [...problems];
  }

  /** A UUID in lower case; null: not sent, or malformed. */
  uuid(name: Filter): string | null {
    return this.read(name, 'must be a UUID', (text) => (isUuid(text) ? text.toLowerCase() : undefined));
  }

  /** An instant, ISO 8601 with milliseconds in UTC; null: not sent, or malformed. */
  instant(name: Filter): string | null {
    const fault = 'must be a date-time with an offset, such as 2027-03-28T09:00:00Z';
    // A plus that a client did not escape arrives as a space.
    return this.read(name, fault, (text) => instantOf(text.replace(/ (?=\d\d:\d\d$)/, '+'))?.toISOString());
  }

  oneOf<Value extends string>(name: Filter, values: readonly Value[]): Value | null {
    return this.read(name, `must be one of ${values.join(', ')}`, (text) =>
      values.find((value) => value === text),
    );
  }

  /** A text of at least one character. A NUL is refused, because Postgres cannot store it. */
  text(name: Filter, maxLength: number): string | null {
    return this.read(name, `must be a text of 1 to ${maxLength} characters`, (text) =>
      text !== '' && text.length <= maxLength && !text.includes('\0') ? text : undefined,
    );
  }

  /** Adds a fault that was found elsewhere. */
  refuse(message: string): void {
    this.problems.push(problemOf(message));
  }

  /** To be called after the last filter. @throws AppError `INVALID_REQUEST` naming every fault. */
  done(): void {
    if (this.problems.length > 0) throw invalid(...this.problems);
  }

  private read<T>(name: Filter, fault: string, parse: (text: string) => T | undefined): T | null {
    const text = this.filters[name];
    if (text === undefined) return null;
    const value = parse(text);
    if (value !== undefined) return value;
    this.problems.push(problemOf(`${name} ${fault}`, name));
    return null;
  }
}
