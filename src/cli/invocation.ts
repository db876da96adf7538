import { invalid, notFound } from '../http/app-error.js';
import { MAX_BODY_BYTES } from '../http/request-body.js';
import { parseJsonObject } from '../http/json-body.js';
import { parsePageRequest } from '../http/page.js';
import { validateBody } from '../http/validation.js';
import { isUuid } from '../http/validators.js';
import { CampaignsService } from '../campaigns/admin/campaigns.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { type Command, type Invocation } from './command.js';
import { TypedJson } from './field-kinds.js';
import { optionName, optionsOf } from './options.js';
import { UsageError } from './usage-error.js';

/** The arguments and the option values of a command line. */
export interface Parsed {
  args: readonly string[];
  /** By the names of {@link optionsOf}. */
  values: Readonly<Record<string, string | boolean | undefined>>;
}

/** The services of a command, and its ways to show messages. */
export interface Surroundings {
  service: Invocation['service'];
  tell: Invocation['tell'];
  draw: Invocation['draw'];
}

/** @throws UsageError for the first required option that is missing. */
export function checkRequired(command: Command, { values }: Parsed): void {
  for (const [name, { required, value, help }] of Object.entries(optionsOf(command))) {
    if (required && values[name] === undefined) {
      throw new UsageError(`--${optionName(name)} ${value} is missing: ${help}`);
    }
  }
}

/** @throws AppError `NOT_FOUND` for the team; UsageError for a name that several teams have. */
export async function invocationOf(
  command: Command,
  { args, values }: Parsed,
  surroundings: Surroundings,
): Promise<Invocation> {
  const names = command.args ?? [];
  const option = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const teamNamed = (text: string) =>
    idOf('Team', text, (name) => surroundings.service(TeamsService).idsNamed(name));
  const team = option('team');
  const teamId = team === undefined ? '' : await teamNamed(team);
  return {
    ...surroundings,
    arg: (name) => args[names.indexOf(name)] ?? '',
    rest: () => args.slice(names.length - 1),
    option,
    flag: (name) => values[name] === true,
    teamId,
    teamNamed,
    campaignNamed: (text) =>
      idOf('Campaign', text, (name) => surroundings.service(CampaignsService).idsNamed(teamId, name)),
    body: (cls, more = {}) => checked(cls, { ...typedFields(command, values), ...more }),
    page: () => {
      const filters = Object.keys(command.filters ?? {});
      const sent = ['limit', 'cursor', ...filters].flatMap((name) => {
        const value = option(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return parsePageRequest(Object.fromEntries(sent), filters);
    },
  };
}

/**
 * The id that was typed, or the id of what has the typed name. An id is unique; a name need not be.
 *
 * @param kind such as `Campaign`. @throws AppError `NOT_FOUND`; UsageError for a name that several have.
 */
async function idOf(
  kind: string,
  text: string,
  idsNamed: (name: string) => Promise<string[]>,
): Promise<string> {
  if (isUuid(text)) return text;
  const [id, ...others] = await idsNamed(text);
  if (id === undefined) throw notFound(kind);
  if (others.length > 0) {
    const ids = [id, ...others].join(', ');
    const kinds = `${kind.toLowerCase()}s`;
    throw new UsageError(`Several ${kinds} are called ${JSON.stringify(text)}: give an id instead: ${ids}`);
  }
  return id;
}

/** Fields that were typed, by their names in the body. */
function typedFields({ fields = {} }: Command, values: Parsed['values']): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [field, spec] of Object.entries(fields)) {
    const typed = values[field];
    if (typed !== undefined) body[field] = spec.read(typed, optionName(field));
  }
  return body;
}

/** Applies the two checks of a body over HTTP: that of its JSON, and the validation of its fields. */
function checked<T extends object>(cls: new () => T, fields: Record<string, unknown>): T {
  if (Object.keys(fields).length === 0) throw new UsageError('Nothing to change: --help shows the fields');
  const size = Buffer.byteLength(JSON.stringify(fields));
  if (size > MAX_BODY_BYTES) throw invalid(`This is more than ${MAX_BODY_BYTES / 1024} KB`);
  const parsed = parseJsonObject(Buffer.from(bodyOf(fields)));
  if (!parsed.ok) throw invalid(...parsed.problems);
  const result = validateBody(cls, parsed.value, { nulls: 'keep' });
  if (!result.ok) throw invalid(...result.problems);
  return result.value;
}

/** The JSON text of a body with these fields. */
function bodyOf(fields: Record<string, unknown>): string {
  const members = Object.entries(fields).flatMap(([name, value]) => {
    const text = value instanceof TypedJson ? value.text : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}
