interface AnyPage {
  items: unknown[];
}

export type ItemOf<Page extends AnyPage> = Page['items'][number];

/** A list that is read as it is iterated: by items, or page by page. */
export class List<Page extends AnyPage, Position = string | undefined> implements AsyncIterable<
  ItemOf<Page>
> {
  /**
   * @param start the position that the query asks for.
   * @param read the page at a position.
   * @param after the position behind a page; null at the end.
   */
  constructor(
    private readonly start: Position,
    private readonly read: (position: Position) => Promise<Page>,
    private readonly after: (page: Page, position: Position) => Position | null,
  ) {}

  /** The one page that the query asks for. */
  page(): Promise<Page> {
    return this.read(this.start);
  }

  /** That page and those behind it. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for (let position: Position | null = this.start; position !== null;) {
      const page: Page = await this.read(position);
      position = this.after(page, position);
      yield page;
    }
  }

  /** The items of all of them. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined> {
    for await (const { items } of this.pages()) yield* items as Awaited<ItemOf<Page>>[];
  }
}

/** @param read the page at a cursor. */
export function cursorList<Page extends AnyPage & { nextCursor?: string | null }>(
  start: string | undefined,
  read: (cursor: string | undefined) => Promise<Page>,
): List<Page> {
  return new List<Page>(start, read, ({ nextCursor }) => nextCursor ?? null);
}
