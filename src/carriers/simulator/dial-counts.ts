// Bounds the memory of a simulator that runs for weeks; the number that was dialed first is removed first.
const MOST_NUMBERS = 1_000_000;

/** How often each number was dialed. */
export class DialCounts {
  private readonly dials = new Map<string, number>();

  of(number: string): number {
    return this.dials.get(number) ?? 0;
  }

  add(number: string): void {
    this.dials.set(number, this.of(number) + 1);
    if (this.dials.size <= MOST_NUMBERS) return;
    for (const oldest of this.dials.keys()) {
      this.dials.delete(oldest);
      return;
    }
  }
}
