import { rangeOf } from '../../dialing/claim/agent-facts.js';
import { type ForecastEnrollment, type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { attemptOf } from '../engine/attempts.js';
import { type ForecastRow } from './forecast.sql.js';

/** The facts of a number under its erased form. */
export interface ErasedRow {
  onDoNotCall: boolean;
  processedAt: number[];
  lastConversationAt: number | null;
}

/** A live enrollment, in its state at the beginning of the forecast. */
export function enrollmentOf(
  row: ForecastRow,
  { from, team }: ForecastScene,
  erased?: ErasedRow,
): ForecastEnrollment {
  const { number, otherCall, lastConversationAt } = row;
  const ofErased = erased?.lastConversationAt ?? null;
  return {
    number,
    country: rangeOf(number, team).country,
    contactTimezone: row.zone,
    contactDeleted: row.erased,
    whitelisted: row.whitelisted,
    onDoNotCall: row.onDoNotCall || (erased?.onDoNotCall ?? false),
    state: {
      enrolledAt: new Date(row.enrolledAt),
      stepKey: row.step,
      paused: row.paused,
      notBefore: row.notBefore === null ? null : new Date(row.notBefore),
      attempts: (row.attempts ?? []).map(attemptOf),
    },
    processedAt: [...(row.processedAt ?? []), ...(erased?.processedAt ?? [])],
    lastConversationAt:
      lastConversationAt === null || ofErased === null
        ? (lastConversationAt ?? ofErased)
        : Math.max(lastConversationAt, ofErased),
    otherCall: otherCall && { dialedAt: otherCall.runsAt },
    rank: row.lookAt ?? from,
  };
}
