/** Questions of one turn of the event loop, which are asked in one command. */
interface Gathered<Item, Answer> {
  items: Item[];
  answer: Promise<Answer>;
}

/** Those who ask at about the same time share the round trip to Redis. */
export class Gatherer<Item, Answer> {
  private current: Gathered<Item, Answer> | null = null;

  /** @param most as many go together at most. */
  constructor(
    private readonly ask: (items: Item[]) => Promise<Answer>,
    private readonly most = Infinity,
  ) {}

  /** @returns the answer for all, and the place of this one among them. */
  add(item: Item): { place: number; answer: Promise<Answer> } {
    if (this.current === null || this.current.items.length >= this.most) this.current = this.begin();
    const { items, answer } = this.current;
    return { place: items.push(item) - 1, answer };
  }

  private begin(): Gathered<Item, Answer> {
    const items: Item[] = [];
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.current?.items === items) this.current = null;
      return this.ask(items);
    });
    return { items, answer };
  }
}
