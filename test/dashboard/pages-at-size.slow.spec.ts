import { type AddressInfo } from 'node:net';
import { type DataSource } from 'typeorm';
import { type Pool } from 'pg';
import { Enrolled } from '../../tools/bench/campaign-enrollments.js';
import { apiKeyOf, fill, SQL } from '../../tools/bench/data.js';
import { type Stack } from '../../tools/bench/stack.js';
import { figure, table } from '../../tools/bench/table.js';
import { createWorld, type World } from '../support/app.js';
import { insertRow } from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { signedIn } from '../support/signed-in.js';
import { addressesOf } from './every-page.js';

/**
 * The time of each page beside few calls and beside many, as many contacts, and as many enrollments, and whether a
 * page reads a large table as a whole. `PAGES_AT=1000000 npx jest --selectProjects slow --testPathPatterns
 * pages-at-size` measures at a million, which takes some minutes, and fails where a page takes longer than it may: on a
 * machine that does nothing else.
 */
const FEW = 1_000;
const MANY = Number(process.env.PAGES_AT ?? '20000');
/** Of these times of a page, the best counts. */
const ASKED = 3;
const MOST_RATIO = process.env.PAGES_AT === undefined ? Infinity : 3;
/** Where a page takes less, the machine decides about the ratio. */
const LEAST_MS = 25;
/** Postgres tells the scans of a connection that does nothing after ten seconds. */
const STATISTICS_MS = 12_000;
/** A scan that ends at its first row, such as whether a team has a call, reads no table as a whole. */
const FEW_ROWS = 1_000;
const WITHIN_MS = 1_800_000;

/** Tables that grow with the calls. */
const LARGE = ['call_requests', 'contacts', 'enrollments', 'events', 'enrollment_dials'];

let world: World;
let db: DataSource;
let origin: string;

beforeAll(async () => {
  // Development shows the components, too.
  world = await createWorld({ nodeEnv: 'development' });
  ({ db } = world);
  const api = await world.startApi();
  origin = `http://127.0.0.1:${(api.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(() => world?.close());

/** The data of the benchmarks, which speak with a pool. */
const pool = () => ({
  query: async (sql: string, values?: unknown[]) => ({ rows: await db.query<unknown[]>(sql, values) }),
});

/** Replaces all rows: so many ended calls of 20 days, of as many contacts, each of them enrolled. */
async function fillWith(calls: number): Promise<Caller> {
  const group = { firstTeam: 0, teams: 1, firstContact: 0, contacts: calls, calls, daysAgo: 0 };
  await fill(pool() as unknown as Pool, [group]);
  const enrolled = await Enrolled.prepare({ db: pool() } as unknown as Stack, group);
  await enrolled.enroll(0, calls, new Date(Date.now() + 86_400_000));
  const [ids] = await db.query<{ team: string; agent: string }[]>(
    `SELECT ${SQL.team('0')} AS team, ${SQL.agent('0')} AS agent`,
  );
  return {
    teamId: ids?.team ?? '',
    agentId: ids?.agent ?? '',
    callerNumber: '+16502000000',
    apiKey: apiKeyOf(0),
  };
}

/** The pages of the filled team, and those of its large campaign. */
async function addresses(caller: Caller): Promise<Record<string, string>> {
  const pages = await addressesOf(db, caller);
  const at = new Date();
  const none = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
  await db.query('DELETE FROM sweeper_runs');
  await insertRow(db, 'sweeper_runs', { worker: 'w', started_at: at, ran_at: at, duration_ms: 1, ...none });
  const [large] = await db.query<{ id: string; version: string; contact: string; phone: string }[]>(
    `SELECT c.id, c.current_version_id AS version, p.id AS contact, p.phone_number AS phone
     FROM campaigns c JOIN contacts p ON p.team_id = c.team_id
     WHERE c.team_id = $1 AND c.name = 'Calls' AND p.id = md5('contact7')::uuid`,
    [caller.teamId],
  );
  if (large === undefined) throw new Error('the large campaign is missing');
  const team = `/t/${caller.teamId}`;
  const campaign = `${team}/campaigns/${large.id}`;
  return {
    ...pages,
    'calls-completed': `${team}/calls?status=completed`,
    'calls-of-agent': `${team}/calls?agentId=${caller.agentId}`,
    'calls-of-day': `${team}/calls?day=${new Date().toISOString().slice(0, 10)}`,
    'calls-failed': `${team}/calls?status=failed`,
    'number-of-many': `${team}/numbers?phoneNumber=${encodeURIComponent(large.phone)}`,
    'contact-of-many': `${team}/contacts/${large.contact}`,
    'contacts-by-name': `${team}/contacts?namePrefix=contact`,
    'campaign-of-many': campaign,
    'enrollments-of-many': `${campaign}/enrollments`,
    'enrollments-waiting': `${campaign}/enrollments?waitingFor=after`,
    'search-of-number': `${team}/search?q=${encodeURIComponent(large.phone)}`,
    'search-of-digits': `${team}/search?q=${large.phone.slice(-7)}`,
    'search-of-name': `${team}/search?q=Contact`,
  };
}

/** Of the pages whose answer is no 200. A search that finds one number leads to its page, which is timed as well. */
const OTHER_STATUSES: Record<string, number> = {
  home: 404,
  start: 303,
  missing: 404,
  'calls-refused': 400,
  'contacts-refused': 400,
  search: 303,
  'platform-search': 303,
  'search-of-number': 303,
  'search-of-digits': 303,
};

async function timeOf(name: string, path: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' });
  await answer.text();
  const time = performance.now() - begun;
  expect([name, answer.status]).toEqual([name, OTHER_STATUSES[name] ?? 200]);
  return time;
}

/** The best of the times of each page, in milliseconds. */
async function times(pages: Record<string, string>, cookie: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [name, path] of Object.entries(pages)) {
    const all: number[] = [];
    for (let asked = 0; asked < ASKED; asked += 1) all.push(await timeOf(name, path, cookie));
    found[name] = Math.min(...all);
  }
  return found;
}

interface Scans {
  scans: number;
  rows: number;
}

/** Sequential scans of the large tables so far, by table. */
async function scans(): Promise<Record<string, Scans>> {
  await new Promise((resolve) => setTimeout(resolve, STATISTICS_MS));
  const rows = await db.query<({ name: string } & Scans)[]>(
    `SELECT relname AS name, seq_scan::integer AS scans, seq_tup_read::float8 AS rows FROM pg_stat_user_tables
     WHERE relname = ANY ($1)`,
    [LARGE],
  );
  return Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts]));
}

const difference = (before: Record<string, Scans>, after: Record<string, Scans>): Record<string, Scans> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, now]): [string, Scans] => {
        const was = before[name] ?? { scans: 0, rows: 0 };
        return [name, { scans: now.scans - was.scans, rows: now.rows - was.rows }];
      })
      .filter(([, { rows }]) => rows > FEW_ROWS),
  );

/** Which pages scan, where some do. */
async function scanning(pages: Record<string, string>, cookie: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  let before = await scans();
  for (const [name, path] of Object.entries(pages)) {
    await timeOf(name, path, cookie);
    const after = await scans();
    const more = difference(before, after);
    if (Object.keys(more).length > 0) found[name] = more;
    before = after;
  }
  return found;
}

test(
  `at ${MANY} calls no page reads a large table as a whole`,
  async () => {
    const { cookie } = await signedIn(db, { operator: true });
    const small = await addresses(await fillWith(FEW));
    // The first answers also pay for the connections, the code and the caches.
    await times(small, cookie);
    const few = await times(small, cookie);
    const pages = await addresses(await fillWith(MANY));
    await db.query('CHECKPOINT');
    await times(pages, cookie);
    const before = await scans();
    const many = await times(pages, cookie);
    const scanned = difference(before, await scans());
    const rows = Object.keys(pages).map((name) => {
      const [less, more] = [few[name] ?? NaN, many[name] ?? NaN];
      return [name, figure(less, 1), figure(more, 1), figure(more / less, 2)];
    });
    process.stdout.write(
      `\n${table(['page', `ms at ${FEW}`, `ms at ${MANY}`, 'ratio'], rows)}\n\nScans of large tables: ${JSON.stringify(scanned)}\n`,
    );
    const grown = Object.keys(pages).filter((name) => {
      const [less, more] = [few[name] ?? NaN, many[name] ?? NaN];
      return more > LEAST_MS && more > MOST_RATIO * less;
    });
    if (Object.keys(scanned).length > 0) expect(await scanning(pages, cookie)).toEqual({});
    expect(grown).toEqual([]);
  },
  WITHIN_MS,
);
