import { guardrail } from './guardrail.js';

/** Contract 4.1, rule 5. */
export const notWhitelisted = guardrail({
  reason: 'NOT_WHITELISTED',
  status: 400,
  message: 'phoneNumber is not on the team’s outbound whitelist',
  retryable: false,
  kind: 'configuration',
  title: 'Whitelist',
  label: 'The number is not on the team’s whitelist',
  check: ({ whitelistOnly, whitelisted }) => ({
    allow: !whitelistOnly || whitelisted,
    evidence: { whitelistOnly, whitelisted },
  }),
  explain: ({ allow, evidence }) => {
    if (evidence.whitelistOnly === false) return 'The team calls more than its whitelist.';
    return allow
      ? 'The number is on the whitelist.'
      : 'The number is not on the whitelist, and the team calls no other.';
  },
});
