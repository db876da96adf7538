import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { INITIAL_CALLS_PER_MINUTE } from '../../domain/campaigns/definition/parse-settings.js';
import { type Problem } from '../../http/app-error.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { countOf, durationText, isoDuration } from './typed-values.js';

type Campaign = Awaited<ReturnType<CampaignsService['get']>>;

/** The labels of the form, by the names of its fields. */
export const SETTING_LABELS = {
  name: 'Name',
  status: 'Status',
  purpose: 'Purpose of the calls',
  'pacing.callsPerMinute': 'Calls a minute, at most',
  'pacing.maxConcurrentCalls': 'Active calls at a time, at most',
  'pacing.weight': 'Weight among the team’s campaigns',
  reentry: 'Enrolling a contact again',
  'reentry.maxEntries': 'Entries of a contact, at most',
  'reentry.minInterval': 'Time between the end of an entry and the next',
} as const;

type SettingName = keyof typeof SETTING_LABELS;

/** The fields as they were typed. */
export type TypedCampaign = Record<SettingName, string>;

/** The values of `reentry`. */
export const ONCE = 'once';
export const AGAIN = 'again';

/** The form of a new campaign. */
export const NEW_CAMPAIGN: TypedCampaign = {
  name: '',
  status: 'draft',
  purpose: '',
  'pacing.callsPerMinute': String(INITIAL_CALLS_PER_MINUTE),
  'pacing.maxConcurrentCalls': '',
  'pacing.weight': '1',
  reentry: ONCE,
  'reentry.maxEntries': '',
  'reentry.minInterval': '',
};

export function typedCampaign({ name, status, purpose, pacing, reentry }: Campaign): TypedCampaign {
  const isDefault = reentry.maxEntries === 1 && reentry.minInterval === null;
  return {
    name,
    status,
    purpose: purpose ?? '',
    'pacing.callsPerMinute': textOf(pacing.callsPerMinute),
    'pacing.maxConcurrentCalls': textOf(pacing.maxConcurrentCalls),
    'pacing.weight': String(pacing.weight),
    reentry: isDefault ? ONCE : AGAIN,
    'reentry.maxEntries': isDefault ? '' : textOf(reentry.maxEntries),
    'reentry.minInterval': durationText(reentry.minInterval ?? ''),
  };
}

export function typedInSettings(sent: ReadonlyMap<string, string>): TypedCampaign {
  const names = Object.keys(SETTING_LABELS) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, (sent.get(name) ?? '').trim()])) as TypedCampaign;
}

/**
 * The body of a request for the fields that differ from those that the form was made with. What cannot be a value
 * stays a text, so that the API's rule refuses it.
 *
 * @param before the fields of the form when it was made; null: a new campaign, of which all are sent.
 */
export function campaignBody(typed: TypedCampaign, before: TypedCampaign | null): Record<string, unknown> {
  const differs = (...names: SettingName[]) =>
    before === null || names.some((name) => typed[name] !== before[name]);
  const pacing = {
    ...(differs('pacing.callsPerMinute') && { callsPerMinute: countOf(typed['pacing.callsPerMinute']) }),
    ...(differs('pacing.maxConcurrentCalls') && {
      maxConcurrentCalls: countOf(typed['pacing.maxConcurrentCalls']),
    }),
    ...(differs('pacing.weight') && { weight: countOf(typed['pacing.weight']) }),
  };
  return {
    ...(differs('name') && { name: typed.name }),
    ...(before === null && typed.status !== '' && { status: typed.status }),
    ...(differs('purpose') && { purpose: typed.purpose || null }),
    ...(Object.keys(pacing).length > 0 && { pacing }),
    ...(differs('reentry', 'reentry.maxEntries', 'reentry.minInterval') && { reentry: reentryOf(typed) }),
  };
}

function reentryOf(typed: TypedCampaign): Record<string, unknown> | null {
  if (typed.reentry !== AGAIN) return null;
  const interval = typed['reentry.minInterval'];
  return {
    maxEntries: countOf(typed['reentry.maxEntries']),
    minInterval: interval === '' ? null : isoDuration(interval),
  };
}

/** The faults by field, which the form calls by its label. */
export function settingErrors(problems: readonly Problem[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of problems) {
    const name = path in SETTING_LABELS ? (path as SettingName) : 'name';
    const rest = message.startsWith(`${path} `) ? message.slice(path.length + 1) : null;
    errors[name] ??= rest === null ? message : `${SETTING_LABELS[name]}: ${rest}`;
  }
  return errors;
}

const textOf = (value: number | null): string => (value === null ? '' : String(value));
