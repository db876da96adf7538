import { type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { SHARED_REFUSALS } from './decide.js';
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
  /** For each campaign that is at a limit that all its dials share: what they wait for. */
  refusals: Map<string, WaitingFor>;
  /** The shortest wait for a pacing limit, in milliseconds; Infinity: none was reached. */
  pacedMs: number;
  /** Campaigns with an enrollment that has moved to another step and is due again. */
  moved: Set<string>;
  /** For each carrier that the batch may not use: how many calls of each campaign wait for it. */
  undialed: Map<string, Map<string, number>>;
}

export function resultOf(
  taken: readonly TakenEnrollment[],
  decided: readonly DecidedEnrollment[],
  dials: DialToMake[],
): BatchResult {
  const result: BatchResult = {
    dials,
    taken: new Map(),
    exhausted: new Set(),
    refusals: new Map(),
    pacedMs: Infinity,
    moved: new Set(),
    undialed: new Map(),
  };
  for (const { campaignId } of taken) countIn(result.taken, campaignId);
  const progressed = new Set<string>();
  for (const { row, decision } of decided) {
    const { campaign_id: campaignId } = row;
    switch (decision.kind) {
      case 'needs_pacing_slot':
        countIn(mapIn(result.undialed, decision.carrier), campaignId);
        break;
      case 'defer':
      case 'hold':
        if (SHARED_REFUSALS.has(decision.waitingFor)) {
          result.exhausted.add(campaignId);
          result.refusals.set(campaignId, decision.waitingFor);
        }
        if (decision.waitingFor === 'pacing') {
          result.pacedMs = Math.min(result.pacedMs, decision.lookAt.getTime() - row.now.getTime());
        }
        if (decision.kind === 'defer') progressed.add(campaignId);
        break;
      case 'move':
        result.moved.add(campaignId);
        progressed.add(campaignId);
        break;
      case 'campaign_paused':
      case 'ready':
        // No dial was made, so the campaign's next enrollments wait as well.
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

function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mapIn(maps: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const map = maps.get(key) ?? new Map<string, number>();
  maps.set(key, map);
  return map;
}
