import { type CampaignRules, type EnrollmentDialRecord, type EnrollmentRecord } from './campaign-history.js';
import { type CallRecord, type History } from './history.js';
import { untrueWaits } from './check-waits.js';
import { type Violation, type ViolationKind } from './violation.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIVE = new Set(['active', 'paused']);

/** A claim of a campaign with the call it made; `at` is the claim's instant, by Postgres' clock. */
interface CampaignClaim extends EnrollmentDialRecord {
  at: number;
  call: CallRecord;
  rules: CampaignRules;
}

/** Checks the dials and ends of campaigns. Pure: it reads only the history. */
export function checkCampaigns(history: History): Violation[] {
  const claims = claimsOf(history);
  return [
    ...attemptsTwice(history, claims),
    ...unwantedDials(history, claims),
    ...capsExceeded(history, claims),
    ...paceExceeded(claims),
    ...lostEnrollments(history),
    ...untrueWaits(history),
  ];
}

/** In the order of time. */
function claimsOf({ calls, campaigns }: History): CampaignClaim[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return campaigns.dials
    .flatMap((dial): CampaignClaim[] => {
      const call = byId.get(dial.callRequestId);
      const campaign = campaigns.campaigns.get(dial.campaignId);
      // A call that was claimed since the calls were read is checked the next time.
      return call && campaign ? [{ ...dial, at: dial.claimedAt, call, rules: campaign.rules }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

const violation = (
  kind: ViolationKind,
  { callRequestId }: EnrollmentDialRecord,
  detail: string,
): Violation => ({
  kind,
  id: callRequestId,
  detail,
});

/** Two dials of one (enrollment, seq), a dial without one, or one beside a call that was not over. */
function attemptsTwice({ calls, dials, campaigns }: History, claims: CampaignClaim[]): Violation[] {
  const numbered = new Set(campaigns.dials.map(({ callRequestId }) => callRequestId));
  const ofCampaigns = new Set(calls.flatMap(({ id, enrollmentId }) => (enrollmentId === null ? [] : [id])));
  const unnumbered = dials
    .filter(({ callRequestId: id }) => ofCampaigns.has(id) && !numbered.has(id))
    .map(({ callRequestId }) => ({
      kind: 'attempt twice' as const,
      id: callRequestId,
      detail: 'was dialed for an enrollment that does not know of it',
    }));
  const twice: Violation[] = [];
  for (const group of grouped(claims, ({ enrollmentId }) => enrollmentId)) {
    const seqs = new Map<number, string>();
    for (const [index, claim] of group.entries()) {
      const other = seqs.get(claim.seq);
      if (other !== undefined) {
        twice.push(violation('attempt twice', claim, `attempt ${claim.seq} of its enrollment, as ${other}`));
      }
      seqs.set(claim.seq, claim.callRequestId);
      const before = group[index - 1];
      if (before && (before.call.overAt === null || before.call.overAt > claim.at)) {
        twice.push(
          violation('attempt twice', claim, `before ${before.callRequestId} of its enrollment was over`),
        );
      }
    }
  }
  return [...unnumbered, ...twice];
}

/** Ends whose instant is read under the locks of a claim. That of another end may precede an earlier claim. */
const ENDED_BEHIND_LOCKS = new Set(
  'goal reached no_response caps lifetime not_dialable suppressed'.split(' '),
);

/** Claims after an exit's answer, after the end or the lifetime, during a pause, and outside the hours. */
function unwantedDials({ campaigns }: History, claims: CampaignClaim[]): Violation[] {
  const exits = new Map<string, number>();
  for (const { of, at } of campaigns.exits) exits.set(of, Math.min(at, exits.get(of) ?? Infinity));
  const pauses = new Map<string, { from: number; to: number }[]>();
  for (const { of, ...interval } of campaigns.pauses) pauses.set(of, [...(pauses.get(of) ?? []), interval]);
  const enrollments = new Map(campaigns.enrollments.map((enrollment) => [enrollment.id, enrollment]));
  return claims.flatMap((claim) => {
    const { at, enrollmentId, campaignId, rules } = claim;
    const found: Violation[] = [];
    for (const id of [enrollmentId, campaignId]) {
      const exitedAt = exits.get(id);
      if (exitedAt !== undefined && at > exitedAt) {
        found.push(
          violation('dialed after exit', claim, `${at - exitedAt} ms after the answer to the exit of ${id}`),
        );
      }
      for (const { from, to } of pauses.get(id) ?? []) {
        if (from < at && at < to) {
          found.push(
            violation('dialed while paused', claim, `${at - from} ms after the answer to the pause of ${id}`),
          );
        }
      }
    }
    const { enrolledAt = Infinity, endedAt = null, endReason = null } = enrollments.get(enrollmentId) ?? {};
    if (endedAt !== null && at > endedAt && ENDED_BEHIND_LOCKS.has(endReason ?? '')) {
      found.push(violation('dialed after exit', claim, `${at - endedAt} ms after its end: ${endReason}`));
    }
    if (rules.openings?.some(([from, to]) => from <= at && at < to) === false) {
      const detail = `claimed at ${new Date(at).toISOString()} for a campaign that is closed then`;
      found.push(violation('out of hours', claim, detail));
    }
    const livesUntil = enrolledAt + rules.lifetimeHours * HOUR_MS;
    if (at >= livesUntil)
      found.push(violation('dialed after exit', claim, `${at - livesUntil} ms after its lifetime`));
    return found;
  });
}

function capsExceeded({ calls }: History, claims: CampaignClaim[]): Violation[] {
  const violations: Violation[] = [];
  const processed = claims.filter(({ call }) => call.processedAt !== null);
  for (const group of grouped(processed, ({ enrollmentId }) => enrollmentId)) {
    const ofSteps = new Map<string, number>();
    for (const [index, claim] of group.entries()) {
      const { maxAttempts, attemptsOfStep } = claim.rules;
      const ofStep = (ofSteps.get(claim.step) ?? 0) + 1;
      ofSteps.set(claim.step, ofStep);
      if (maxAttempts !== null && index >= maxAttempts) {
        violations.push(violation('cap exceeded', claim, `attempt ${index + 1} of at most ${maxAttempts}`));
      }
      const most = attemptsOfStep[claim.step] ?? 0;
      if (ofStep > most) {
        violations.push(
          violation('cap exceeded', claim, `attempt ${ofStep} of at most ${most} in "${claim.step}"`),
        );
      }
    }
  }
  const toNumbers = new Map<string, CallRecord[]>();
  for (const call of calls) {
    if (call.processedAt === null) continue;
    const key = numberKey(call);
    toNumbers.set(key, [...(toNumbers.get(key) ?? []), call]);
  }
  for (const claim of claims) {
    const others = (toNumbers.get(numberKey(claim.call)) ?? []).filter(
      ({ id }) => id !== claim.callRequestId,
    );
    violations.push(...ofNumber(claim, others));
  }
  return violations;
}

/** @param others the team's other processed calls to the number. */
function ofNumber(claim: CampaignClaim, others: CallRecord[]): Violation[] {
  const { at, rules } = claim;
  const { perNumber, afterConversation } = rules;
  const violations: Violation[] = [];
  if (perNumber !== null) {
    const within = others.filter(
      ({ processedAt }) => (processedAt ?? 0) < at && at < (processedAt ?? 0) + perNumber.hours * HOUR_MS,
    );
    if (within.length >= perNumber.count) {
      const detail = `call ${within.length + 1} of at most ${perNumber.count} in ${perNumber.hours} h to its number`;
      violations.push(violation('cap exceeded', claim, detail));
    }
  }
  if (afterConversation === null) return violations;
  for (const { id, status, overAt, endedAt } of others) {
    const heardOf = status === 'completed' && overAt !== null && overAt < at;
    if (!heardOf || at >= (endedAt ?? 0) + afterConversation * HOUR_MS) continue;
    violations.push(
      violation('cap exceeded', claim, `${at - (endedAt ?? 0)} ms after the conversation of ${id}`),
    );
  }
  return violations;
}

/** `callsPerMinute` in any 60 seconds, and `maxConcurrentCalls` at each claim. */
function paceExceeded(claims: CampaignClaim[]): Violation[] {
  const violations: Violation[] = [];
  for (const group of grouped(claims, ({ campaignId }) => campaignId)) {
    for (const [index, claim] of group.entries()) {
      const { callsPerMinute, maxConcurrentCalls } = claim.rules;
      const first = callsPerMinute === null ? undefined : group[index - callsPerMinute];
      if (first !== undefined && claim.at - first.at < MINUTE_MS) {
        const detail = `claim ${(callsPerMinute ?? 0) + 1} within ${claim.at - first.at} ms`;
        violations.push(violation('pace exceeded', claim, detail));
      }
      if (maxConcurrentCalls === null) continue;
      const active = group
        .slice(0, index)
        .filter(({ call }) => (call.activeUntil ?? Infinity) > claim.at).length;
      if (active < maxConcurrentCalls) continue;
      violations.push(violation('pace exceeded', claim, `beside ${active} calls of its campaign`));
    }
  }
  return violations;
}

/** Enrollments that were promised and do not exist, and those that live on when they must have ended. */
function lostEnrollments({ campaigns, doNotCall }: History): Violation[] {
  const known = new Set(campaigns.enrollments.map(({ id }) => id));
  const lost = campaigns.enrolled
    .filter((id) => !known.has(id))
    .map((id) => ({ kind: 'enrollment lost' as const, id, detail: 'does not exist' }));
  if (campaigns.waits === null) return lost;
  const exited = new Set(campaigns.exits.map(({ of }) => of));
  const listed = new Set(doNotCall.map(numberKey));
  const mustHaveEnded = (enrollment: EnrollmentRecord): string | null => {
    if (exited.has(enrollment.id)) return 'was exited';
    if (exited.has(enrollment.campaignId)) return 'its campaign is archived';
    if (listed.has(numberKey(enrollment))) return 'its number is on Do Not Call';
    return campaigns.isOver ? 'its lifetime is over' : null;
  };
  const living = campaigns.enrollments.flatMap((enrollment) => {
    const why = LIVE.has(enrollment.status) ? mustHaveEnded(enrollment) : null;
    if (why === null) return [];
    const detail = `is ${enrollment.status}, waiting for ${enrollment.waitingFor ?? 'nothing'}, though ${why}`;
    return [{ kind: 'enrollment stuck' as const, id: enrollment.id, detail }];
  });
  return [...lost, ...living];
}

const numberKey = ({ teamId, phoneNumber }: { teamId: string; phoneNumber: string }) =>
  `${teamId} ${phoneNumber}`;

/** Keeps the order. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
