import { type Page, type PageRequest } from '../http/page.js';

/** One option; without `value` it is a flag. */
export interface OptionSpec {
  /** What stands for the value in the help, such as `<id>`. */
  value?: string;
  help: string;
  required?: boolean;
}

/** An option that is a field of a request's body. `read` turns the typed text into the value of the field. */
export interface FieldSpec extends OptionSpec {
  read(typed: string | boolean, option: string): unknown;
}

export type Fields = Readonly<Record<string, FieldSpec>>;

/**
 * A spec for each field of a body. If the body gets a new field, the command does not compile without a spec
 * for it.
 */
export type FieldsOf<Body> = { readonly [Field in keyof Body]-?: FieldSpec };

/** What a command shows: as text to people, as JSON to programs. */
export type Output =
  /** People read `shown` instead of `value`, and then `note`. */
  | { kind: 'record'; value: object; shown?: object; note?: string }
  | { kind: 'page'; page: Page<object>; columns: readonly string[] }
  | { kind: 'text'; text: string; value: unknown; failed?: boolean };

/** The input and the services of one run of a command. */
export interface Invocation {
  /** The value of the argument with this name. */
  readonly arg: (name: string) => string;
  /** The value of the last declared argument, and all that follow it. */
  readonly rest: () => string[];
  /** The value of an option that takes one, or undefined. */
  readonly option: (name: string) => string | undefined;
  /** Whether an option without a value was typed. */
  readonly flag: (name: string) => boolean;
  readonly teamId: string;
  /**
   * The id of the team that has this id or name.
   * @throws AppError `NOT_FOUND`; UsageError if several teams have the name.
   */
  readonly teamNamed: (text: string) => Promise<string>;
  /** The id of the team's campaign that has this id or name. @throws as {@link teamNamed}. */
  readonly campaignNamed: (text: string) => Promise<string>;
  /**
   * A body of the fields that were typed and of `more`, validated as over HTTP. @throws UsageError if it has
   * no field, AppError if it is not valid.
   */
  readonly body: <T extends object>(cls: new () => T, more?: Record<string, unknown>) => T;
  /** The page that `--limit`, `--cursor` and the command's filters ask for. */
  readonly page: <Filter extends string = never>() => PageRequest<Filter>;
  readonly service: <T>(type: abstract new (...args: never[]) => T) => T;
  /** Writes a line to standard error, beside the output. */
  readonly tell: (line: string) => void;
  /** Replaces the line that was drawn before; undefined without a terminal. */
  readonly draw: ((line: string) => void) | undefined;
}

/** One command, such as `team create`. */
export interface Command {
  name: string;
  summary: string;
  /**
   * Names of the arguments. A name in brackets is an optional argument. If the last name contains `...`, the
   * argument may have several values.
   */
  args?: readonly string[];
  /** Whether it works within one team, which `--team` names. */
  team?: boolean;
  /** Whether it lists by pages. */
  paged?: boolean;
  /** Options that become a body. */
  fields?: Fields;
  /** Options that narrow a list; by their names in the query. */
  filters?: Readonly<Record<string, OptionSpec>>;
  options?: Readonly<Record<string, OptionSpec>>;
  run(call: Invocation): Promise<Output>;
}

/** Makes every field optional, for a command that changes a resource as PATCH does. */
export function optional<T extends Fields>(fields: T): { [Name in keyof T]: FieldSpec } {
  const entries = Object.entries(fields).map(([name, spec]) => [name, { ...spec, required: false }]);
  return Object.fromEntries(entries) as { [Name in keyof T]: FieldSpec };
}

export const record = (value: object, note?: string): Output => ({ kind: 'record', value, note });

export function pageOutput(page: Page<object>, ...columns: string[]): Output {
  return { kind: 'page', page, columns };
}

/** The output of a command that has no resource to show. */
export const done = (text: string, value: object): Output => ({ kind: 'text', text, value });
