/** The members of the European Union, ISO 3166-1. */
const EU_MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/**
 * Territories with a code of their own in ISO 3166-1, where the law of the country holds: those of the United States
 * (47 U.S.C. 153(58)), the departments overseas and Saint-Martin (Constitution of France, art. 73 and 74), and Christmas and
 * Cocos (Telecommunications Act 1997 of Australia, s. 10).
 */
const COUNTRIES_OF_TERRITORIES: ReadonlyMap<string, string> = new Map([
  ...'AS GU MP PR VI'.split(' ').map((code) => [code, 'US'] as const),
  ...'GF GP MF MQ RE YT'.split(' ').map((code) => [code, 'FR'] as const),
  ...'CC CX'.split(' ').map((code) => [code, 'AU'] as const),
]);

/** The jurisdictions whose law holds in a country of ISO 3166-1: itself, the country that it is of, and `EU`. */
export function jurisdictionsOf(code: string): string[] {
  const country = COUNTRIES_OF_TERRITORIES.get(code) ?? code;
  return [...new Set([code, country]), ...(EU_MEMBERS.has(country) ? ['EU'] : [])];
}
