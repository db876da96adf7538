import { type Pack } from '../../domain/compliance/pack.js';

/** What is wrong among packs that are well-formed each: an unknown or circular `extends`, a name or id twice. */
export function faultsAmong(packs: readonly Pack[]): string[] {
  const byName = new Map(packs.map((pack) => [pack.pack, pack]));
  return [
    ...twice(packs.map(({ pack }) => pack)).map((pack) => `${pack}.yaml: there is another pack ${pack}`),
    ...twice(packs.flatMap(({ rules }) => rules.map(({ id }) => id))).map((id) => {
      const files = packs.filter(({ rules }) => rules.some((rule) => rule.id === id));
      return `${files.map(({ pack }) => `${pack}.yaml`).join(', ')}: ${id}: id must be of one rule only`;
    }),
    ...packs.flatMap(({ pack, extends: names }) => [
      ...names
        .filter((name) => !byName.has(name))
        .map((name) => `${pack}.yaml: extends names ${name}, which is not a pack`),
      ...(reaches(pack, pack, byName) ? [`${pack}.yaml: extends leads to the pack itself`] : []),
    ]),
  ];
}

function reaches(
  target: string,
  from: string,
  packs: ReadonlyMap<string, Pack>,
  seen = new Set<string>(),
): boolean {
  return (packs.get(from)?.extends ?? []).some((name) => {
    if (name === target) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return reaches(target, name, packs, seen);
  });
}

function twice(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
