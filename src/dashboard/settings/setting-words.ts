import { countryName } from '../design/countries.js';
import { PLATFORM_DAYS } from '../../domain/retention.js';
import { TEAM_SETTINGS, type TeamSetting, type TeamSettingKind } from '../../domain/team-settings.js';
import { count } from '../design/local-time.js';

/** A setting that has a field on the pages of settings. The page of compliance has a form of its own. */
export interface FieldSetting extends TeamSetting {
  kind: Exclude<TeamSettingKind, { type: 'compliance' }>;
}

const ALL: readonly TeamSetting[] = TEAM_SETTINGS;
export const FIELD_SETTINGS: readonly FieldSetting[] = ALL.filter(
  (setting): setting is FieldSetting => setting.kind.type !== 'compliance',
);

/** The name of a setting for people, such as `Monthly call limit`. */
export function labelOf({ name }: Pick<TeamSetting, 'name'>): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const SETTING_LABELS: Record<string, string> = Object.fromEntries(
  TEAM_SETTINGS.map((setting) => [setting.name, labelOf(setting)]),
);

/** What an empty field of a kind means. The description says it in words of JSON, which pages leave out. */
const EMPTY: Partial<Record<TeamSetting['kind']['type'], string>> = {
  limit: 'Empty: no limit.',
  country: 'Without one, numbers in national form are refused.',
};

/** @param ofField whether the hint is of a field, which may be empty. */
export function hintOf({ description, kind }: TeamSetting, ofField = false): string {
  const sentences = description.split(/(?<=\.) /).filter((sentence) => !/^Null\b/.test(sentence));
  const empty = ofField ? EMPTY[kind.type] : undefined;
  return [...sentences, ...(empty === undefined ? [] : [empty])].join(' ').replaceAll('`', '');
}

/** The value of a setting for people. @param platformDays of a retention. */
export function shownValue({ kind }: FieldSetting, value: unknown, platformDays: string): string {
  switch (kind.type) {
    case 'flag':
      return value === true ? 'Yes' : 'No';
    case 'country':
      return typeof value === 'string' ? countryName(value) : 'None';
    case 'countries':
      return Array.isArray(value) ? namesOf(value.map(String).map(countryName), 'None') : 'Every country';
    case 'carriers':
      return Array.isArray(value)
        ? namesOf(value.map(String), 'The default carrier alone')
        : 'Every carrier that is configured';
    case 'limit':
      return typeof value === 'number' ? count(value) : 'No limit';
    case 'days':
      return value === PLATFORM_DAYS ? `As the platform: ${platformDays}` : daysText(value as number | null);
    case 'name':
    case 'timeZone':
      return String(value);
  }
}

/** @param days null: without end. */
export function daysText(days: number | null): string {
  return days === null ? 'without end' : `${count(days)} ${days === 1 ? 'day' : 'days'}`;
}

const namesOf = (names: string[], none: string): string => (names.length === 0 ? none : names.join(', '));
