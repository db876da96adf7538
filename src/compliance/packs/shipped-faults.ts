import { type Pack } from '../../domain/compliance/pack.js';

/**
 * What is wrong with packs of the release beside their form: no rule that is sure, a date of reading in the future, or a
 * rule of another pack's name.
 */
export function shippedFaults(packs: readonly Pack[], now: Date): string[] {
  const today = now.toISOString().slice(0, 10);
  return packs.flatMap(({ pack, rules }) => [
    ...(rules.some(({ confidence }) => confidence === 'high')
      ? []
      : [`${pack}.yaml: no rule is of high confidence, so the pack does not ship`]),
    ...rules
      .filter(({ source }) => source.readOn > today)
      .map(({ id }) => `${pack}.yaml: ${id}: source.readOn must not be in the future`),
    ...rules
      .filter(({ id }) => !id.startsWith(`${pack}-`))
      .map(({ id }) => `${pack}.yaml: ${id}: id must begin with ${pack}-`),
  ]);
}
