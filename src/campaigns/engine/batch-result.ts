import { type TakenEnrollment } from './facts.sql.js';
import { type DecidedEnrollment, type DialToMake } from './persist.js';

/** The result of a batch. */
export interface BatchResult {
  dials: DialToMake[];
  /** How many enrollments of each campaign were taken. */
  taken: Map<string, number>;
  /**
   * Campaigns whose other due enrollments probably cannot be dialed now. They are at a limit that all their
   * enrollments share, or none of their taken enrollments progressed.
   */
  exhausted: Set<string>;
  /** Campaigns with an enrollment that has moved to another step and is due again. */
  moved: Set<string>;
  /** For each paced carrier: the campaigns with an enrollment that needs one of its pacing slots. */
  needPacingSlots: Map<string, Set<string>>;
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
        addTo(result.needPacingSlots, decision.carrier, campaignId);
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
  // If no taken enrollment progressed, the next ones probably do not either, for example at a plan limit.
  for (const id of result.taken.keys()) if (!progressed.has(id)) result.exhausted.add(id);
  return result;
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
