import { type CallState } from '../../domain/call-states.js';
import { type Decision, type GuardrailReason } from '../../domain/guardrails.js';

/** States as people call them. */
export const STATE_WORDS: Record<CallState, string> = {
  scheduled: 'Scheduled',
  queued: 'Queued',
  dialing: 'Dialing',
  in_progress: 'In progress',
  dial_unknown: 'Unknown',
  completed: 'Completed',
  no_answer: 'No answer',
  busy: 'Busy',
  voicemail: 'Voicemail',
  failed: 'Failed',
  blocked: 'Blocked',
  expired: 'Expired',
  canceled: 'Canceled',
};

export function stateWords(state: string): string {
  return (STATE_WORDS as Record<string, string>)[state] ?? state;
}

/** The rule that refused a call. */
const GUARDRAIL_WORDS: Record<GuardrailReason, string> = {
  COUNTRY_NOT_ALLOWED: 'The team does not call that country',
  NOT_WHITELISTED: 'The number is not on the team’s whitelist',
  PLAN_LIMIT: 'The monthly call limit was reached',
  NUMBER_LIMIT_DAILY: 'The number’s daily limit was reached',
  NUMBER_LIMIT_WEEKLY: 'The number’s weekly limit was reached',
  NUMBER_LIMIT_MONTHLY: 'The number’s monthly limit was reached',
  DO_NOT_CALL: 'The number is on the Do Not Call list',
  RECENTLY_CALLED: 'The number was called within the last 12 hours',
  ALREADY_SCHEDULED: 'Another call to the number was waiting already',
};

/** Reasons of calls that were not made, and of dials that went wrong. */
const REASON_WORDS: Record<string, string> = {
  ...GUARDRAIL_WORDS,
  NO_CALLER_ID: 'No number of the team was left to call from',
  CARRIER_NOT_CONFIGURED: 'The agent’s carrier is not configured',
  NOT_DIALED: 'The worker came too late to dial',
  NO_WORD: 'Nothing was heard from the carrier',
};

export function reasonWords(reason: string): string {
  return REASON_WORDS[reason] ?? inWords(reason);
}

const CAUSE_WORDS: Record<string, string> = {
  triggered: 'Requested',
  accepted: 'Requested',
  claimed: 'Claimed by a worker, to be dialed once',
  outside_calling_hours: 'Came up outside calling hours, so it waits for the next slot',
  expired: 'Its time ran out before it could be dialed',
  next_slot_too_late: 'Came up outside calling hours, and the next slot is too late for it',
  blocked: 'Refused when it was about to be dialed',
  canceled: 'Canceled by the team',
  do_not_call: 'The number was put on the Do Not Call list',
  not_dialed: 'Not dialed',
  carrier_accepted: 'The carrier took the call',
  carrier_refused: 'The carrier refused; nobody was reached',
  carrier_throttled: 'The carrier takes no more calls just now and dialed nobody; tried again later',
  carrier_unreachable: 'The carrier could not be reached, so nobody was dialed; tried again later',
  carrier_silent: 'The carrier did not say whether it dialed',
  carrier_report: 'Reported by the carrier',
  carrier_listing: 'Found in the carrier’s list of calls',
  no_word: 'Nothing was heard for longer than a call can last',
  resolved_by_operator: 'Resolved by staff',
};

export function causeWords(cause: string): string {
  return CAUSE_WORDS[cause] ?? inWords(cause);
}

/** What staff found out about a call, on the buttons that say so. */
export const RESOLUTION_WORDS: Record<string, string> = {
  completed: 'It was answered',
  no_answer: 'Nobody answered',
  busy: 'It was busy',
  voicemail: 'It reached a voicemail',
  failed: 'It never rang',
};

const RULE_TITLES: Record<GuardrailReason, string> = {
  COUNTRY_NOT_ALLOWED: 'Country',
  NOT_WHITELISTED: 'Whitelist',
  PLAN_LIMIT: 'Monthly plan',
  NUMBER_LIMIT_DAILY: 'This number, 24 hours',
  NUMBER_LIMIT_WEEKLY: 'This number, 7 days',
  NUMBER_LIMIT_MONTHLY: 'This number, 30 days',
  DO_NOT_CALL: 'Do Not Call',
  RECENTLY_CALLED: '12 hours apart',
  ALREADY_SCHEDULED: 'One at a time',
};

export function ruleTitle(reason: string): string {
  return (RULE_TITLES as Record<string, string>)[reason] ?? inWords(reason);
}

const WINDOW_WORDS: Record<string, string> = { 24: '24 hours', 168: '7 days', 720: '30 days' };

/** One rule's verdict as it is kept with a call. */
export type RuleVerdict = Decision['rules'][number];

/**
 * What a rule went by, in a sentence.
 *
 * @param timeOf instants as the page shows them.
 */
export function evidenceWords(
  { reason, allow, evidence }: RuleVerdict,
  timeOf: (at: string) => string,
): string {
  const said = (name: string) => String(evidence[name] ?? 'unknown');
  switch (reason) {
    case 'COUNTRY_NOT_ALLOWED': {
      const { country, allowedCountries } = evidence;
      if (allowedCountries === null) return 'The team calls any country.';
      const list = Array.isArray(allowedCountries) ? allowedCountries.join(', ') : said('allowedCountries');
      const where =
        country === null ? 'The number belongs to no country' : `The number is in ${said('country')}`;
      return `${where}; the team calls ${list === '' ? 'no country' : list}.`;
    }
    case 'NOT_WHITELISTED':
      if (evidence.whitelistOnly === false) return 'The team calls more than its whitelist.';
      return allow
        ? 'The number is on the whitelist.'
        : 'The number is not on the whitelist, and the team calls no other.';
    case 'PLAN_LIMIT':
      if (evidence.limit === null) return 'The team has no monthly limit.';
      if (evidence.countedThisMonth === true) return 'This call had its place in the month already.';
      return `${said('used')} of the month’s ${said('limit')} calls were used.`;
    case 'NUMBER_LIMIT_DAILY':
    case 'NUMBER_LIMIT_WEEKLY':
    case 'NUMBER_LIMIT_MONTHLY': {
      const processed = Number(evidence.processed);
      const others =
        processed === 0 ? 'No other call' : processed === 1 ? '1 other call' : `${processed} other calls`;
      const window = `${others} to the number in the ${WINDOW_WORDS[said('windowHours')] ?? 'time'} before`;
      return evidence.limit === null
        ? `${window}; there is no limit.`
        : `${window}; the limit is ${said('limit')}.`;
    }
    case 'DO_NOT_CALL':
      return allow ? 'The number was not on the list.' : 'The number was on the list.';
    case 'RECENTLY_CALLED':
      return typeof evidence.lastProcessedAt === 'string'
        ? `The last call before it was on ${timeOf(evidence.lastProcessedAt)}.`
        : 'There was no other call in the 30 days before.';
    case 'ALREADY_SCHEDULED':
      return allow ? 'No older call to the number was waiting.' : 'An older call to the number was waiting.';
    default:
      return JSON.stringify(evidence);
  }
}

/** `carrier_gave_up` → `Carrier gave up`. */
function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
