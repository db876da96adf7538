/** Numbers by key; a key without a number has 0. */
class Counts extends Map<string, number> {
  of(key: string): number {
    return this.get(key) ?? 0;
  }

  add(key: string, count = 1): void {
    this.set(key, this.of(key) + count);
  }
}

/**
 * The effects of a batch's earlier decisions on its later ones. All facts of a batch are read before the batch
 * writes anything, so a decision adds these counts to the facts of its row. Counts suffice, because a batch
 * decides at most one call to a person.
 */
export class BatchEffects {
  /** Calls that count against the plan, by team. */
  readonly planUsed = new Counts();
  /** Claimed calls, by team and by campaign. */
  readonly claims = new Counts();
  /** Calls that begin to wait for a concurrency slot, less those that cease to wait, by team. */
  readonly waiting = new Counts();
  /** Claimed calls by caller ID. */
  readonly picks = new Counts();
}
