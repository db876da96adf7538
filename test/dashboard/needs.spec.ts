import { type NestExpressApplication } from '@nestjs/platform-express';
import { section, OperationsClient } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildImport, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall } from '../support/number-history.js';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let caller: Caller;
let other: Caller;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  // The first page waits for the connections of the pool, which a busy machine may not open in time.
  const operator = await OperationsClient.signedIn(app);
  await eventually(
    async () => (await operator.get('/platform')).status,
    (status) => status === 200,
  );
});
afterAll(() => world?.close());
beforeEach(async () => {
  const { db } = world;
  await db.query('TRUNCATE teams, sweeper_runs CASCADE');
  pages = await OperationsClient.signedIn(app);
  caller = await buildCaller(db, { name: 'Clinics' });
  other = await buildCaller(db, { name: 'Garages' });
  const now = new Date();
  const none = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
  await insertRow(db, 'sweeper_runs', { worker: 'w', started_at: now, ran_at: now, duration_ms: 1, ...none });
  for (const one of [caller, other]) {
    await buildStoredCall(db, one, nextNumber(), { status: 'canceled', ended_at: now });
  }
});

const needs = async (path = `/t/${caller.teamId}`) => section(await pages.page(path), 'needs');
const agoOf = (seconds: number) => new Date(Date.now() - seconds * 1_000);

/** A call that ended now, and was tried by this carrier. */
const tried = (of: Caller, reason: string | null, at: Date, carrier = 'twilio') =>
  buildStoredCall(world.db, of, nextNumber(), {
    status: reason === null ? 'completed' : 'failed',
    reason,
    carrier,
    claimed_at: at,
    processed_at: at,
    caller_id: of.callerNumber,
    ended_at: at,
  });

test('where nothing needs attention, nothing is said of it', async () => {
  expect(await pages.page(`/t/${caller.teamId}`)).not.toMatch(/needs attention/i);
  expect(await pages.page('/platform')).not.toMatch(/needs attention/i);
});

test('unknown outcomes, failing webhooks and failed imports stand above the figures', async () => {
  const { db } = world;
  const at = agoOf(600);
  await buildStoredCall(db, caller, nextNumber(), {
    status: 'dial_unknown',
    reason: 'NO_WORD',
    claimed_at: at,
    processed_at: at,
    caller_id: caller.callerNumber,
  });
  const endpoint = { team_id: caller.teamId, url: 'https://hooks.example/secret-path', secret: 'x' };
  await insertRow(db, 'webhook_endpoints', { ...endpoint, failing_since: at });
  await insertRow(db, 'webhook_endpoints', {
    ...endpoint,
    url: 'https://gone.example/',
    disabled_at: at,
    disabled_reason: 'gone',
  });
  await buildImport(db, caller.teamId, { status: 'failed', finished_at: at, error: 'the file is cut short' });
  await buildImport(db, caller.teamId, {
    status: 'failed',
    finished_at: agoOf(8 * 86_400),
    error: 'long ago',
  });
  const page = await pages.page(`/t/${caller.teamId}`);
  expect(page.indexOf('id="needs"')).toBeGreaterThan(0);
  expect(page.indexOf('id="needs"')).toBeLessThan(page.indexOf('id="tile-overdue"'));
  const text = section(page, 'needs');
  expect(text).toContain('1 call has no known outcome, and is not dialed again. See them');
  expect(text).toContain('hooks.example has been failing since');
  expect(text).toContain('gone.example has received no events since');
  expect(text).toMatch(/An import failed on .*: the file is cut short\./);
  expect(text).not.toMatch(/secret-path|long ago/);
  // The worst comes first.
  expect(text.indexOf('gone.example')).toBeLessThan(text.indexOf('no known outcome'));
  expect(await needs(`/t/${other.teamId}`)).toBe('');
  expect(await needs('/platform')).toContain('Clinics: hooks.example');
});

test('the part that renews itself has its own time, and what its needs lead to', async () => {
  const { db } = world;
  const at = agoOf(600);
  const endpoint = { team_id: caller.teamId, url: 'https://hooks.example/', secret: 'x' };
  await insertRow(db, 'webhook_endpoints', { ...endpoint, failing_since: at });
  await insertRow(db, 'webhook_endpoints', { ...endpoint, disabled_at: at, disabled_reason: 'gone' });
  const claimed = { claimed_at: at, processed_at: at, caller_id: caller.callerNumber };
  await buildStoredCall(db, caller, nextNumber(), { status: 'dial_unknown', reason: 'NO_WORD', ...claimed });
  for (const path of [`/t/${caller.teamId}`, `/platform?teamId=${caller.teamId}`]) {
    const page = await pages.page(path);
    const renewed = elementOf(page, 'glance');
    expect([renewed, page.replace(renewed, '')].map((part) => part.includes('As of'))).toEqual([true, false]);
    const [list = ''] = /<ul class="needs">.*?<\/ul>/s.exec(renewed) ?? [];
    const links = [...list.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links).toHaveLength(3);
    const ids = [...renewed.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`);
    expect(ids).toEqual(expect.arrayContaining(links.filter((one) => one.startsWith('#'))));
    expect(links.filter((one) => one.includes('status=dial_unknown'))).toHaveLength(1);
  }
});

/** The part of a page that is this `<div>`, with the divs in it. */
function elementOf(page: string, id: string): string {
  const start = page.lastIndexOf('<div', page.indexOf(`id="${id}"`));
  let depth = 0;
  for (const { 0: tag, index } of page.slice(start).matchAll(/<(\/?)div\b/g)) {
    depth += tag === '<div' ? 1 : -1;
    if (depth === 0) return page.slice(start, start + index);
  }
  throw new Error(`no element ${id}`);
}

test('a worker that was there is named with its last run', async () => {
  await world.db.query(`UPDATE sweeper_runs SET ran_at = now() - interval '5 minutes'`);
  expect(await needs()).toMatch(/No worker is running\. The last one ran 5 min.* ago\. No call is dialed\./);
});

test('a worker that is missing and calls that are overdue need a hand', async () => {
  await world.db.query('TRUNCATE sweeper_runs');
  await buildStoredCall(world.db, caller, nextNumber(), { status: 'queued', runs_at: agoOf(300) });
  expect(await needs()).toMatch(
    /No worker is running\. No call is dialed\. Overdue 1 call is overdue, the first for 5 min/,
  );
});

test('a carrier is away from the last calls that did not reach it until one does', async () => {
  await tried(caller, 'CARRIER_UNREACHABLE', agoOf(120));
  await tried(caller, 'CARRIER_UNREACHABLE', agoOf(60));
  expect(await needs()).toMatch(
    /twilio could not be reached 1 min( 0 s)? ago; at least 2 calls are not dialed/,
  );
  expect(await needs(`/t/${other.teamId}`)).toBe('');
  // A call of another carrier says nothing of this one, and one of another team does.
  await tried(caller, null, agoOf(10), 'livekit');
  expect(await needs()).toContain('twilio could not be reached');
  await tried(other, null, agoOf(10));
  expect(await needs()).toBe('');
});

test('a call that waits because its carrier was not reached names the carrier of its agent', async () => {
  const at = agoOf(30);
  const history = [
    { at: agoOf(60).toISOString(), from: null, to: 'queued', cause: 'triggered' },
    { at: at.toISOString(), from: 'dialing', to: 'queued', cause: 'carrier_unreachable' },
  ];
  await buildStoredCall(world.db, caller, nextNumber(), { status: 'queued', runs_at: agoOf(45), history });
  expect(await needs()).toContain('simulator could not be reached 30 s ago; at least 1 call is not dialed');
  expect(await needs('/platform')).toContain('simulator could not be reached');
});
