import { type EnrollmentRecord } from './campaign-history.js';
import { type CallRecord, type History } from './history.js';
import { type Violation } from './violation.js';

const HOUR_MS = 3_600_000;
/** A worker may be busy with others that are due. */
const GRACE_MS = 15_000;
/** Outcomes that a team's campaigns may follow within the re-dial window. */
const EXEMPT = new Set(['busy', 'no_answer', 'failed']);

/**
 * Live enrollments, once nothing is under way any more, whose `waitingFor` or `nextAttemptAt` does not hold.
 */
export function untrueWaits(history: History): Violation[] {
  const { waits } = history.campaigns;
  if (waits === null) return [];
  const toNumbers = new Map<string, CallRecord[]>();
  for (const call of history.calls) {
    const key = `${call.teamId} ${call.phoneNumber}`;
    toNumbers.set(key, [...(toNumbers.get(key) ?? []), call]);
  }
  return waits.live.flatMap((enrollment) => {
    const calls = toNumbers.get(`${enrollment.teamId} ${enrollment.phoneNumber}`) ?? [];
    const fault = faultOf(enrollment, calls, waits.now, history);
    return fault === null ? [] : [{ kind: 'enrollment stuck' as const, id: enrollment.id, detail: fault }];
  });
}

/** @param calls the team's calls to the number. @returns null where what the enrollment says is true. */
function faultOf(
  enrollment: EnrollmentRecord,
  calls: readonly CallRecord[],
  now: number,
  { campaigns, limits }: History,
): string | null {
  const { id, teamId, campaignId, waitingFor, nextAttemptAt, lookAt, enrolledAt } = enrollment;
  const { rules } = campaigns.campaigns.get(campaignId) ?? {};
  const waiting = `waits for ${waitingFor ?? 'nothing'}`;
  if (lookAt === null) return `${waiting}, and is never looked at`;
  // What would be dialed behind the lifetime has no next attempt, and is looked at when that ends.
  const hasInstant =
    nextAttemptAt !== null || lookAt >= enrolledAt + (rules?.lifetimeHours ?? Infinity) * HOUR_MS;
  if (nextAttemptAt !== null && nextAttemptAt < now - GRACE_MS) {
    return `${waiting} until ${now - nextAttemptAt} ms ago`;
  }
  const processed = calls.filter(
    ({ processedAt, claimedAt }) => processedAt !== null && (claimedAt ?? now) <= now,
  );
  const own = processed.filter(({ enrollmentId }) => enrollmentId === id);
  switch (waitingFor) {
    case 'outcome':
      // A look-up may have ended the call since.
      return own.some(({ status, overAt }) => status === 'dial_unknown' || (overAt ?? 0) > now - GRACE_MS)
        ? null
        : `${waiting}, which is known`;
    case 'PLAN_LIMIT': {
      const limit = limits.get(teamId)?.monthly ?? null;
      return limit === null ? `${waiting}, and its team has none` : null;
    }
    case 'caps': {
      const { perNumber = null, afterConversation = null } = rules ?? {};
      const isTrue = (perNumber !== null || afterConversation !== null) && processed.length > 0;
      return isTrue && hasInstant ? null : `${waiting} of which it has none`;
    }
    case 'RECENTLY_CALLED': {
      const isExempt = (call: CallRecord) =>
        campaigns.retryingTeams.has(teamId) && call.enrollmentId === id && EXEMPT.has(call.status);
      const ends = processed
        .filter((call) => !isExempt(call))
        .map(({ processedAt }) => (processedAt ?? 0) + 12 * HOUR_MS)
        .filter((end) => end > now - GRACE_MS);
      // A later call is noticed at the instant that the earlier one promised.
      const until = Math.min(...ends);
      if (until === Infinity) return `${waiting}, though its number was not called in 12 hours`;
      return hasInstant && (nextAttemptAt ?? Infinity) >= until
        ? null
        : `${waiting}, though not until ${until}`;
    }
    case 'hours': {
      const isOpen = rules?.openings?.some(([from, to]) => from <= now - GRACE_MS && now < to) ?? true;
      return !isOpen && hasInstant ? null : `${waiting}, though its campaign is open`;
    }
    case 'after':
    case 'retry':
      return hasInstant ? null : `${waiting} without an instant`;
    case null:
    default:
      return `${waiting}, with nothing in its way`;
  }
}
