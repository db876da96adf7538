interface Batch<Item, Answer> {
  items: Item[];
  answer: Promise<Answer>;
}

/**
 * Collects the items that are added within one iteration of the event loop, and sends them to Redis. One
 * command holds up to `most` items.
 *
 *     no batch ──add()──▶ open ──the iteration ends, or it is full──▶ sent ──Redis answers──▶ answered
 */
export class CommandBatcher<Item, Answer> {
  private open: Batch<Item, Answer> | null = null;
  private readonly unanswered = new Set<Promise<Answer>>();

  /** @param most the most items of a batch. */
  constructor(
    private readonly send: (items: Item[]) => Promise<Answer>,
    private readonly most = Infinity,
  ) {}

  /** @returns the answer to the whole batch, and the item's index in it. */
  add(item: Item): { index: number; answer: Promise<Answer> } {
    if (this.open === null || this.open.items.length >= this.most) this.open = this.begin();
    const { items, answer } = this.open;
    return { index: items.push(item) - 1, answer };
  }

  /** Waits until all batches that have begun are answered. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.unanswered);
  }

  private begin(): Batch<Item, Answer> {
    const items: Item[] = [];
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.open?.items === items) this.open = null;
      return this.send(items);
    });
    this.unanswered.add(answer);
    const forget = () => this.unanswered.delete(answer);
    answer.then(forget, forget);
    return { items, answer };
  }
}
