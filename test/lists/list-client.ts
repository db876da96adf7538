import { type Caller } from '../support/call-builders.js';
import { bearer, type Calling } from '../support/calling.js';

export interface ListPage {
  items: Record<string, unknown>[];
  nextCursor: string | null;
}

export const getBy = (calling: Calling, { apiKey }: Pick<Caller, 'apiKey'>, path: string) =>
  calling.http().get(path).set(bearer(apiKey));

/** A page that must be answered. */
export async function pageBy(
  calling: Calling,
  caller: Pick<Caller, 'apiKey'>,
  path: string,
): Promise<ListPage> {
  const answer = await getBy(calling, caller, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body as ListPage;
}

/** The answer must be 400, with `message` in its error. */
export async function expect400By(
  calling: Calling,
  caller: Pick<Caller, 'apiKey'>,
  path: string,
  message: string,
): Promise<void> {
  const answer = await getBy(calling, caller, path);
  expect(answer.status).toBe(400);
  expect((answer.body as { error: string }).error).toContain(message);
}

/** All items of a list, page by page. @param between runs after each page. */
export async function walkBy(
  calling: Calling,
  caller: Pick<Caller, 'apiKey'>,
  path: string,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ items: ListPage['items']; sizes: number[] }> {
  const items: ListPage['items'] = [];
  const sizes: number[] = [];
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ListPage = await pageBy(calling, caller, `${first}${cursor && `&cursor=${cursor}`}`);
    items.push(...page.items);
    sizes.push(page.items.length);
    cursor = page.nextCursor;
    await between();
  }
  return { items, sizes };
}
