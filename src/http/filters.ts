import { invalid, type Problem, problemOf } from './app-error.js';
import { instantOf, OFFSET_INSTANT } from './call-result-fields.js';
import { faultMessage } from './field-rule.js';
import { type JsonSchema, oneOf, TEXT_SCHEMA, UUID_SCHEMA } from './json-schema.js';
import { type PageRequest } from './page.js';
import { isUuid } from './validators.js';

/**
 * A filter of a list. The parameter of a route, its validation, its schema and its description in the OpenAPI
 * document, and with it the option of the CLI, follow from it.
 */
export interface ListFilter<Value = unknown> {
  description: string;
  schema: JsonSchema;
  /** What a value has to be, such as `must be a UUID`. @param text the value that is refused. */
  rule: string | ((text: string) => string);
  /** Undefined: the value is refused. */
  read: (text: string) => Value | undefined;
}

/** The filters of a list by their names, in the order in which a refusal names them. */
export type ListFilters = Readonly<Record<string, ListFilter>>;

export type FilterOf<Filters extends ListFilters> = keyof Filters & string;

/** The values of filters; null: not sent. */
export type FilterValues<Filters extends ListFilters> = {
  [Name in keyof Filters]: (Filters[Name] extends ListFilter<infer Value> ? Value : never) | null;
};

/** A UUID in lower case. */
export function uuidFilter(description: string): ListFilter<string> {
  const read = (text: string) => (isUuid(text) ? text.toLowerCase() : undefined);
  return { description, schema: UUID_SCHEMA, rule: 'must be a UUID', read };
}

/** An instant, ISO 8601 with milliseconds in UTC. */
export function instantFilter(description: string): ListFilter<string> {
  return {
    description,
    schema: OFFSET_INSTANT,
    rule: 'must be a date-time with an offset, such as 2027-03-28T09:00:00Z',
    // A plus that a client did not escape arrives as a space.
    read: (text) => instantOf(text.replace(/ (?=\d\d:\d\d$)/, '+'))?.toISOString(),
  };
}

export function oneOfFilter<Value extends string>(
  values: readonly Value[],
  description: string,
): ListFilter<Value> {
  const read = (text: string) => values.find((value) => value === text);
  return { description, schema: oneOf(values), rule: `must be one of ${values.join(', ')}`, read };
}

/** A text of at least one character. A NUL is refused, because Postgres cannot store it. */
export function textFilter(maxLength: number, description: string): ListFilter<string> {
  return {
    description,
    schema: { type: 'string', minLength: 1, maxLength },
    rule: `must be a text of 1 to ${maxLength} characters`,
    read: (text) => (text !== '' && text.length <= maxLength && !text.includes('\0') ? text : undefined),
  };
}

/** A phone number as it was sent. Its notation depends on the team, so the service reads and refuses it. */
export function phoneNumberFilter(description: string): ListFilter<string> {
  return { description, schema: TEXT_SCHEMA, rule: 'must be a phone number', read: (text) => text };
}

/** Reads the filters of a list, and names every one that is malformed. */
export class FilterReader<Filters extends ListFilters> {
  readonly values: FilterValues<Filters>;
  private readonly problems: Problem[];

  /** @param request may have faults that were found before. {@link done} refuses them, too. */
  constructor(
    filters: Filters,
    { filters: sent, problems = [] }: Pick<PageRequest<FilterOf<Filters>>, 'filters' | 'problems'>,
  ) {
    this.problems = [...problems];
    const texts: Partial<Record<string, string>> = sent;
    const values: Record<string, unknown> = {};
    for (const [name, filter] of Object.entries(filters)) values[name] = this.read(name, filter, texts[name]);
    this.values = values as FilterValues<Filters>;
  }

  /** Adds a fault that was found elsewhere. */
  refuse(message: string): void {
    this.problems.push(problemOf(message));
  }

  /** To be called after the last filter. @throws AppError `INVALID_REQUEST` naming every fault. */
  done(): void {
    if (this.problems.length > 0) throw invalid(...this.problems);
  }

  private read(name: string, { rule, read }: ListFilter, text: string | undefined): unknown {
    if (text === undefined) return null;
    const value = read(text);
    if (value !== undefined) return value;
    const fault = typeof rule === 'string' ? rule : rule(text);
    this.problems.push(problemOf(faultMessage(fault, name), name));
    return null;
  }
}

/** The documentation of the filters as parameters of a route. */
export function filterParameters(
  filters: ListFilters,
): Record<string, { description: string; schema: JsonSchema }> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { description, schema }]) => [name, { description, schema }]),
  );
}
