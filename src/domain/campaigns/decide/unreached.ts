import { type End } from './decision.js';
import { type Attempt } from './enrollment.js';

/**
 * After each dial that the carrier did not accept, the pause doubles, from the first to the second of these
 * values.
 */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** The pause after a call that the carrier permanently refused. */
const REFUSED_PAUSE_MS = 300_000;
const MAX_REFUSALS = 3;

type Again =
  | { kind: 'dial'; dueAt: Date; waitingFor: 'carrier' | 'retry'; since: Date }
  | { kind: 'end'; end: End; since: Date };

/**
 * The next dial after dials that the carrier did not accept, or the end of the enrollment after too many
 * refusals.
 *
 * @param attempts those after the last attempt that was processed or counts as `failed`; all are `not_dialed`
 *   or `refused`.
 * @returns undefined if there are no such attempts.
 */
export function afterUnreached(attempts: readonly Attempt[]): Again | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  const { endedAt, recordedAt: since } = last;
  if (!endedAt || !since) throw new RangeError('an attempt that was not dialed has ended');
  if (attempts.filter(({ outcome }) => outcome === 'refused').length >= MAX_REFUSALS) {
    return { kind: 'end', end: { status: 'failed', endReason: 'not_dialable' }, since };
  }
  if (last.outcome === 'refused') {
    return { kind: 'dial', dueAt: later(endedAt, REFUSED_PAUSE_MS), waitingFor: 'retry', since };
  }
  const inARow = attempts.length - 1 - attempts.findLastIndex(({ outcome }) => outcome === 'refused');
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (inARow - 1), LONGEST_PAUSE_MS);
  return { kind: 'dial', dueAt: later(endedAt, pause), waitingFor: 'carrier', since };
}

const later = (instant: Date, ms: number) => new Date(instant.getTime() + ms);
