import { type Page, type PageRequest } from '../http/page.js';
import { type ApiClient } from './api-client.js';

/** One option; without `value` it is a flag. */
export interface OptionSpec {
  /** Without its dashes; by default that of its key, `defaultCountry` → `default-country`. */
  name?: string;
  /** What stands for the value in the help, such as `<id>`. */
  value?: string;
  help: string;
  required?: boolean;
}

/** An option that is a field of a request. `read` turns what was typed into the value of the field. */
export interface FieldSpec extends OptionSpec {
  read(typed: string | boolean): unknown;
}

export type Fields = Readonly<Record<string, FieldSpec>>;

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
  /** The values of the command's fields that were typed. */
  readonly fields: () => Record<string, unknown>;
  /**
   * The answer to an operation of the command's team. @throws AppError with which the operation is refused, as
   * over HTTP; OperatorOnlyError for an operation that the team's key of {@link api} does not have.
   */
  readonly send: <Answer = unknown>(id: string, fields?: Record<string, unknown>) => Promise<Answer>;
  /** All rows that the command's filters let through. */
  readonly page: <Filter extends string = never>() => PageRequest<Filter>;
  /** @throws OperatorOnlyError while commands are sent with a team's key. */
  readonly service: <T>(type: abstract new (...args: never[]) => T) => T;
  /** The API to which commands are sent with a team's key; undefined: they run in this process. */
  readonly api: ApiClient | undefined;
  /** Reads standard input to its end. */
  readonly input: () => Promise<string>;
  /** Writes a line to standard error, beside the output. */
  readonly tell: (line: string) => void;
  /** Replaces the line that was drawn before; undefined without a terminal. */
  readonly draw: ((line: string) => void) | undefined;
}

/** One command, such as `team create`. */
export interface Command {
  name: string;
  summary: string;
  /** What the help of the command says below the summary. */
  description?: string;
  /** The ids of the operations that it may send. */
  operations?: readonly string[];
  /**
   * Names of the arguments. A name in brackets is an optional argument. If the last name contains `...`, the
   * argument may have several values.
   */
  args?: readonly string[];
  /** Whether it works within one team, which `--team` names. */
  team?: boolean;
  /** Whether it makes links to pages, and may send them by e-mail. */
  links?: boolean;
  /** Options that are fields of requests; by the names of the fields. */
  fields?: Fields;
  /** Options that narrow an export; by their names in the query. */
  filters?: Readonly<Record<string, OptionSpec>>;
  options?: Readonly<Record<string, OptionSpec>>;
  run(call: Invocation): Promise<Output>;
}

export const record = (value: object, note?: string): Output => ({ kind: 'record', value, note });

/** The output of a command that has no resource to show. */
export const done = (text: string, value: object): Output => ({ kind: 'text', text, value });
