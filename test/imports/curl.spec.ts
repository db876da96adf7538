import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

let world: World;
let caller: Caller;
let http: ReturnType<typeof supertest>;

beforeAll(async () => {
  world = await createWorld();
  http = supertest((await world.startApi()).getHttpServer());
  caller = await buildCaller(world.db);
});
afterAll(() => world.close());

async function upload(type: string, body: string): Promise<[status: number, error: string]> {
  const answer = await http
    .post('/api/imports')
    .set({ Authorization: `Bearer ${caller.apiKey}`, 'Content-Type': type })
    .serialize((text: unknown) => text as string)
    .send(body);
  return [answer.status, (answer.body as { error: string }).error];
}

test.each([
  'phoneNumber,name+14155550123,Ada+14155550124,Alan',
  'phoneNumber+14155550123+14155550124',
  'phoneNumber',
])('curl -d removes the line breaks of a file: %s', async (body) => {
  expect(await upload('text/csv', body)).toEqual([400, expect.stringContaining('--data-binary')]);
});

test('a file with line breaks gets no such hint', async () => {
  const [status, error] = await upload('text/csv', 'number\n+14155550123\n');
  expect([status, error.includes('--data-binary')]).toEqual([400, false]);
});

test('curl without a Content-Type sends a form', async () => {
  expect(await upload('application/x-www-form-urlencoded', 'phoneNumber\n+14155550123\n')).toEqual([
    415,
    expect.stringContaining('--data-binary'),
  ]);
});
