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
