import { addText, nextOf, opened, tableOf } from './minute-clock.js';
import { type PlannedCall } from './planned-calls.js';
import { type Interval, MINUTE, plannedCall, type Play, type PlayedStep, type Trace } from './play.js';
import { reportedGoal } from './reported-goal.js';
import { reading } from '../../support/calling-hours-oracle.js';

// A second reading of what campaigns do, which shares no code with the first. It keeps what is left of every
// budget, goes from minute to minute, and asks at each whether anything stands against dialing.

// Looking up a global costs more in Jest's sandbox than the rest of a minute.
const NEVER = Infinity;
const HOUR = 60 * MINUTE;
const WINDOWS: [limit: 'daily' | 'weekly' | 'monthly', hours: number, name: string][] = [
  ['daily', 24, 'NUMBER_LIMIT_DAILY'],
  ['weekly', 7 * 24, 'NUMBER_LIMIT_WEEKLY'],
  ['monthly', 30 * 24, 'NUMBER_LIMIT_MONTHLY'],
];

interface Processed {
  at: number;
  /** Of this enrollment's: how it ended so far. */
  own?: string | null;
  leaves: number[];
}

/** The changes of what the enrollment waits for, beside dials and end. */
export interface MinuteTrace extends Trace {
  waits: { at: number; waitingFor: string | null }[];
}

export function playByMinutes(play: Play): MinuteTrace {
  const trace: MinuteTrace = { dials: [], end: null, waits: [] };
  const zone = tableOf(play.contactZone ?? play.agentZone);
  const steps = play.definition.steps;
  const caps = play.definition.caps;
  const agentOpen = opened(play.hours, play.closedDates);
  const campaignOpen = opened(
    play.definition.hours as Play['hours'],
    play.definition.closedDates as string[],
  );
  const plus = (from: number, text: string) => addText(from, text, zone);
  const lifetimeAt = caps.lifetime === null ? NEVER : plus(play.enrolledAt, caps.lifetime);
  const processed: Processed[] = [];
  const conversations: { known: number; rested: number }[] = [];
  // Seconds within the minute at which something may happen.
  const seconds = new Set([0]);
  const note = (at: number) => (seconds.add(((at % MINUTE) + MINUTE) % MINUTE), at);

  const process = (at: number, own?: string | null): Processed => {
    const one: Processed = {
      at,
      leaves: caps.perNumber.map(({ per }) => plus(at, per)),
      ...(own !== undefined && { own }),
    };
    processed.push(one);
    return one;
  };
  const conversed = (known: number, end: number) => {
    const { afterConversation } = caps;
    if (afterConversation !== null) conversations.push({ known: end, rested: plus(end, afterConversation) });
    return known;
  };
  for (const { at, completedAt } of play.others) {
    process(at);
    if (completedAt !== null) conversed(completedAt, completedAt);
  }

  let index = 0;
  let attemptsLeft = 0;
  let delaysLeft: Record<string, string[]> = {};
  let due = NEVER;
  let reason: string | null = null;
  let callback = false;
  let dials = 0;
  let spent = 0;
  let refusals = 0;
  let notDialed = 0;
  let call: { planned: PlannedCall; step: PlayedStep; claimedAt: number; row: Processed | null } | undefined;
  let reportAt = NEVER;
  let resolveAt = NEVER;
  let deadline = NEVER;
  let goalAt = NEVER;

  const want = (at: number, why: string, again = false) => {
    if (caps.maxAttempts !== null && spent >= caps.maxAttempts) return 'exited/caps';
    [due, reason, callback] = [note(at), why, again];
    return null;
  };
  const enter = (step: number, from: number): string | null => {
    index = step;
    const { maxAttempts, retry = {}, after = 'PT0S' } = steps[index]!;
    delaysLeft = Object.fromEntries(Object.entries(retry).map(([name, list]) => [name, [...list]]));
    attemptsLeft = maxAttempts ?? 1 + Object.values(retry).flat().length;
    return want(plus(from, after), 'after');
  };
  const follow = (entry: Record<string, unknown>, end: number, requested: number | null): string | null => {
    if (entry.goal) return 'completed/goal';
    if (entry.end !== undefined) return `completed/${entry.end as string}`;
    if (entry.callback) return want(requested!, 'callback', true);
    return enter(
      steps.findIndex(({ key }) => key === entry.next),
      end,
    );
  };
  /** Seen once the retries are over. */
  const route = (outcome: string, end: number, result: PlannedCall['result'], requested: number | null) => {
    for (const entry of steps[index]!.on ?? []) {
      const named =
        result !== null && entry.disposition === result.disposition && entry.disposition !== undefined;
      if (named && !(entry.callback && requested === null)) return follow(entry, end, requested);
      if (entry.outcome === outcome) return follow(entry, end, requested);
    }
    if (outcome === 'completed') return 'completed/reached';
    return index + 1 < steps.length ? enter(index + 1, end) : 'completed/no_response';
  };
  const ended = (outcome: string, end: number, now: number): string | null => {
    const wasCallback = callback;
    if (outcome === 'not_dialed') {
      notDialed++;
      return want(end + Math.min(300_000, 5_000 * 2 ** (notDialed - 1)), 'carrier', wasCallback);
    }
    notDialed = 0;
    if (outcome === 'refused' && steps[index]!.retry?.failed === undefined) {
      refusals++;
      return refusals === 3 ? 'failed/not_dialable' : want(end + 5 * MINUTE, 'retry', wasCallback);
    }
    refusals = 0;
    if (call!.row) call!.row.own = outcome;
    if (outcome === 'completed') {
      conversed(now, end);
      const waits = (steps[index]!.on ?? []).some((entry) => entry.disposition !== undefined);
      if (!waits) return route('completed', end, null, null);
      deadline = now + 15 * MINUTE;
      [reason, due] = ['result', NEVER];
      return null;
    }
    const list = delaysLeft[outcome === 'refused' ? 'failed' : outcome] ?? [];
    const delay = wasCallback ? list[0] : list.shift();
    if (delay !== undefined && attemptsLeft > 0) return want(plus(end, delay), 'retry');
    return route('no_response', end, null, null);
  };
  /** What has been reported by `now`. */
  const listen = (now: number): string | null => {
    if (!call) return null;
    const { planned, claimedAt } = call;
    const end = claimedAt + planned.lasts * MINUTE;
    if (now >= reportAt) {
      reportAt = NEVER;
      callEnd = end;
      if (planned.outcome !== 'unknown') return ended(planned.outcome, end, now);
      reason = 'outcome';
      resolveAt = planned.resolution ? now + planned.resolution.after * MINUTE : NEVER;
    }
    if (now >= resolveAt) {
      resolveAt = NEVER;
      callEnd = now;
      return ended(planned.resolution!.outcome, now, now);
    }
    return null;
  };
  let callEnd = 0;
  /** A completed call's disposition, or that none has come in time. */
  const dispose = (now: number): string | null => {
    if (deadline === NEVER) return null;
    const { result } = call!.planned;
    const resultAt = result ? call!.claimedAt + result.after * MINUTE : NEVER;
    const inTime = resultAt < deadline;
    if (inTime ? now < resultAt : now < deadline) return null;
    deadline = NEVER;
    const requested = inTime && result!.callbackIn !== null ? resultAt + result!.callbackIn * MINUTE : null;
    return route('completed', callEnd, inTime ? result : null, requested);
  };

  const is = (what: Interval['what'], at: number) => {
    for (const one of play.intervals) if (one.what === what && one.from <= at && at < one.to) return true;
    return false;
  };
  /** What stands against dialing at this minute. */
  const against = (now: number): string | null => {
    if (due === NEVER) return reason;
    if (is('campaignPaused', now) || is('enrollmentPaused', now) || is('teamPaused', now)) return 'paused';
    if (now < due || now < (play.notBefore ?? 0)) return reason;
    const wall = reading(zone, now);
    if (!agentOpen(wall) || !campaignOpen(wall)) return 'hours';
    const past = processed.filter(({ at }) => at <= now);
    for (const [limit, hours, name] of WINDOWS) {
      const most = play.limits[limit];
      if (most !== null && past.filter(({ at }) => now - at < hours * HOUR).length >= most) return name;
    }
    const binding = past.filter(({ at }) => now - at < 12 * HOUR);
    const exempt = ({ own }: Processed) => own === 'busy' || own === 'no_answer' || own === 'failed';
    const window = play.retryWithinRedialWindow ? !callback && !binding.every(exempt) : binding.length > 0;
    if (window) return 'RECENTLY_CALLED';
    for (const [position, { count }] of caps.perNumber.entries()) {
      if (past.filter(({ leaves }) => now < leaves[position]!).length >= count) return 'caps';
    }
    const last = conversations.filter(({ known }) => known <= now).sort((a, b) => b.known - a.known)[0];
    if (last && now < last.rested && !callback) return 'caps';
    if (is('busy', now)) return 'number_busy';
    if (is('notWhitelisted', now)) return 'NOT_WHITELISTED';
    if (is('planSpent', now)) return 'PLAN_LIMIT';
    if (is('noCallerId', now)) return 'caller_id';
    if (is('carrierAway', now)) return 'carrier';
    if (is('paced', now)) return 'pacing';
    return is('noConcurrencySlot', now) ? 'concurrency' : null;
  };

  const exitBy = (now: number): string | null => {
    if (play.archivedAt !== null && now >= play.archivedAt) return 'exited/archived';
    if (play.deletedAt !== null && now >= play.deletedAt) return 'exited/contact_deleted';
    if (play.suppressedAt !== null && now >= play.suppressedAt) return 'exited/suppressed';
    return now >= lifetimeAt ? 'exited/lifetime' : null;
  };

  let end = steps.length > 0 ? enter(0, play.enrolledAt) : null;
  for (let now = play.enrolledAt; now <= play.horizon; now = nextOf(now, seconds)) {
    for (let again = true; again;) {
      again = false;
      if (now < lifetimeAt) end = now >= goalAt ? 'completed/goal' : (end ?? listen(now) ?? dispose(now));
      // What a call has ended comes before an exit of the same minute.
      end ??= exitBy(now);
      if (end !== null) {
        trace.end = `${new Date(now).toISOString()} ${end}`;
        return trace;
      }
      const waitingFor = against(now);
      if (waitingFor === null && due !== NEVER) {
        const planned = plannedCall(play, dials);
        const step = steps[index]!;
        dials++;
        const reached = planned.outcome !== 'not_dialed' && planned.outcome !== 'refused';
        if (reached) spent++;
        if (reached && !callback) attemptsLeft--;
        goalAt = Math.min(goalAt, reportedGoal(step, planned, now));
        call = { planned, step, claimedAt: now, row: reached ? process(now, null) : null };
        trace.dials.push(`${new Date(now).toISOString()} ${step.key}${callback ? ' callback' : ''}`);
        reportAt = now + (planned.lasts + planned.recordedAfter) * MINUTE;
        [due, reason] = [NEVER, 'in_call'];
        again = true;
      } else if (trace.waits.at(-1)?.waitingFor !== waitingFor || trace.waits.length === 0) {
        trace.waits.push({ at: now, waitingFor });
      }
    }
  }
  return trace;
}
