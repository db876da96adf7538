/** Something that is served by its weight. */
export interface Weighted {
  id: string;
  /** Its share among the others, greater than 0. */
  weight: number;
}

/**
 * Fair scheduling by weight. The virtual time of an id advances by 1/weight with each service, and the id with
 * the least virtual time is next. An id that had nothing to be served starts at the least virtual time of the
 * others, so it gets no extra share.
 */
export class WeightedShares {
  private readonly times = new Map<string, number>();

  /** @returns the ids of the next `count` services, in their order. */
  share(ready: readonly Weighted[], count: number): string[] {
    const known = ready.flatMap(({ id }) => this.times.get(id) ?? []);
    const begin = known.length === 0 ? 0 : Math.min(...known);
    for (const { id } of ready) if (!this.times.has(id)) this.times.set(id, begin);
    const times = new Map(ready.map(({ id }) => [id, this.timeOf(id)]));
    return Array.from({ length: ready.length === 0 ? 0 : count }, () => {
      const next = leastOf(ready, times);
      times.set(next.id, (times.get(next.id) ?? 0) + 1 / next.weight);
      return next.id;
    });
  }

  /** Advances the virtual time of the id after one service. */
  spend({ id, weight }: Weighted): void {
    this.times.set(id, this.timeOf(id) + 1 / weight);
  }

  /** Forgets all ids except `ids`. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.times.keys()) if (!ids.has(id)) this.times.delete(id);
  }

  private timeOf(id: string): number {
    return this.times.get(id) ?? 0;
  }
}

function leastOf(ready: readonly Weighted[], times: ReadonlyMap<string, number>): Weighted {
  const timeOf = ({ id }: Weighted) => times.get(id) ?? 0;
  return ready.reduce((first, one) => (timeOf(one) < timeOf(first) ? one : first));
}
