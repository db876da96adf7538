import { type Entry } from './team-queues.js';

/** A batch with at least this many items is a burst if more than half of them are of one team. */
const BURST_ITEMS = 5;

/**
 * The batch that the next one waits for. If it is a burst, other batches may begin beside it. Each team
 * without an item in the burst may have items in one of these batches. Otherwise the only item of a team
 * would wait for the many items of another team.
 */
export class AwaitedBatch<Item, Value> {
  private batch: Entry<Item, Value>[] | null = null;
  /** The teams with items in the burst or in a batch beside it; null if all teams wait. */
  private begun: Set<string> | null = null;

  /** Whether no team's items may begin. */
  get delaysAll(): boolean {
    return this.batch !== null && this.begun === null;
  }

  /** Whether the team's items wait for the batch. */
  delays(team: string): boolean {
    return this.batch !== null && (this.begun === null || this.begun.has(team));
  }

  /** Records that a batch begins. It becomes the awaited batch, unless it begins beside a burst. */
  begin(batch: Entry<Item, Value>[]): void {
    const teams = batch.map(({ queues }) => queues.team);
    if (this.batch === null) {
      this.batch = batch;
      this.begun = isBurst(teams) ? new Set(teams) : null;
    } else for (const team of teams) this.begun?.add(team);
  }

  /** The batch has ended, or takes so long that the next one no longer waits for it. */
  release(batch: Entry<Item, Value>[]): void {
    if (this.batch === batch) this.batch = null;
  }
}

function isBurst(teams: string[]): boolean {
  if (teams.length < BURST_ITEMS) return false;
  const counts = new Map<string, number>();
  for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + 1);
  return 2 * Math.max(...counts.values()) > teams.length;
}
