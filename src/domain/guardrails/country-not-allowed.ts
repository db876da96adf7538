import { guardrail, type GuardrailFacts, type RuleResult, shown } from './guardrail.js';

export const countryNotAllowed = guardrail({
  reason: 'COUNTRY_NOT_ALLOWED',
  status: 400,
  message: 'phoneNumber is in a country that the team does not call',
  retryable: false,
  kind: 'configuration',
  beforeScheduling: true,
  title: 'Country',
  label: 'The team does not call that country',
  check: countryAllowed,
  explain: ({ evidence }) => {
    const { country, allowedCountries } = evidence;
    if (allowedCountries === null) return 'The team calls any country.';
    const list = Array.isArray(allowedCountries)
      ? allowedCountries.join(', ')
      : shown(evidence, 'allowedCountries');
    const where =
      country === null
        ? 'The number belongs to no country'
        : `The number is in ${shown(evidence, 'country')}`;
    return `${where}; the team calls ${list === '' ? 'no country' : list}.`;
  },
});

/**
 * Whether a team's `allowedCountries` contain a number's country, or are null. A number of no country is
 * allowed only with null.
 */
function countryAllowed(facts: Pick<GuardrailFacts, 'country' | 'allowedCountries'>): RuleResult {
  const { country, allowedCountries } = facts;
  const allow = allowedCountries === null || (country !== null && allowedCountries.includes(country));
  return { allow, evidence: { country, allowedCountries } };
}
