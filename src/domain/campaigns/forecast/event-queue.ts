/**
 * An event at an instant. Of events at one instant, the event with the least rank is first, then the event
 * with the least index.
 */
export interface QueuedEvent {
  at: number;
  rank: number;
  index: number;
}

/** A binary heap of events. */
export class EventQueue {
  private readonly heap: QueuedEvent[] = [];

  /** The instant of the next event; Infinity if there is none. */
  get nextAt(): number {
    return this.heap[0]?.at ?? Infinity;
  }

  push(event: QueuedEvent): void {
    const { heap } = this;
    let position = heap.length;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = heap[above]!;
      if (!isBefore(event, parent)) break;
      heap[position] = parent;
      position = above;
    }
    heap[position] = event;
  }

  pop(): QueuedEvent | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let position = 0;
    for (;;) {
      let below = 2 * position + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[position] = heap[below]!;
      position = below;
    }
    heap[position] = last;
    return first;
  }
}

function isBefore(one: QueuedEvent, other: QueuedEvent): boolean {
  if (one.at !== other.at) return one.at < other.at;
  if (one.rank !== other.rank) return one.rank < other.rank;
  return one.index < other.index;
}
