import { addDuration } from '../../../../src/domain/campaigns/duration.js';
import { decide } from '../../../../src/domain/campaigns/decide/decide.js';
import { type CampaignDecision } from '../../../../src/domain/campaigns/decide/decision.js';
import {
  type Attempt,
  type AttemptOutcome,
  type EnrollmentState,
} from '../../../../src/domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../../../src/domain/campaigns/decide/facts.js';
import { guardrailFacts } from '../../support/facts.js';
import { definitionOf } from './definitions.js';
import { type Interval, MINUTE, plannedCall, type Play, type Trace } from './play.js';

/** One answer of `decide` to a live enrollment. */
export interface Look {
  at: number;
  waitingFor: string | null;
}

/** A play as an engine makes it: it asks `decide` when it said so, and when something happened. */
export function playByDecide(play: Play): Trace & { looks: Look[]; untrue: string[] } {
  const definition = definitionOf(play.definition);
  const attempts: Attempt[] = [];
  const happenings = happeningsOf(play);
  const trace = {
    dials: [] as string[],
    end: null as string | null,
    looks: [] as Look[],
    untrue: [] as string[],
  };
  const upcoming: { at: number; apply: () => void }[] = [];
  const { lifetime } = definition.caps;
  const zone = play.contactZone ?? play.agentZone;
  const lifetimeAt = lifetime ? addDuration(new Date(play.enrolledAt), lifetime, zone).getTime() : Infinity;
  let stepKey: string | null = null;
  let promised: number | null = null;

  for (let at = play.enrolledAt; at <= play.horizon;) {
    for (const { apply } of take(upcoming, at)) apply();
    const state: EnrollmentState = {
      enrolledAt: new Date(play.enrolledAt),
      stepKey,
      paused: isTrue(play, 'enrollmentPaused', at),
      notBefore: play.notBefore === null ? null : new Date(play.notBefore),
      attempts,
    };
    const decision = decide(state, definition, factsAt(play, attempts, at), new Date(at));
    if (promised === at && !keepsPromise(decision))
      trace.untrue.push(`${instant(at)} ${JSON.stringify(decision)}`);
    promised = null;
    if (decision.kind === 'move') {
      stepKey = decision.stepKey;
      continue;
    }
    if (decision.kind === 'end') {
      trace.end = `${instant(at)} ${decision.status}/${decision.endReason}`;
      return trace;
    }
    if (decision.kind === 'dial') {
      const { callback } = decision;
      trace.dials.push(`${instant(at)} ${decision.stepKey}${callback ? ' callback' : ''}`);
      upcoming.push(...dialed(play, attempts, decision.stepKey, callback, at));
      continue;
    }
    trace.looks.push({ at, waitingFor: decision.kind === 'idle' ? null : decision.waitingFor });
    let lookAt = decision.lookAt?.getTime() ?? Infinity;
    if (decision.kind === 'hold') {
      if (lookAt > at + MINUTE)
        trace.untrue.push(`${instant(at)} no second look ${JSON.stringify(decision)}`);
      // What a second look finds is told by the happenings as well, and by the end of the lifetime.
      lookAt = lifetimeAt > at ? lifetimeAt : Infinity;
    }
    if (decision.kind === 'defer') promised = decision.nextAttemptAt?.getTime() ?? null;
    // Also what is reported: a goal at the promised instant ends the enrollment instead.
    const changes = [...happenings.filter((one) => one > at), ...upcoming.map((event) => event.at)];
    const next = Math.min(lookAt, ...changes);
    if (next < (promised ?? 0) || changes.includes(promised ?? 0)) promised = null;
    // An engine would decide it again and again.
    if (next <= at) {
      trace.untrue.push(`${instant(at)} looked at again at once ${JSON.stringify(decision)}`);
      return trace;
    }
    at = next;
  }
  return trace;
}

/** Without a change in between, the enrollment is dialed then, or what keeps it waiting is not the clock. */
function keepsPromise(decision: CampaignDecision): boolean {
  const others = ['number_busy', 'carrier', 'pacing'];
  if (decision.kind === 'defer') return others.includes(decision.waitingFor);
  return decision.kind === 'dial' || decision.kind === 'hold';
}

/** The attempt, and what will be recorded of it. */
function dialed(play: Play, attempts: Attempt[], stepKey: string, callback: boolean, at: number) {
  const planned = plannedCall(play, attempts.length);
  const unreached = planned.outcome === 'not_dialed' || planned.outcome === 'refused';
  const attempt: Attempt = {
    stepKey,
    callback,
    outcome: null,
    endedAt: null,
    recordedAt: null,
    result: null,
    processedAt: unreached ? null : new Date(at),
  };
  attempts.push(attempt);
  const end = at + planned.lasts * MINUTE;
  const recorded = end + planned.recordedAfter * MINUTE;
  const ended = (outcome: string, endedAt: number, recordedAt: number) => () =>
    Object.assign(attempt, {
      outcome: outcome as AttemptOutcome,
      endedAt: new Date(endedAt),
      recordedAt: new Date(recordedAt),
    });
  const events: { at: number; apply: () => void }[] = [
    { at: recorded, apply: ended(planned.outcome, end, recorded) },
  ];
  if (planned.outcome === 'unknown' && planned.resolution) {
    const resolved = recorded + planned.resolution.after * MINUTE;
    events.push({ at: resolved, apply: ended(planned.resolution.outcome, resolved, resolved) });
  }
  if (planned.result) {
    const { after, disposition, callbackIn } = planned.result;
    const reported = at + after * MINUTE;
    const callbackAt = callbackIn === null ? null : new Date(reported + callbackIn * MINUTE);
    const result = { recordedAt: new Date(reported), disposition, callbackAt };
    events.push({ at: reported, apply: () => Object.assign(attempt, { result }) });
  }
  return events;
}

function factsAt(play: Play, attempts: readonly Attempt[], at: number): CampaignFacts {
  const is = (what: Interval['what']) => isTrue(play, what, at);
  const until = (what: Interval['what']) => {
    const ends = play.intervals.filter((one) => one.what === what && one.from <= at && at < one.to);
    return ends.length === 0 ? null : new Date(Math.max(...ends.map((one) => one.to)));
  };
  const others = play.others.filter((other) => other.at <= at);
  const own = attempts.flatMap(({ processedAt }) => processedAt?.getTime() ?? []);
  const processedAt = [...others.map((other) => other.at), ...own];
  const conversations = [
    ...others.flatMap(({ completedAt }) => (completedAt !== null && completedAt <= at ? completedAt : [])),
    ...attempts.flatMap(({ outcome, endedAt }) =>
      outcome === 'completed' && endedAt ? endedAt.getTime() : [],
    ),
  ];
  const busyUntil = until('busy');
  return {
    campaignStatus:
      play.archivedAt !== null && play.archivedAt <= at
        ? 'archived'
        : is('campaignPaused')
          ? 'paused'
          : 'active',
    paused: is('teamPaused'),
    contactDeleted: play.deletedAt !== null && play.deletedAt <= at,
    contactTimezone: play.contactZone,
    agent: {
      timezone: play.agentZone,
      callingHours: play.hours,
      closedDates: play.closedDates,
      deleted: false,
    },
    guardrails: guardrailFacts({
      processedAt,
      numberDailyLimit: play.limits.daily,
      numberWeeklyLimit: play.limits.weekly,
      numberMonthlyLimit: play.limits.monthly,
      whitelistOnly: is('notWhitelisted'),
      whitelisted: false,
      monthlyCallLimit: is('planSpent') ? 5 : null,
      planUsed: 5,
      onDoNotCall: play.suppressedAt !== null && play.suppressedAt <= at,
    }),
    retryWithinRedialWindow: play.retryWithinRedialWindow,
    processedToNumber: processedAt,
    lastConversationAt: conversations.length === 0 ? null : new Date(Math.max(...conversations)),
    // Half of them are over before they expire.
    otherCall: busyUntil && {
      expiresAt: new Date(busyUntil.getTime() + ((busyUntil.getTime() / MINUTE) % 2) * 30 * MINUTE),
    },
    hasCallerId: !is('noCallerId'),
    carrierAwayUntil: until('carrierAway'),
    pacedUntil: until('paced'),
    hasConcurrencySlot: !is('noConcurrencySlot'),
  };
}

/** Instants of changes that wake the engine. */
function happeningsOf(play: Play): number[] {
  const { suppressedAt, deletedAt, archivedAt, intervals, others } = play;
  return [
    ...[suppressedAt, deletedAt, archivedAt].filter((at) => at !== null),
    ...intervals.flatMap(({ from, to }) => [from, to]),
    ...others.flatMap(({ at, completedAt }) => [at, completedAt ?? at]),
  ];
}

function take<T extends { at: number }>(events: T[], at: number): T[] {
  const due = events.filter((event) => event.at <= at).sort((a, b) => a.at - b.at);
  events.splice(0, events.length, ...events.filter((event) => event.at > at));
  return due;
}

const isTrue = (play: Play, what: Interval['what'], at: number) =>
  play.intervals.some((one) => one.what === what && one.from <= at && at < one.to);

export const instant = (at: number) => new Date(at).toISOString();
