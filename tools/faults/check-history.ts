import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { type CallRecord, type History } from './history.js';
import { checkCampaigns } from './check-campaigns.js';
import { checkEvents } from './check-events.js';
import { checkLawful } from './check-lawful.js';
import { lostOptOuts } from './check-opt-outs.js';
import { checkWebhooks } from './check-webhooks.js';
import { type Violation } from './violation.js';

const HOUR_MS = 3_600_000;
const SETTLED = new Set(
  'completed no_answer busy voicemail failed blocked expired canceled dial_unknown'.split(' '),
);
/** States in which the carrier certainly accepted the call. */
const HEARD_OF = new Set('in_progress completed no_answer busy voicemail'.split(' '));
const ENDS = new Set('completed no_answer busy voicemail failed'.split(' '));
/**
 * Outcomes of the carrier that say how a call ends; all others end `completed`, if a report or look-up
 * arrives.
 */
const ENDS_AS_SAID = new Set('busy no_answer voicemail failed'.split(' '));
const UNANSWERED = new Set(['busy', 'no_answer', 'failed']);
const NEVER_CLAIMED = new Set('scheduled queued blocked expired canceled'.split(' '));

/** A dial with the call it belongs to; `at` is the claim's instant, by Postgres' clock. */
interface CheckedDial {
  dial: DialRecord;
  call: CallRecord;
  at: number;
  /** A call refused outright was not dialed, and does not count as processed. */
  reached: boolean;
}

/** Checks a whole run. Pure: it reads only the history. */
export function checkHistory(history: History): Violation[] {
  const calls = new Map(history.calls.map((call) => [call.id, call]));
  const violations: Violation[] = [];
  const dials: CheckedDial[] = [];
  for (const dial of history.dials) {
    const call = calls.get(dial.callRequestId);
    if (call?.claimedAt == null) {
      const detail = call === undefined ? 'the call does not exist' : `the call is ${call.status}`;
      violations.push({ kind: 'dialed unclaimed', id: dial.callRequestId, detail });
    } else dials.push({ dial, call, at: call.claimedAt, reached: dial.outcome !== 'refuse' });
  }
  dials.sort((a, b) => a.at - b.at);
  return [
    ...violations,
    ...ends(history, calls),
    ...dialedTwice(history.dials),
    ...numbersTwice(dials, history),
    ...outOfHours(dials, history),
    ...doNotCall(dials, history),
    ...limits(dials, history),
    ...misrecorded(history),
    ...lostOptOuts(history),
    ...checkLawful(history),
    ...checkCampaigns(history),
    ...checkEvents(history),
    ...checkWebhooks(history),
    ...history.late,
    ...crashed(history),
  ];
}

function crashed({ crashes }: History): Violation[] {
  return crashes.map(({ name, end }) => ({
    kind: 'crashed',
    id: name,
    detail: `ended by itself with ${end}; its log says why`,
  }));
}

function ends({ triggers, calls }: History, byId: Map<string, CallRecord>): Violation[] {
  const accepted = triggers.filter(({ status }) => status === 200).map(({ callRequestId }) => callRequestId);
  const promised = new Set(accepted);
  const lost = [...promised].filter((id) => !SETTLED.has(byId.get(id ?? '')?.status ?? 'missing'));
  const others = calls.filter(({ id, status }) => !promised.has(id) && !SETTLED.has(status));
  return [
    ...lost.map((id) => ({
      kind: 'lost' as const,
      id: id ?? '',
      detail: `is ${byId.get(id ?? '')?.status ?? 'missing'}`,
    })),
    ...others.map(({ id, status }) => ({
      kind: 'unsettled' as const,
      id,
      detail: `is ${status}`,
    })),
  ];
}

function dialedTwice(dials: DialRecord[]): Violation[] {
  const count = new Map<string, number>();
  for (const { callRequestId } of dials) count.set(callRequestId, (count.get(callRequestId) ?? 0) + 1);
  return [...count]
    .filter(([, times]) => times > 1)
    .map(([id, times]) => ({ kind: 'dialed twice', id, detail: `${times} dials` }));
}

/** Dials that rang, by team and number, in order of time. */
function byNumber(dials: CheckedDial[]): CheckedDial[][] {
  const groups = new Map<string, CheckedDial[]>();
  for (const checked of dials) {
    if (!checked.reached) continue;
    const key = `${checked.call.teamId} ${checked.call.phoneNumber}`;
    const group = groups.get(key);
    if (group) group.push(checked);
    else groups.set(key, [checked]);
  }
  return [...groups.values()];
}

function numbersTwice(dials: CheckedDial[], { campaigns }: History): Violation[] {
  const violations: Violation[] = [];
  for (const group of byNumber(dials)) {
    for (const [index, later] of group.entries()) {
      const earlier = group.slice(0, index).findLast(
        ({ call, at }) =>
          // Two dials of one call are a violation of their own.
          call.id !== later.call.id &&
          later.at - at < 12 * HOUR_MS &&
          !mayFollow(call, later.call, campaigns),
      );
      if (!earlier) continue;
      const detail = `${later.at - earlier.at} ms after ${earlier.call.id}`;
      violations.push({ kind: 'twice in 12 h', id: later.call.id, detail });
    }
  }
  return violations;
}

/** Some teams let an enrollment dial again after its own attempts without an answer. */
function mayFollow(earlier: CallRecord, later: CallRecord, { retryingTeams }: History['campaigns']): boolean {
  const isOwn = earlier.enrollmentId !== null && earlier.enrollmentId === later.enrollmentId;
  return isOwn && retryingTeams.has(earlier.teamId) && UNANSWERED.has(earlier.status);
}

function outOfHours(dials: CheckedDial[], { openings }: History): Violation[] {
  return dials
    .filter(
      ({ call, at }) => openings.get(call.agentId)?.some(([from, to]) => from <= at && at < to) === false,
    )
    .map(({ call, at }) => ({
      kind: 'out of hours',
      id: call.id,
      detail: `claimed at ${new Date(at).toISOString()}`,
    }));
}

function doNotCall(dials: CheckedDial[], history: History): Violation[] {
  const since = new Map(
    history.doNotCall.map(({ teamId, phoneNumber, committedAt }) => [
      `${teamId} ${phoneNumber}`,
      committedAt,
    ]),
  );
  return dials.flatMap(({ call, at }) => {
    const listedAt = since.get(`${call.teamId} ${call.phoneNumber}`);
    if (listedAt === undefined || at <= listedAt) return [];
    const detail = `claimed ${at - listedAt} ms after its number was listed`;
    return [{ kind: 'do not call' as const, id: call.id, detail }];
  });
}

function limits(dials: CheckedDial[], { limits }: History): Violation[] {
  const violations: Violation[] = [];
  const used = new Map<string, number>();
  for (const { call, at, reached } of dials) {
    if (!reached) continue;
    const limit = limits.get(call.teamId)?.monthly ?? null;
    const key = `${call.teamId} ${new Date(at).toISOString().slice(0, 7)}`;
    used.set(key, (used.get(key) ?? 0) + 1);
    if (limit !== null && (used.get(key) ?? 0) > limit) {
      violations.push({
        kind: 'limit exceeded',
        id: call.id,
        detail: `monthly limit of ${limit}`,
      });
    }
  }
  for (const group of byNumber(dials)) {
    for (const { call, at } of group) {
      const { daily = null, weekly = null, monthlyPerNumber = null } = limits.get(call.teamId) ?? {};
      for (const [limit, days] of [
        [daily, 1],
        [weekly, 7],
        [monthlyPerNumber, 30],
      ] as const) {
        const dialed = group.filter((other) => other.at <= at && other.at > at - days * 24 * HOUR_MS).length;
        if (limit === null || dialed <= limit) continue;
        const detail = `${dialed} in ${days} days to one number, limit ${limit}`;
        violations.push({ kind: 'limit exceeded', id: call.id, detail });
      }
    }
  }
  return violations;
}

function misrecorded({ calls, dials }: History): Violation[] {
  const dialed = new Map(dials.map((dial) => [dial.callRequestId, dial]));
  return calls.flatMap(({ id, status, processedAt }) => {
    const dial = dialed.get(id);
    const denied = dial && dial.outcome !== 'refuse' && (NEVER_CLAIMED.has(status) || processedAt === null);
    const invented = !dial && HEARD_OF.has(status);
    const detail = denied
      ? `was dialed, but is ${status} and counts as undialed`
      : invented
        ? `is ${status} without a dial`
        : wrongEnd(status, dial);
    return detail === null ? [] : [{ kind: 'misrecorded' as const, id, detail }];
  });
}

function wrongEnd(status: string, dial: DialRecord | undefined): string | null {
  if (dial === undefined || !ENDS.has(status)) return null;
  const end =
    dial.outcome === 'refuse' ? 'failed' : ENDS_AS_SAID.has(dial.outcome) ? dial.outcome : 'completed';
  return status === end ? null : `is ${status}, though its dial went ${dial.outcome}`;
}
