import { type CarrierSettings } from './carrier.js';

/** Returns why a value is invalid, as a predicate such as `must be a text`; null if it is valid. */
export type SettingRule = (value: unknown) => string | null;

/** An id of the platform: visible ASCII without spaces. */
export const isId: SettingRule = (value) =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)
    ? null
    : 'must be 1 to 200 printable ASCII characters without spaces';

/** Where in the analysis an answer stands. */
export const isPath: SettingRule = (value) =>
  typeof value === 'string' && value.length <= 200 && /^[^.\s]+(?:[.][^.\s]+)*$/.test(value)
    ? null
    : 'must be names with dots between them, such as custom.do_not_call';

const E164 = /^[+][1-9][0-9]{6,14}$/;

/** The platform's ids of numbers, by E.164. */
export const isNumberIds: SettingRule = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= 100 &&
  Object.entries(value).every(([number, id]) => E164.test(number) && isId(id) === null)
    ? null
    : 'must be an object of at most 100 ids by numbers in E.164, such as {"+14155550100": "…"}';

export const isFlag: SettingRule = (value) => (typeof value === 'boolean' ? null : 'must be true or false');

/** One of some words. */
export function isOneOf(...words: readonly string[]): SettingRule {
  return (value) => (words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`);
}

export function isWholeFrom(least: number, most: number): SettingRule {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? null
      : `must be a whole number from ${least} to ${most}`;
}

/**
 * The problem with an agent's settings as a sentence that names a field, or null. The sentence contains neither
 * an unknown field nor a value.
 *
 * @param required fields that must be there.
 */
export function settingsProblem(
  carrier: string,
  settings: CarrierSettings,
  rules: Readonly<Record<string, SettingRule>>,
  required: readonly string[],
): string | null {
  if (Object.keys(settings).some((name) => !Object.hasOwn(rules, name))) {
    const known = Object.keys(rules).join(', ');
    return `carrierSettings has a field that the carrier ${carrier} does not know; it knows ${known}`;
  }
  const missing = required.find((name) => settings[name] === undefined);
  if (missing !== undefined) return `carrierSettings.${missing} is required`;
  for (const [name, value] of Object.entries(settings)) {
    const fault = rules[name]?.(value) ?? null;
    if (fault !== null) return `carrierSettings.${name} ${fault}`;
  }
  return null;
}
