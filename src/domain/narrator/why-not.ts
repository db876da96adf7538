import { explainRule, type StoredRule } from '../guardrails/explain.js';
import { guardrailOf } from '../guardrails/guardrails.js';
import { waitLabel } from './enrollment.js';
import { outcomeLabel } from './labels.js';
import { type TimeOf } from './record.js';

/** Why an enrollment is not dialed now: the `whyNot` of an enrollment. */
export interface NarratedWait {
  rule: string;
  evidence: Readonly<Record<string, unknown>>;
  /** ISO 8601; null if only a change, the end of a call or a report can end the wait. */
  retryAt: string | null;
}

export interface ToldWait {
  /** Such as `Calling hours`. */
  title: string;
  /** The evidence in sentences; empty if the title is enough. */
  text: string;
  /** When the enrollment is dialed, or what ends the wait. */
  next: string;
}

/** What ends a wait that has no instant. */
const HELP: Record<string, string> = {
  draft: 'It is dialed when the campaign is active.',
  paused: 'It is dialed again after the pause.',
  number_busy: 'It is dialed after that call.',
  concurrency: 'It is dialed when a concurrency slot is free.',
  in_call: 'The end of the call decides.',
  result: 'The result decides.',
  outcome: 'Nothing is dialed until the carrier reports, or the call is resolved.',
  no_steps: 'It is not dialed on this version. Move it to a version with steps.',
};
const CHANGE_HELPS = 'Only a change helps: within a minute of it, the enrollment is decided again.';

/** Explains why an enrollment waits. Pure. */
export function tellWhyNot({ rule, evidence, retryAt }: NarratedWait, timeOf: TimeOf): ToldWait {
  return {
    title: waitLabel(rule),
    text: textOf(rule, evidence, timeOf),
    next:
      retryAt === null
        ? (HELP[rule] ?? CHANGE_HELPS)
        : `If nothing changes, it is dialed at ${timeOf(retryAt)}.`,
  };
}

function textOf(rule: string, evidence: Readonly<Record<string, unknown>>, timeOf: TimeOf): string {
  const reason = rule === 'zone' ? 'ZONE_UNKNOWN' : rule;
  if (guardrailOf(reason) !== undefined) {
    return explainRule({ reason, allow: false, evidence } as StoredRule, timeOf);
  }
  const textFor = TEXTS[rule];
  return textFor === undefined ? lastCallText(evidence, timeOf) : textFor(evidence, timeOf);
}

type Text = (evidence: Readonly<Record<string, unknown>>, timeOf: TimeOf) => string;

const TEXTS: Record<string, Text> = {
  hours: ({ timezone, localTime, openForAgent, openForCampaign, closedByLaw, zones }) => {
    const rules = textsOf(closedByLaw);
    if (rules.length > 0 && openForAgent !== false && openForCampaign !== false) {
      return `In ${textsOf(zones).join(', ')} it is outside the hours of ${rules.join(' and ')}.`;
    }
    const closed = [openForAgent === false && 'the agent', openForCampaign === false && 'the campaign'];
    const of = closed.filter((one) => one !== false).join(' and ') || 'the agent and the campaign together';
    return `It is ${shown(localTime)} in ${shown(timezone)}, outside the calling hours of ${of}.`;
  },
  caps: ({ caps, callsToNumber, lastConversationAt }, timeOf) => {
    const { perNumber, afterConversation } = (caps ?? {}) as {
      perNumber?: { count: number; per: string }[];
      afterConversation?: string;
    };
    const counts = Array.isArray(callsToNumber) ? (callsToNumber as number[]) : [];
    const windows = (perNumber ?? []).map(
      ({ count, per }, index) => `${counts[index] ?? 0} of ${count} calls to the number in ${per}.`,
    );
    const talked =
      afterConversation && typeof lastConversationAt === 'string'
        ? [
            `The last conversation ended at ${timeOf(lastConversationAt)}; the rest after it is ${afterConversation}.`,
          ]
        : [];
    return [...windows, ...talked].join(' ');
  },
  number_busy: ({ expiresAt }, timeOf) =>
    `Another call to the number is pending or under way${
      typeof expiresAt === 'string' ? `; if it is not dialed, it expires at ${timeOf(expiresAt)}` : ''
    }.`,
  paused: ({ campaign, teamOrPlatform, enrollment }) => {
    const paused = [
      campaign !== 'active' && `the campaign is ${shown(campaign)}`,
      teamOrPlatform === true && 'the team or the whole platform is paused',
      enrollment === true && 'the enrollment is paused',
    ].filter((one) => one !== false);
    const text = paused.join(', and ');
    return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  },
  draft: () => 'The campaign is a draft.',
  no_steps: ({ storedUnvalidated }) =>
    storedUnvalidated === true
      ? 'Its version was stored before campaigns placed calls, so it places none.'
      : 'Its version has no steps, so it places no calls.',
  pacing: ({ callsPerMinute, startedInLastMinute, accountCallsPerSecond }) =>
    typeof accountCallsPerSecond === 'number'
      ? `The carrier account of the agent has ${accountCallsPerSecond} calls a second at most.`
      : `The campaign started ${shown(startedInLastMinute)} calls in the last minute; the limit is ${shown(callsPerMinute)}.`,
  concurrency: ({
    teamLimit,
    active,
    waitingCalls,
    campaignLimit,
    activeOfCampaign,
    accountLimit,
    activeOfAccount,
  }) => {
    const of = (limit: unknown, calls: unknown, what: string) =>
      typeof limit === 'number' ? [`The ${what} has ${shown(calls)} of ${limit} active calls.`] : [];
    const waiting =
      typeof waitingCalls === 'number' && waitingCalls > 0
        ? [`${waitingCalls} triggered calls of the team come first.`]
        : [];
    return [
      ...of(teamLimit, active, 'team'),
      ...waiting,
      ...of(campaignLimit, activeOfCampaign, 'campaign'),
      ...of(accountLimit, activeOfAccount, 'carrier account of the agent'),
    ].join(' ');
  },
  caller_id: () => 'The agent of the step has no active, outbound-enabled number to call from.',
};

const OUTCOMES: Record<string, string> = {
  refused: 'the carrier refused it',
  not_dialed: 'the carrier could not dial it',
};

/** For rules without a text in `TEXTS`, which depend on the last call, such as `retry` and `result`. */
function lastCallText({ lastCall, until }: Readonly<Record<string, unknown>>, timeOf: TimeOf): string {
  const { seq, outcome, endedAt } = (lastCall ?? {}) as Record<string, unknown>;
  if (typeof seq !== 'number') return '';
  const call = `Call ${seq}`;
  if (typeof outcome !== 'string') return `${call} is under way.`;
  if (outcome === 'unknown') return `The outcome of call ${seq} is unknown.`;
  const at = typeof endedAt === 'string' ? ` at ${timeOf(endedAt)}` : '';
  const what = OUTCOMES[outcome] ?? outcomeLabel(outcome).toLowerCase();
  const waits = typeof until === 'string' ? ` Its result is awaited until ${timeOf(until)}.` : '';
  return `${call} ended${at}: ${what}.${waits}`;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const shown = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
