import { type Decision, type Evidence, type GuardrailReason } from './guardrails.js';

type Words = (evidence: Evidence) => string;

/** What a rule looked at, and what it found, for people. Holds for a refusal as well as for a pass. */
const RULE_IN_WORDS: Record<GuardrailReason, Words> = {
  COUNTRY_NOT_ALLOWED: ({ country, allowedCountries }) =>
    allowedCountries === null
      ? 'the team may call any country'
      : `the number is of ${shown(country, 'no country')}, the team may call ${shown(allowedCountries, 'none')}`,
  NOT_WHITELISTED: ({ whitelistOnly, whitelisted }) =>
    whitelistOnly === true
      ? `the team calls its whitelist alone, and the number is ${whitelisted === true ? '' : 'not '}on it`
      : 'the team is not limited to its whitelist',
  PLAN_LIMIT: ({ limit, used, countedThisMonth }) => {
    if (limit === null) return 'the team has no monthly limit';
    const self = countedThisMonth === true ? ', this one included' : '';
    return `${shown(used)} of ${shown(limit)} calls were used in this calendar month${self}`;
  },
  NUMBER_LIMIT_DAILY: numberLimit,
  NUMBER_LIMIT_WEEKLY: numberLimit,
  NUMBER_LIMIT_MONTHLY: numberLimit,
  DO_NOT_CALL: ({ onDoNotCall }) =>
    `the number is ${onDoNotCall === true ? '' : 'not '}on the Do Not Call list`,
  RECENTLY_CALLED: ({ lastProcessedAt, windowHours }) =>
    lastProcessedAt === null
      ? 'the number was not called in the last 30 days'
      : `the number was last called at ${shown(lastProcessedAt)}, and is left alone for ${shown(windowHours)} hours`,
  ALREADY_SCHEDULED: ({ olderPendingCallId }) =>
    olderPendingCallId === null
      ? 'no older call to the number was waiting'
      : `an older call to the number was waiting: ${shown(olderPendingCallId)}`,
};

function numberLimit({ limit, processed, windowHours }: Evidence): string {
  const window = windowHours === 24 ? '24 hours' : `${Number(windowHours) / 24} days`;
  const calls = `the number was called ${shown(processed)} times in ${window}`;
  return limit === null ? `${calls}, and there is no limit` : `${calls}, of ${shown(limit)} allowed`;
}

/** One rule of a decision as a sentence without its full stop. */
export function ruleInWords(rule: Decision['rules'][number]): string {
  const words = RULE_IN_WORDS[rule.reason](rule.evidence);
  const later = !rule.allow && rule.retryAt !== undefined ? `; it would pass from ${rule.retryAt} on` : '';
  return words + later;
}

function shown(value: Evidence[string] | undefined, absent = 'an unknown number'): string {
  if (value === null || value === undefined) return absent;
  return Array.isArray(value) ? value.join(', ') || absent : String(value);
}
