import { ALONE } from '../database/batcher.js';
import { type FreeLocksRow } from './sql/locks.sql.js';

/**
 * What comes of one of a group. It goes by itself where its locks are not held, and where judging it throws, so that it throws
 * for itself alone.
 *
 * @param judge is told whether the team's lock is held exclusively.
 */
export function judgeUnder<Verdict>(
  lock: FreeLocksRow['locks'][number] | undefined,
  judge: (exclusive: boolean) => Verdict | typeof ALONE,
): Verdict | typeof ALONE {
  if (lock === undefined || lock === null) return ALONE;
  try {
    return judge(lock === 'exclusive');
  } catch {
    return ALONE;
  }
}
