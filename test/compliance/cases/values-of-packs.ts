/**
 * What the rules that are no hours say, as their laws say it: written from the text, compared with what the packs say on
 * the pages. `holdsFrom` and `holdsTo` are the first and the last local day of the called person.
 */
export interface ValueOfRule {
  rule: string;
  says: string;
  holdsFrom?: string;
  holdsTo?: string;
}

const IN_24_HOURS = 'At most 3 calls to a person in 24 hours.';
const EXPRESS = 'Calls need an earlier express consent.';
const WRITTEN = 'Calls need an earlier express written consent.';
const WHO = 'The call says who is calling.';
const ARTIFICIAL = 'The call says that the voice is artificial.';
const OPT_OUT = 'The call says how to get no further calls.';
const register = (name: string, age = '') =>
  `No calls to numbers in the register ${name}, which is looked up in a copy${age}.`;

export const VALUES_OF_RULES: readonly ValueOfRule[] = [
  // 12 CFR 1006.14(b)(2)(i): more than seven times within seven consecutive days; within seven after a conversation.
  {
    rule: 'us-regf-7in7',
    says: 'At most 7 calls to a person in 7 calendar days, that of the call included.',
    holdsFrom: '2021-11-30',
  },
  {
    rule: 'us-regf-cooloff',
    says: 'After a conversation, no call for 7 days, the day of the conversation included.',
    holdsFrom: '2021-11-30',
  },
  { rule: 'us-fcc-ai-consent', says: EXPRESS, holdsFrom: '2024-02-08' },
  { rule: 'us-fcc-ai-consent-marketing', says: WRITTEN, holdsFrom: '2013-10-16' },
  { rule: 'us-prerecorded-ident', says: WHO, holdsFrom: '2024-02-08' },
  { rule: 'us-prerecorded-optout', says: OPT_OUT, holdsFrom: '2024-02-08' },
  {
    rule: 'us-ndnc',
    says: `${register('us-ftc-dnc', ' of at most 31 days')} A written consent on file lifts it.`,
    holdsFrom: '2005-01-01',
  },
  { rule: 'us-ca-adad-voice', says: ARTIFICIAL, holdsFrom: '2025-01-01' },
  { rule: 'us-ca-adad-identity', says: WHO, holdsFrom: '2025-01-01' },
  { rule: 'us-ct-consent', says: WRITTEN, holdsFrom: '2023-10-01' },
  { rule: 'us-ct-disclose', says: WHO, holdsFrom: '2023-10-01' },
  { rule: 'us-ct-disclose-optout', says: OPT_OUT, holdsFrom: '2023-10-01' },
  { rule: 'us-fl-3in24', says: IN_24_HOURS, holdsFrom: '2021-07-01' },
  { rule: 'us-in-adad', says: EXPRESS },
  {
    rule: 'us-ma-recorded',
    says: 'Forbidden: Unsolicited sales calls by a recorded message device.',
  },
  { rule: 'us-ma-debt-2in7', says: 'At most 2 calls to a person in 7 days.', holdsFrom: '2012-03-02' },
  { rule: 'us-md-3in24', says: IN_24_HOURS, holdsFrom: '2024-01-01' },
  { rule: 'us-md-auto-consent', says: WRITTEN, holdsFrom: '2024-01-01' },
  { rule: 'us-mn-adad', says: EXPRESS },
  { rule: 'us-ok-3in24', says: IN_24_HOURS, holdsFrom: '2022-11-01' },
  { rule: 'us-ok-auto-consent', says: WRITTEN, holdsFrom: '2022-11-01' },
  { rule: 'us-or-3in24', says: IN_24_HOURS, holdsFrom: '2026-01-01' },
  { rule: 'us-ut-ai', says: ARTIFICIAL, holdsFrom: '2025-05-07', holdsTo: '2027-06-30' },
  { rule: 'us-wa-ident', says: WHO, holdsFrom: '2022-06-09' },
  {
    rule: 'us-wy-auto',
    says: 'Forbidden: Sales calls by automated selection or dialing of numbers, or with a recorded message.',
  },
  { rule: 'ca-adad-consent', says: EXPRESS, holdsFrom: '2008-09-30' },
  {
    rule: 'ca-dncl',
    says: `${register('ca-dncl', ' of at most 31 days')} An express consent on file lifts it.`,
    holdsFrom: '2008-09-30',
  },
  { rule: 'gb-auto-consent', says: EXPRESS, holdsFrom: '2003-12-11' },
  { rule: 'gb-tps', says: register('gb-tps+ctps', ' of at most 28 days'), holdsFrom: '2003-12-11' },
  { rule: 'eu-ai-50-1', says: ARTIFICIAL, holdsFrom: '2026-08-02' },
  {
    rule: 'fr-4in30',
    says: 'At most 4 calls to a person in 30 calendar days, that of the call included.',
    holdsFrom: '2023-03-01',
  },
  { rule: 'fr-consent', says: EXPRESS, holdsFrom: '2026-08-11' },
  { rule: 'de-consent', says: EXPRESS },
  { rule: 'es-auto', says: EXPRESS, holdsFrom: '2014-06-13' },
  { rule: 'nl-consent', says: EXPRESS, holdsFrom: '2021-07-01' },
  { rule: 'be-dncm', says: register('be-dncm'), holdsFrom: '2015-01-01' },
  {
    rule: 'ae-once-a-day',
    says: 'At most 1 call to a person on one day of the called person.',
    holdsFrom: '2024-08-27',
  },
  { rule: 'ae-dncr', says: register('ae-dncr'), holdsFrom: '2024-08-27' },
  { rule: 'mx-repep', says: register('mx-repep', ' of at most 30 days'), holdsFrom: '2007-11-01' },
];

/** Rules that only warn: what their sources do not make sure, and what is of a subject that a call does not state. */
export const WARNING_RULES = [
  'ae-twice-a-week',
  'au-boxing-day',
  'ca-adad-hours',
  'es-consent',
  'eu-eprivacy-13',
  'fr-automate',
  'fr-renov',
  'mx-debt',
  'nl-consent-2026',
  'us-in-hours',
  'us-ky-hours',
  'us-la-holidays',
  'us-mn-hours',
  'us-pa-holidays-other',
  'us-ri-state-holidays',
  'us-sc-adad',
  'us-sd-sunday',
  'us-ut-good-friday',
  'us-wy-hours',
];
