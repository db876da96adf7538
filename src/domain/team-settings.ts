import { type ComplianceSetting } from './compliance/facts.js';
import { type SentComplianceSetting } from './compliance/setting.js';
import { MIN_CALL_DAYS, MIN_EVENT_DAYS, type TeamDays } from './retention.js';

/** What the value of a setting is. */
export type TeamSettingKind =
  /** A display name, without which no team is created. */
  | { type: 'name' }
  | { type: 'timeZone' }
  | { type: 'flag' }
  /** An ISO 3166 code; null: none. */
  | { type: 'country' }
  /** Different ISO 3166 codes; null: any country. */
  | { type: 'countries' }
  /** Different names of carriers; null: all that are configured. */
  | { type: 'carriers' }
  /** A whole number from `min`; null: no limit. A limit of *n* refuses the (*n*+1)st call. */
  | { type: 'limit'; min: number }
  /** Days of a retention from `min`, as `retention.ts` encodes them in the column. */
  | { type: 'days'; min: number }
  /** The setting of lawful calling; the column may lack keys, which then have their defaults. */
  | { type: 'compliance' };

/** A setting of a team in all its forms. */
export interface TeamSetting {
  /** The key in JSON; in kebab case, the option of `team create` and `team update`. */
  name: string;
  /** The column of the table `teams`. */
  column: string;
  kind: TeamSettingKind;
  /** For the OpenAPI document, and so for the CLI. */
  description: string;
  example?: unknown;
  /** The value of a new team whose request does not have the setting; absent: that of the column. */
  initial?: unknown;
  /** Whether `GET /api/me` shows it, among the limits. */
  shownToKeys: boolean;
  /** Whether guardrails read it; then it is among the `TeamRules`. */
  isRule: boolean;
  /** Whether the team's admins may change it on its pages, or operators alone: what the operator limits for a team. */
  setBy: 'team' | 'operator';
}

/**
 * The settings of a team. From this list follow the columns of `team.entity.ts`, the validation of
 * `team.dto.ts`, the resource of the operator, the limits that a key reads, what guardrails read, the options of
 * the CLI, and the OpenAPI document. The two classes declare the properties; the compiler and
 * `test/teams/team-settings.unit.spec.ts` compare them with the list.
 *
 * The order is that of JSON and of the faults of a request.
 */
export const TEAM_SETTINGS = [
  {
    name: 'name',
    column: 'name',
    kind: { type: 'name' },
    description: 'Display name.',
    example: 'Acme Insurance',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'timezone',
    column: 'timezone',
    kind: { type: 'timeZone' },
    description: 'IANA time zone in which the operations pages show times. A new team has UTC.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'defaultCountry',
    column: 'default_country',
    kind: { type: 'country' },
    description: 'The country of numbers in national form. Null: numbers in national form are refused.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'allowedCountries',
    column: 'allowed_countries',
    kind: { type: 'countries' },
    description: 'The countries that may be called. Null allows every country.',
    shownToKeys: false,
    isRule: true,
    setBy: 'operator',
  },
  {
    name: 'allowedCarriers',
    column: 'allowed_carriers',
    kind: { type: 'carriers' },
    description:
      'The carriers that requests with a key of the team may name for voice agents. The default carrier of the deployment needs no ' +
      'name, so an empty list leaves only this one. Null allows every carrier that is configured. An agent that has another carrier ' +
      'keeps it until its carrier or its carrier settings are changed.',
    shownToKeys: true,
    isRule: false,
    setBy: 'operator',
  },
  {
    name: 'whitelistOnly',
    column: 'whitelist_only',
    kind: { type: 'flag' },
    description: 'Whether only numbers on the whitelist may be called.',
    shownToKeys: false,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'monthlyCallLimit',
    column: 'monthly_call_limit',
    kind: { type: 'limit', min: 0 },
    description: 'The maximum number of calls in a calendar month (UTC). Null is no limit.',
    shownToKeys: true,
    isRule: true,
    setBy: 'operator',
  },
  {
    name: 'numberDailyLimit',
    column: 'number_daily_limit',
    kind: { type: 'limit', min: 0 },
    description: 'The maximum number of processed calls to one number in rolling 24 hours. Null is no limit.',
    shownToKeys: true,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'numberWeeklyLimit',
    column: 'number_weekly_limit',
    kind: { type: 'limit', min: 0 },
    description: 'The maximum number of processed calls to one number in rolling 7 days. Null is no limit.',
    shownToKeys: true,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'numberMonthlyLimit',
    column: 'number_monthly_limit',
    kind: { type: 'limit', min: 0 },
    description: 'The maximum number of processed calls to one number in rolling 30 days. Null is no limit.',
    shownToKeys: true,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'maxConcurrentCalls',
    column: 'max_concurrent_calls',
    kind: { type: 'limit', min: 1 },
    description:
      'The maximum number of active calls at a time. Further due calls wait until a call ends. Null is no limit. A new team has 10.',
    initial: 10,
    shownToKeys: true,
    isRule: false,
    setBy: 'operator',
  },
  {
    name: 'callRetentionDays',
    column: 'call_retention_days',
    kind: { type: 'days', min: MIN_CALL_DAYS },
    description:
      'The number of days for which an ended call is stored. A campaign with a longer cap extends the time. Null stores calls without end.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'eventRetentionDays',
    column: 'event_retention_days',
    kind: { type: 'days', min: MIN_EVENT_DAYS },
    description: 'The number of days for which an event is stored. Null stores events without end.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'paused',
    column: 'paused',
    kind: { type: 'flag' },
    description: 'Whether dialing for the team is stopped. Requests are still accepted.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'retryWithinRedialWindow',
    column: 'retry_within_redial_window',
    kind: { type: 'flag' },
    description:
      'Whether a campaign may retry a contact within 12 hours of an attempt of the same enrollment that ended `busy`, `no_answer` or ' +
      '`failed`. It also allows requested callbacks within 12 hours of any call.',
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
  {
    name: 'acceptUnknownRanges',
    column: 'accept_unknown_ranges',
    kind: { type: 'flag' },
    description:
      'Whether calls, contacts and the whitelist may have numbers whose length is possible in their country, but whose range is not known, such as ' +
      'those of an area code that is newer than this version. The decision about such a call has a warning.',
    shownToKeys: false,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'doNotCallByPurpose',
    column: 'do_not_call_by_purpose',
    kind: { type: 'flag' },
    description:
      'Whether a Do Not Call entry with a `purpose` forbids only calls for that purpose. Otherwise every entry forbids calls for any purpose.',
    shownToKeys: false,
    isRule: true,
    setBy: 'team',
  },
  {
    name: 'compliance',
    column: 'compliance',
    kind: { type: 'compliance' },
    description:
      'How packs of rules of law decide about calls. A change has the keys that change; `kinds` is replaced as a whole. ' +
      'The mode of a new team is that of the deployment, `warn` unless it is configured.',
    example: { mode: 'enforce', packs: 'auto', purpose: 'marketing', voice: 'ai', regionProperty: 'state' },
    shownToKeys: false,
    isRule: false,
    setBy: 'team',
  },
] as const satisfies readonly TeamSetting[];

type Listed = (typeof TEAM_SETTINGS)[number];
type Shown = Extract<Listed, { shownToKeys: true }>;
type Rule = Extract<Listed, { isRule: true }>;

/** @throws Error if there is no such setting, which is a mistake of ours. */
export function teamSettingNamed(name: string): Listed {
  const setting = TEAM_SETTINGS.find((one) => one.name === name);
  if (setting === undefined) throw new Error(`${name} is not a setting of a team`);
  return setting;
}

/** The value of a setting in its column. */
type Stored<Kind extends TeamSettingKind> = {
  name: string;
  timeZone: string;
  flag: boolean;
  country: string | null;
  countries: string[] | null;
  carriers: string[] | null;
  limit: number | null;
  days: number | null;
  compliance: ComplianceSetting;
}[Kind['type']];

/** The value of a setting in a request. */
type Sent<Kind extends TeamSettingKind> = Kind extends { type: 'days' }
  ? TeamDays
  : Kind extends { type: 'compliance' }
    ? SentComplianceSetting
    : Stored<Kind>;

export type TeamSettingName = Listed['name'];

/** The settings that a new team has unless its request has them. A careful start limits the effect of a mistake. */
export const INITIAL_TEAM_SETTINGS = Object.fromEntries(
  TEAM_SETTINGS.flatMap((one) => ('initial' in one ? [[one.name, one.initial]] : [])),
) as SentTeamSettings;

/** The settings of a team. Of a retention, these are the days in its column, or those that apply. */
export type TeamSettingValues = { [S in Listed as S['name']]: Stored<S['kind']> };
/** The settings of a team, by their columns. */
export type TeamSettingRow = { [S in Listed as S['column']]: Stored<S['kind']> };
/** The settings of a request; undefined: the setting was not sent. */
export type SentTeamSettings = { [S in Listed as S['name']]?: Sent<S['kind']> };

/** The settings that a key reads. */
export type ShownTeamSettings = { [S in Shown as S['name']]: Stored<S['kind']> };

/** The settings that guardrails read. */
export type TeamRuleValues = { readonly [S in Rule as S['name']]: Readonly<Stored<S['kind']>> };
/** The settings that guardrails read, by their columns. */
export type TeamRuleRow = { [S in Rule as S['column']]: Stored<S['kind']> };

export const SHOWN_TEAM_SETTINGS = TEAM_SETTINGS.filter((one): one is Shown => one.shownToKeys);

const RULES = TEAM_SETTINGS.filter((one): one is Rule => one.isRule);
export const TEAM_RULE_COLUMNS: readonly Rule['column'][] = RULES.map(({ column }) => column);

/** The settings of a team that nothing restricts, as a new team has them. */
export const UNRESTRICTED_TEAM = forEachSetting<Rule, unknown>(RULES, ({ kind }) =>
  kind.type === 'flag' ? false : null,
) as TeamRuleValues;

/** The settings that guardrails read, of a row with their columns. */
export function teamRulesOf(row: TeamRuleRow): TeamRuleValues {
  return forEachSetting<Rule, unknown>(RULES, ({ column }) => row[column]) as TeamRuleValues;
}

/** A value for each of the settings. */
export function forEachSetting<Setting extends Listed, Value>(
  settings: readonly Setting[],
  valueOf: (setting: Setting) => Value,
): Record<Setting['name'], Value> {
  return Object.fromEntries(settings.map((one) => [one.name, valueOf(one)])) as Record<
    Setting['name'],
    Value
  >;
}
