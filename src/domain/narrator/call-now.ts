import { type ComplianceView } from '../compliance/view.js';
import { guardrailOf } from '../guardrails/guardrails.js';
import { lowerFirst, ruleTitle } from './labels.js';
import { type TimeOf } from './record.js';

/**
 * Why a person is not called now: a clause for the reason of every guardrail and for everything that an enrollment waits
 * for. It says what helps, where a person can do something.
 */
export const NOT_NOW: Readonly<Record<string, string>> = {
  COUNTRY_NOT_ALLOWED: 'the team does not call the country of the number; its settings say which it calls',
  ZONE_UNKNOWN: 'the time zone that is stored is not known; edit the contact and give it an IANA name',
  NOT_WHITELISTED: 'the team calls the numbers of its whitelist alone, and this is none of them',
  PLAN_LIMIT: 'the team has made all calls that its plan has this month',
  NUMBER_LIMIT_DAILY: 'the number was called as often in 24 hours as the team allows',
  NUMBER_LIMIT_WEEKLY: 'the number was called as often in 7 days as the team allows',
  NUMBER_LIMIT_MONTHLY: 'the number was called as often in 30 days as the team allows',
  DO_NOT_CALL: 'the number is on the Do Not Call list',
  RECENTLY_CALLED: 'the number was called within the last 12 hours',
  ALREADY_SCHEDULED: 'another call to the number is waiting already',
  JURISDICTION_CAP: 'the number was called as often as the law allows',
  COOL_OFF: 'it is too soon after a conversation by law',
  CONSENT_REQUIRED: 'the law requires a consent that is not on file; record it where there is one',
  CALLING_PROHIBITED: 'the law prohibits such a call',
  SUSPENDED: 'such calls are suspended where the person is',
  ON_REGISTER: 'the number is on a public register of people who want no such calls',
  REGISTER_STALE:
    'a public register that the law requires is missing or too old; it has to be imported again',
  UNKNOWN_LOCATION:
    'it is not known where the person is, and so which law holds; give the contact a time zone',
  after: 'its step has not begun',
  retry: 'the last call was not successful, and the next try comes later',
  callback: 'the person asked to be called back later',
  hours: 'it is outside the calling hours',
  caps: 'the campaign has called the number as often as its caps allow',
  number_busy: 'another call to the number is waiting or under way',
  draft: 'the campaign is a draft',
  paused: 'the campaign, the enrollment, the team or the platform is paused',
  pacing: 'the campaign starts as many calls a minute as it may',
  concurrency: 'as many calls are active as may be at once',
  caller_id: 'the agent of the step has no usable number to call from; give it one',
  zone: 'the time zone of the person is not known; edit the contact and give it one',
  carrier: 'the carrier could not be reached, or takes no more calls at the moment',
  in_call: 'a call is under way',
  result: 'the result of the last call has not arrived',
  outcome: 'it is not known how the last call ended; resolve that call',
  no_steps: 'the version of the campaign has no steps',
};

/** The clause of {@link NOT_NOW}, and for a reason without one that of its guardrail. */
export function whyNotNow(reason: string): string {
  if (Object.hasOwn(NOT_NOW, reason)) return NOT_NOW[reason] ?? '';
  return lowerFirst(guardrailOf(reason)?.label ?? ruleTitle(reason));
}

/** What a dry run says, as far as it is told. */
export interface NarratedDryRun {
  wouldBe: 'queued' | 'scheduled' | 'refused';
  reason: string | null;
  /** Of a scheduled call. */
  runsAt: string | null;
  firstAllowedAt: string | null;
  callerId: { candidates: readonly string[] };
  compliance?: Pick<ComplianceView, 'rule'>;
}

interface Telling {
  timeOf: TimeOf;
  numberOf: (e164: string) => string;
  /** The pause in force, such as `The team is paused`; null: none. */
  paused: string | null;
}

export interface ToldDryRun {
  /** Whether a call that is requested now would be placed now or later. */
  may: 'now' | 'later' | 'no';
  answer: string;
}

/** Tells in a sentence or two whether a person would be called now, and if not, why, and from when on. Pure. */
export function tellCallNow(run: NarratedDryRun, { timeOf, numberOf, paused }: Telling): ToldDryRun {
  const [from, ...others] = run.callerId.candidates;
  if (run.wouldBe === 'refused') {
    const why = `Not now: ${whyNotNow(run.reason ?? '')}.`;
    const until =
      run.firstAllowedAt === null
        ? 'Waiting does not help.'
        : `The call may be made from ${timeOf(run.firstAllowedAt)} on.`;
    return { may: 'no', answer: `${why} ${until}` };
  }
  const held = paused === null ? '' : ` ${paused}, so the call would wait for the end of the pause.`;
  if (run.wouldBe === 'scheduled') {
    const byLaw = (run.compliance?.rule ?? null) === null ? '' : ' or those of the law';
    const at = run.runsAt === null ? '' : ` The call would wait, and be made at ${timeOf(run.runsAt)}.`;
    return {
      may: 'later',
      answer: `Not now: it is outside the calling hours of the agent${byLaw}.${at}${held}`,
    };
  }
  const number = from === undefined ? '' : ` from ${numberOf(from)}`;
  const pool = others.length === 0 ? '' : `, or from another of the ${others.length + 1} numbers of the pool`;
  return { may: 'now', answer: `Would be called now${number}${pool}.${held}` };
}
