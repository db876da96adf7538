import { type TakenEnrollment } from './facts.sql.js';
import { type DecidedEnrollment, type DialToMake } from './persist.js';

/** The result of a batch. */
export interface BatchResult {
  dials: DialToMake[];
  /** How many enrollments of each campaign were taken. */
  taken: Map<string, number>;
  /**
   * Campaigns at a limit that all their enrollments share: no other due enrollment of them can be dialed now.
   */
  exhausted: Set<string>;
  /** Campaigns with an enrollment that has moved to another step and is due again. */
  moved: Set<string>;
  /** By campaign: the paced carrier of which an enrollment needs a pacing slot. */
  needPacingSlots: Map<string, string>;
}

/** Refusals that all enrollments of the campaign share. */
const SHARED_REFUSALS: ReadonlySet<string> = new Set(['concurrency', 'pacing']);

export function resultOf(
  taken: readonly TakenEnrollment[],
  decided: readonly DecidedEnrollment[],
  dials: DialToMake[],
): BatchResult {
  const result: BatchResult = {
    dials,
    taken: new Map(),
    exhausted: new Set(),
    moved: new Set(),
    needPacingSlots: new Map(),
  };
  for (const { campaignId } of taken) result.taken.set(campaignId, (result.taken.get(campaignId) ?? 0) + 1);
  const progressed = new Set<string>();
  for (const { row, decision } of decided) {
    const { campaign_id: campaignId } = row;
    switch (decision.kind) {
      case 'needs_pacing_slot':
        result.needPacingSlots.set(campaignId, decision.carrier);
        break;
      case 'defer':
      case 'hold':
        if (SHARED_REFUSALS.has(decision.waitingFor)) result.exhausted.add(campaignId);
        if (decision.kind === 'defer') progressed.add(campaignId);
        break;
      case 'move':
        result.moved.add(campaignId);
        progressed.add(campaignId);
        break;
      case 'dial':
      case 'end':
      case 'idle':
        progressed.add(campaignId);
    }
  }
  // If all taken enrollments were held, the next ones probably are, too, for example by a plan limit.
  for (const id of result.taken.keys()) if (!progressed.has(id)) result.exhausted.add(id);
  return result;
}
