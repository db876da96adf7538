import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { LivePages, MOST_CONNECTIONS } from '../../src/dashboard/live/live-pages.service.js';
import { OperationsClient } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';

let world: World;
let app: NestExpressApplication;
let live: LivePages;
let caller: Caller;
const streams: Stream[] = [];

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  live = app.get(LivePages, { strict: false });
  caller = await buildCaller(world.db);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  await eventually(
    () => Promise.resolve(live.size),
    (open) => open === 0,
  );
});
afterAll(() => world?.close());

/** What a browser reads of the events. */
class Stream {
  text = '';
  ended = false;
  private readonly leaving = new AbortController();

  private constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {}

  static async open(path: string, cookie: string, of: NestExpressApplication = app): Promise<Stream> {
    const { port } = of.getHttpServer().address() as AddressInfo;
    const leaving = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      headers: { cookie, 'HX-Request': 'true' },
      signal: leaving.signal,
    });
    const stream = new Stream(answer.status, answer.headers);
    Object.assign(stream, { leaving });
    streams.push(stream);
    void stream.read(answer);
    return stream;
  }

  leave(): void {
    this.leaving.abort();
  }

  private async read(answer: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const piece of answer.body ?? []) this.text += decoder.decode(piece);
    } catch {
      // It left.
    }
    this.ended = true;
  }
}

const path = () => `/t/${caller.teamId}/live`;
const until = (stream: Stream, has: string) =>
  eventually(
    () => Promise.resolve(stream.text),
    (text) => text.includes(has),
  );
const untilEnded = (stream: Stream) =>
  eventually(
    () => Promise.resolve(stream.ended),
    (ended) => ended,
  );

test('an open page hears of a call, and the event holds no data', async () => {
  const { cookie } = await signedIn(world.db, { teamId: caller.teamId, role: 'viewer' });
  const stream = await Stream.open(path(), cookie);
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  await until(stream, 'retry: 2000');
  await live.look();
  expect(stream.text).not.toContain('event');
  await buildStoredCall(world.db, caller, nextNumber(), { status: 'queued' });
  await until(stream, 'event: changed\ndata:\n\n');
});

test('the platform’s page hears, too, and a page of another team is not found', async () => {
  const operator = await signedIn(world.db, { operator: true });
  const stream = await Stream.open('/platform/live', operator.cookie);
  expect(stream.status).toBe(200);
  const other = await buildCaller(world.db);
  const { cookie } = await signedIn(world.db, { teamId: other.teamId });
  expect((await Stream.open(path(), cookie)).status).toBe(404);
  expect((await Stream.open('/platform/live', cookie)).status).toBe(403);
  expect((await Stream.open(path(), '')).status).toBe(303);
});

test('it ends at sign-out, in whichever process, and with the role', async () => {
  const other = await world.startApi();
  const { cookie, userId } = await signedIn(world.db, { teamId: caller.teamId });
  const stream = await Stream.open(path(), cookie);
  const client = new OperationsClient(other, cookie);
  await client.submit('/account', '/logout');
  await untilEnded(stream);
  expect(stream.text).toContain('event: ended');
  expect(await world.db.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
});

test('it is no use of the session, which ends when idle', async () => {
  const { cookie, userId } = await signedIn(world.db, { teamId: caller.teamId });
  await world.db.query(`UPDATE sessions SET last_seen_at = now() - interval '11 hours' WHERE user_id = $1`, [
    userId,
  ]);
  const stream = await Stream.open(path(), cookie);
  await until(stream, 'retry');
  await live.look();
  await new OperationsClient(app, cookie).get(`/t/${caller.teamId}`).set('HX-Request', 'true').expect(200);
  const [row] = await world.db.query<{ idle: boolean }[]>(
    `SELECT last_seen_at < now() - interval '10 hours' AS idle FROM sessions WHERE user_id = $1`,
    [userId],
  );
  expect(row).toEqual({ idle: true });
});

test('the connections of a session, of a team and of the process are bounded', async () => {
  const { session, team } = MOST_CONNECTIONS;
  const { cookie } = await signedIn(world.db, { teamId: caller.teamId });
  for (let index = 0; index < session; index += 1) {
    expect((await Stream.open(path(), cookie)).status).toBe(200);
  }
  expect((await Stream.open(path(), cookie)).status).toBe(429);
  while (live.size < team) {
    const another = await signedIn(world.db, { teamId: caller.teamId });
    for (let index = 0; index < session && live.size < team; index += 1)
      await Stream.open(path(), another.cookie);
  }
  const { cookie: late } = await signedIn(world.db, { teamId: caller.teamId });
  expect((await Stream.open(path(), late)).status).toBe(429);
  // Another team has its own.
  const other = await buildCaller(world.db);
  const { cookie: elsewhere } = await signedIn(world.db, { teamId: other.teamId });
  expect((await Stream.open(`/t/${other.teamId}/live`, elsewhere)).status).toBe(200);
  // Who leaves makes room.
  streams[0]?.leave();
  await eventually(
    async () => (await Stream.open(path(), late)).status,
    (status) => status === 200,
  );
});

test('a process that stops ends its connections, and does not wait for them', async () => {
  const stopping = await createWorld();
  const own = await stopping.startApi();
  const ours = await buildCaller(stopping.db);
  const { cookie } = await signedIn(stopping.db, { teamId: ours.teamId });
  const stream = await Stream.open(`/t/${ours.teamId}/live`, cookie, own);
  await until(stream, 'retry');
  await stopping.close();
  await untilEnded(stream);
  expect(stream.text).not.toContain('event: ended');
});
