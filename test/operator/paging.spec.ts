import { buildTeam, nextNumber } from '../support/builders.js';
import { operatorOfFile } from './operator-api.js';

const { world, api } = operatorOfFile();

interface Page {
  items: Record<string, unknown>[];
  nextCursor: string | null;
}

async function page(path: string): Promise<Page> {
  const response = await api.get(path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response.body as Page;
}

/** All items, and the sizes of the pages they came in. */
async function walk(path: string, limit: number): Promise<{ items: Page['items']; sizes: number[] }> {
  const items: Page['items'] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const next = await page(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    items.push(...next.items);
    sizes.push(next.items.length);
    cursor = next.nextCursor;
  }
  return { items, sizes };
}

describe('lists', () => {
  test('by creation: pages contain each row once, oldest first, also for rows of one instant', async () => {
    const { id: team } = await buildTeam(world.db);
    await world.db.query(
      `INSERT INTO number_pools (team_id, name, created_at)
       SELECT $1, 'P' || n, timestamptz '2026-01-01 00:00:00.0004Z' + (n / 3) * interval '0.0003 s'
       FROM generate_series(0, 10) n`,
      [team],
    );
    const path = `/teams/${team}/number-pools`;
    const { items, sizes } = await walk(path, 4);
    expect(sizes).toEqual([4, 4, 3]);
    expect(new Set(items.map((item) => item.id)).size).toBe(11);
    const times = items.map((item) => item.createdAt as string);
    expect(times).toEqual([...times].sort());
    expect((await walk(path, 11)).sizes).toEqual([11]);
    expect((await walk(path, 200)).items).toEqual(items);
  });

  test('by number: pages contain each row once during additions', async () => {
    const { id: team } = await buildTeam(world.db);
    const numbers = Array.from({ length: 9 }, nextNumber).sort();
    const path = `/teams/${team}/do-not-call`;
    await api.created(path, { phoneNumbers: numbers });
    const first = await page(`${path}?limit=3`);
    await api.created(path, { phoneNumbers: ['+12015550100'] });
    await api.delete(`${path}/${numbers[2]}`);
    const second = await page(`${path}?limit=3&cursor=${first.nextCursor}`);
    expect(second.items.map((item) => item.phoneNumber)).toEqual(numbers.slice(3, 6));
    const { items, sizes } = await walk(`/teams/${team}/do-not-call`, 3);
    expect(sizes).toEqual([3, 3, 3]);
    expect(items).toHaveLength(9);
  });

  test('have 50 rows by default', async () => {
    const { id: team } = await buildTeam(world.db);
    const phoneNumbers = Array.from({ length: 51 }, nextNumber);
    await api.created(`/teams/${team}/whitelist`, { phoneNumbers });
    const first = await page(`/teams/${team}/whitelist`);
    expect(first.items).toHaveLength(50);
    expect((await page(`/teams/${team}/whitelist?cursor=${first.nextCursor}`)).items).toHaveLength(1);
  });

  const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=1&limit=2', 'limit must be sent once'],
    ['limit[a]=1', 'not a parameter of this list'],
    ['cursor=', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['cursor=abc', 'cursor'],
    [`cursor=${encoded({})}`, 'cursor'],
    [`cursor=${encoded([1])}`, 'cursor'],
    [`cursor=${encoded([])}`, 'cursor'],
    [`cursor=${encoded(['x'])}`, 'cursor'],
    [`cursor=${encoded(['2026-01-01', "' OR 1=1"])}`, 'cursor'],
    [`cursor=${encoded(['-271821-04-20T00:00:00.000Z', UNKNOWN_ID])}`, 'cursor'],
    [`cursor=${encoded(['0000-01-01T00:00:00.000Z', UNKNOWN_ID])}`, 'cursor'],
    [`cursor=${encoded(['2026-02-30', UNKNOWN_ID])}`, 'cursor'],
    [`cursor=${encoded(['2026-02-30T00:00:00.000Z', UNKNOWN_ID])}`, 'cursor'],
    [`cursor=${'A'.repeat(600)}`, 'cursor'],
    ['offset=5', 'offset is not a parameter of this list'],
  ])('?%s is 400', async (query, message) => {
    const { id } = await buildTeam(world.db);
    for (const path of [
      '/teams',
      `/teams/${id}/whitelist`,
      `/teams/${id}/phone-numbers`,
      `/teams/${id}/api-keys`,
    ]) {
      const response = await api.get(`${path}?${query}`);
      expect(response.status).toBe(400);
      expect((response.body as { error: string }).error).toContain(message);
    }
  });

  test('of teams have pages, too', async () => {
    const before = (await walk('/teams', 200)).items.length;
    for (let index = 0; index < 5; index += 1) await buildTeam(world.db);
    expect((await walk('/teams', 2)).items).toHaveLength(before + 5);
  });
});
