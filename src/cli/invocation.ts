import { notFound } from '../http/app-error.js';
import { MAX_LIMIT, type Page, parsePageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { type CampaignResource } from '../campaigns/admin/campaign.dto.js';
import { CampaignsService } from '../campaigns/admin/campaigns.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { type Command, type Invocation } from './command.js';
import { type Dispatch } from './dispatch.js';
import { operationNamed } from './operations.js';
import { optionName, optionsOf } from './options.js';
import { UsageError } from './usage-error.js';

/** The most ids of a name that several campaigns have. */
const MAX_NAMED = 10;

/** The arguments and the option values of a command line. */
export interface Parsed {
  args: readonly string[];
  /** By the names of {@link optionsOf}. */
  values: Readonly<Record<string, string | boolean | undefined>>;
}

/** The services of a command, and its ways to show messages. */
export interface Surroundings {
  service: Invocation['service'];
  api: Invocation['api'];
  dispatch: Dispatch;
  input: Invocation['input'];
  tell: Invocation['tell'];
  draw: Invocation['draw'];
}

/** @throws UsageError for the first required option that is missing. */
export function checkRequired(command: Command, { values }: Parsed): void {
  for (const [key, spec] of Object.entries(optionsOf(command))) {
    if (spec.required && values[key] === undefined) {
      throw new UsageError(`--${optionName(key, spec)} ${spec.value} is missing: ${spec.help}`);
    }
  }
}

/** @throws AppError `NOT_FOUND` for the team; UsageError for a name that several teams have. */
export async function invocationOf(
  command: Command,
  { args, values }: Parsed,
  { dispatch, ...surroundings }: Surroundings,
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
  const send = <Answer>(id: string, fields: Record<string, unknown> = {}) =>
    // What the operation answers is what its document says.
    dispatch(operationNamed(id), { teamId: teamId || undefined, ...fields }) as Promise<Answer>;
  const campaignsNamed = (name: string) =>
    surroundings.api === undefined
      ? surroundings.service(CampaignsService).idsNamed(teamId, name)
      : listedCampaignsNamed(send, name);
  return {
    ...surroundings,
    arg: (name) => args[names.indexOf(name)] ?? '',
    rest: () => args.slice(names.length - 1),
    option,
    flag: (name) => values[name] === true,
    teamId,
    teamNamed,
    campaignNamed: (text) => idOf('Campaign', text, campaignsNamed),
    fields: () => typedFields(command, values),
    send,
    page: () => {
      const filters = Object.keys(command.filters ?? {});
      const sent = filters.map((name) => [name, option(name)] as const);
      return parsePageRequest(Object.fromEntries(sent.filter(([, value]) => value !== undefined)), filters);
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

/** As `CampaignsService.idsNamed`, from the list that a team's key reads. */
async function listedCampaignsNamed(send: Invocation['send'], name: string): Promise<string[]> {
  const found: { id: string; name: string }[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await send<Page<CampaignResource>>('listCampaigns', { limit: MAX_LIMIT, cursor });
    found.push(...page.items.filter((one) => one.name.toLowerCase() === name.toLowerCase()));
    cursor = page.nextCursor;
  }
  const exact = found.filter((one) => one.name === name);
  return (exact.length > 0 ? exact : found).slice(0, MAX_NAMED).map(({ id }) => id);
}

/** Fields that were typed, by their names. */
function typedFields({ fields = {} }: Command, values: Parsed['values']): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [field, spec] of Object.entries(fields)) {
    const typed = values[field];
    if (typed !== undefined) read[field] = spec.read(typed);
  }
  return read;
}
