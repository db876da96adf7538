import { type Page, type PageRequest } from '../http/page.js';

/** One option; without `value` it is a flag. */
export interface OptionSpec {
  /** What stands for the value in the help, such as `<id>`. */
  value?: string;
  help: string;
  required?: boolean;
}

/** An option that is a field of a request's body; `read` makes the field's value of what was typed. */
export interface FieldSpec extends OptionSpec {
  read(typed: string | boolean, option: string): unknown;
}

export type Fields = Readonly<Record<string, FieldSpec>>;

/** All fields of a body: one that is added there does not compile until the command has it. */
export type FieldsOf<Body> = { readonly [Field in keyof Body]-?: FieldSpec };

/** What a command shows: as text to people, as JSON to programs. */
export type Output =
  /** `shown` is what people read instead of `value`, and `note` what follows it. */
  | { kind: 'record'; value: object; shown?: object; note?: string }
  | { kind: 'page'; page: Page<object>; columns: readonly string[] }
  | { kind: 'text'; text: string; value: unknown; failed?: boolean };

/** What a command is given to do its work with. */
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
   * The id of a team, of its id or name.
   * @throws AppError `NOT_FOUND`; UsageError where several have the name.
   */
  readonly teamNamed: (text: string) => Promise<string>;
  /** A body of the fields that were typed and of `more`, checked as over HTTP. @throws UsageError. */
  readonly body: <T extends object>(cls: new () => T, more?: Record<string, unknown>) => T;
  /** The page that `--limit`, `--cursor` and the command's filters ask for. */
  readonly page: <Filter extends string = never>() => PageRequest<Filter>;
  readonly service: <T>(type: abstract new (...args: never[]) => T) => T;
  /** Writes a line to standard error, beside the output. */
  readonly tell: (line: string) => void;
  /** Replaces the line that it has drawn before; undefined without a terminal. */
  readonly draw: ((line: string) => void) | undefined;
}

/** One command, such as `team create`. */
export interface Command {
  name: string;
  summary: string;
  /**
   * Names of the arguments; the last may be many, which ends its name in `...`, and in `[...]` if there may
   * be none.
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

/** A change needs every field of a new resource as little as PATCH does. */
export function optional<T extends Fields>(fields: T): { [Name in keyof T]: FieldSpec } {
  const entries = Object.entries(fields).map(([name, spec]) => [name, { ...spec, required: false }]);
  return Object.fromEntries(entries) as { [Name in keyof T]: FieldSpec };
}

export const record = (value: object, note?: string): Output => ({ kind: 'record', value, note });

export function pageOutput(page: Page<object>, ...columns: string[]): Output {
  return { kind: 'page', page, columns };
}

/** For what leaves nothing to show. */
export const done = (text: string, value: object): Output => ({ kind: 'text', text, value });
