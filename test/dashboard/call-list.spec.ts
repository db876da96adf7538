import { type NestExpressApplication } from '@nestjs/platform-express';
import { CALL_STATES } from '../../src/domain/call-states.js';
import { NO_FILTERS } from '../../src/calls/records/operator-filters.js';
import { OperatorCallList } from '../../src/calls/records/operator-list.service.js';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { buildStoredCall, multiplyCalls } from '../support/number-history.js';
import { randomFrom } from '../support/random.js';
import { section, OperationsClient, textOf, unescapeHtml } from '../operations/operations-client.js';
import { type StoredCall, storeRandomCalls } from './stored-calls.js';

/** A Friday; 10:00 in New York. */
const NOW = '2026-11-20T15:00:00.000Z';
const SEED = 20_261_120;
const CALLS = 260;

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let clinics: Caller;
let garages: Caller;
let stored: StoredCall[];

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  await stopClock(world.db, NOW);
  clinics = await buildCaller(world.db, { name: 'Clinics', timezone: 'America/New_York' });
  garages = await buildCaller(world.db, { name: 'Garages', paused: true });
  const depots = await buildCaller(world.db, { name: 'Depots', timezone: 'Asia/Kolkata' });
  stored = await storeRandomCalls(world.db, [clinics, garages, depots], Date.parse(NOW), CALLS, SEED);
  pages = await OperationsClient.signedIn(app);
});
afterAll(() => world.close());

/** The calls of a list, from its first page to its last one. */
async function listed(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await pages.page(next);
    ids.push(...[...page.matchAll(/data-call="([^"]*)"/g)].map(([, id]) => id ?? ''));
    const further = /<a href="([^"]*[?&;]cursor=[^"]*)"/.exec(page)?.[1];
    next = further && unescapeHtml(further);
  }
  return ids;
}

/** The counts of the overview, by the addresses of their lists. */
function countsOf(overview: string): Map<string, number> {
  const links = overview.matchAll(
    /<a href="((?:\/platform|\/t\/[\w-]+)\/calls\?[^"]*)"[^>]*>([\s\S]*?)<\/a>/g,
  );
  const counts = new Map<string, number>();
  for (const [, href = '', inside = ''] of links) {
    const figure = /data-calls="(\d+)"/.exec(inside)?.[1] ?? /^[\d,]+/.exec(textOf(inside))?.[0];
    if (figure !== undefined) counts.set(unescapeHtml(href), Number(figure.replaceAll(',', '')));
  }
  return counts;
}

test.each(['', 'timezone=Asia/Kolkata', 'clinics', 'garages'])(
  'each count of the overview %p leads to a list of as many calls',
  async (of) => {
    const team = { clinics, garages }[of];
    const path = team === undefined ? `/platform?${of}` : `/t/${team.teamId}`;
    const counts = countsOf(await pages.page(path));
    // By state, by rule, by hour, and in the tiles.
    expect(counts.size).toBeGreaterThan(20);
    const lists = new Map<string, number>();
    for (const address of counts.keys()) lists.set(address, (await listed(address)).length);
    expect(Object.fromEntries(lists)).toEqual(Object.fromEntries(counts));
  },
);

type Filters = Record<string, string>;

/** What a list by these filters must show, in its order. */
function expected(filters: Filters): string[] {
  const now = Date.parse(NOW);
  const { teamId, status, agentId, campaignId, phoneNumber, reason, day, due } = filters;
  const isPaused = ({ teamId: of }: StoredCall) => of === garages.teamId;
  const isDue = (call: StoredCall) => {
    if (!['scheduled', 'queued'].includes(call.status) || call.waits) return false;
    if (due === 'next24h') return call.runs > now && call.runs < now + 24 * 3_600_000;
    return call.runs <= now && isPaused(call) === (due === 'paused');
  };
  const fits = (call: StoredCall) =>
    (teamId === undefined || call.teamId === teamId) &&
    (status === undefined || call.status === status) &&
    (agentId === undefined || call.agentId === agentId) &&
    (campaignId === undefined || call.campaignId === campaignId) &&
    (phoneNumber === undefined || call.phoneNumber === phoneNumber) &&
    (reason === undefined || (call.reason ?? '-') === reason) &&
    (day === undefined || (call.ended !== null && new Date(call.ended).toISOString().startsWith(day))) &&
    (due === undefined || isDue(call));
  const at = (call: StoredCall) =>
    due !== undefined ? call.runs : day !== undefined ? (call.ended ?? 0) : call.accepted;
  const latest = (a: StoredCall, b: StoredCall) => at(b) - at(a) || (a.id < b.id ? 1 : -1);
  const sorted = stored.filter(fits).sort(latest);
  return (due === undefined ? sorted : sorted.reverse()).map(({ id }) => id);
}

test('any filters together list exactly the calls that fit them, in order', async () => {
  const random = randomFrom(SEED);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const wanted = new Map<string, string[]>();
  const found = new Map<string, string[]>();
  for (let round = 0; round < 80; round += 1) {
    const like = pick(stored);
    const all: Filters = {
      teamId: like.teamId,
      status: pick([like.status, pick(CALL_STATES)]),
      agentId: like.agentId,
      phoneNumber: like.phoneNumber,
      reason: like.reason ?? '-',
      due: pick(['overdue', 'paused', 'next24h']),
      day: new Date(like.ended ?? like.accepted).toISOString().slice(0, 10),
      ...(like.campaignId !== null && { campaignId: like.campaignId }),
    };
    const chance = pick([0, 0.15, 0.3, 0.5]);
    const filters = Object.fromEntries(Object.entries(all).filter(() => random() < chance));
    const query = new URLSearchParams({ ...filters, timezone: 'UTC' }).toString();
    wanted.set(query, expected(filters));
    found.set(query, await listed(`/platform/calls?${query}`));
  }
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  expect(found.get('timezone=UTC')).toHaveLength(CALLS);
});

test('the file of a list has its calls in their order, and begins with a byte order mark', async () => {
  const busiest = stored[0]?.status ?? '';
  const lists: Filters[] = [{}, { teamId: clinics.teamId }, { status: busiest }, { due: 'next24h' }];
  for (const filters of lists) {
    const query = new URLSearchParams({ ...filters, timezone: 'UTC' }).toString();
    const link = /id="download" href="([^"]*)"/.exec(await pages.page(`/platform/calls?${query}`))?.[1] ?? '';
    const file = await pages.get(unescapeHtml(link)).expect(200);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="calls.csv"',
      'cache-control': 'no-store',
    });
    expect(file.text.codePointAt(0)).toBe(0xfeff);
    const [head, ...lines] = file.text.slice(1).trimEnd().split('\r\n');
    expect(head).toBe(
      'callRequestId,team,phoneNumber,contact,status,reason,acceptedAt,runsAt,endedAt,agent,campaign',
    );
    expect([query, lines.map((line) => line.slice(0, 36))]).toEqual([query, expected(filters)]);
  }
  const refused = await pages.get('/platform/calls/download?status=nothing').expect(400);
  expect(refused.text).toContain('status must be one of');
});

test('a day is the local day of the page', async () => {
  const ended = (from: string, to: string) =>
    stored.filter(
      (call) => call.ended !== null && call.ended >= Date.parse(from) && call.ended < Date.parse(to),
    );
  const ofClinics = ended('2026-11-19T05:00:00Z', '2026-11-20T05:00:00Z').filter(
    ({ teamId }) => teamId === clinics.teamId,
  );
  expect(await listed(`/t/${clinics.teamId}/calls?day=2026-11-19`)).toHaveLength(ofClinics.length);
  const inIndia = ended('2026-11-18T18:30:00Z', '2026-11-19T18:30:00Z');
  expect(await listed('/platform/calls?timezone=Asia/Kolkata&day=2026-11-19')).toHaveLength(inIndia.length);
});

test('a row leads to the call, its agent and its campaign', async () => {
  const call = stored.find(({ campaignId }) => campaignId !== null) as StoredCall;
  const query = new URLSearchParams({ campaignId: call.campaignId ?? '', phoneNumber: call.phoneNumber });
  const page = await pages.page(`/platform/calls?${query.toString()}`);
  const { teamId, agentId, campaignId } = call;
  for (const address of [
    `/t/${teamId}/calls/${call.id}`,
    `/platform/calls?teamId=${teamId}&amp;agentId=${agentId}`,
    `/t/${teamId}/campaigns/${campaignId}`,
  ])
    expect(page).toContain(`href="${address}"`);
  // The campaign says the team, and the form has the choice.
  expect(page).toMatch(new RegExp(`<option value="${teamId}" selected`));
  expect(page).toMatch(new RegExp(`<option value="${campaignId}" selected`));
  await pages.get(`/t/${teamId}/calls/${call.id}`).expect(200);
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

test.each([
  ['status=lost', 'status must be one of scheduled, queued'],
  ['day=2026-02-30', 'day must be a date, such as 2026-11-20'],
  ['due=soon', 'due must be one of overdue, paused, next24h'],
  ['due=2026-11-20T15:00:00.001Z', 'due must be one of'],
  ['agentId=x', 'agentId must be a UUID'],
  [`agentId=${UNKNOWN}`, 'agentId must be the id of a voice agent of the team'],
  [`campaignId=${UNKNOWN}`, 'campaignId must be the id of a campaign of the team'],
  ['phoneNumber=%2B12', 'phoneNumber is not a valid phone number'],
  [`reason=${'x'.repeat(201)}`, 'reason must be a text of 1 to 200 characters'],
  ['teamId=x', 'teamId must be the id of a team'],
  [`teamId=${UNKNOWN}`, 'teamId must be the id of a team'],
  ['timezone=Mars/Olympus', 'timezone must be an IANA time zone name'],
  ['cursor=x', 'cursor must be the nextCursor of a page of this list'],
  ['status=lost&day=x', 'status must be one of'],
  ['status=lost&day=x', 'day must be a date'],
])('the page names what is wrong with %s', async (query, message) => {
  const { status, text } = await pages.get(`/platform/calls?${query}`);
  expect(status).toBe(400);
  expect(section(text, 'problem')).toContain(message);
  expect(text).toContain('action="/platform/calls"');
  expect(text).not.toContain('data-call=');
});

test('an agent of another team is refused, and filters are shown as text', async () => {
  const other = await pages.get(`/t/${clinics.teamId}/calls?agentId=${garages.agentId}`);
  expect([other.status, section(other.text, 'problem')]).toEqual([
    400,
    expect.stringContaining('agentId must be the id of a voice agent of the team') as string,
  ]);
  const hostile = '"><script>alert(1)</script>';
  const page = await pages.page(`/platform/calls?reason=${encodeURIComponent(hostile)}`);
  expect(page).not.toContain('<script>');
  expect(section(page, 'calls')).toContain('No call is like this.');
});

test('a list of all teams and a list of many pending calls are complete, whatever they walk', async () => {
  const lists = app.get(OperatorCallList, { strict: false });
  const crowds: Caller[] = [];
  for (const name of ['Crowd', 'Throng']) {
    const crowd = await buildCaller(world.db, { name });
    crowds.push(crowd);
    await buildStoredCall(world.db, crowd, nextNumber(), { status: 'scheduled' });
    await multiplyCalls(world.db, crowd, 3_000);
  }
  const teams = crowds.map(({ teamId }) => teamId);
  // Behind all others, a few at each instant.
  await world.db.query(
    `UPDATE call_requests r SET accepted_at = timestamptz '2026-01-01' + o.n / 7 * interval '1 s',
       reason = CASE WHEN o.n < 9 THEN 'RARE' END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM call_requests WHERE team_id = ANY($1)) o WHERE o.id = r.id`,
    [teams],
  );
  const idsOf = async (filters: Partial<typeof NO_FILTERS>, limit: number) => {
    const ids: string[] = [];
    for (let after: string[] | null = null; ;) {
      const { positions, next } = await lists.positions({ ...NO_FILTERS, ...filters }, { limit, after });
      ids.push(...positions.map(({ key }) => key));
      if (next === null) return ids;
      after = [next.at, next.key];
    }
  };
  const rows = await world.db.query<{ id: string; rare: boolean; many: boolean }[]>(
    `SELECT id, reason = 'RARE' IS TRUE AS rare, team_id = ANY($1) AS many FROM call_requests ORDER BY accepted_at DESC, id DESC`,
    [teams],
  );
  const allOf = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).map(({ id }) => id);
  expect(await idsOf({}, 200)).toEqual(allOf(() => true));
  expect(await idsOf({ reason: 'RARE' }, 3)).toEqual(allOf(({ rare }) => rare));
  const scheduled = new Set(stored.filter(({ status }) => status === 'scheduled').map(({ id }) => id));
  expect(await idsOf({ status: 'scheduled' }, 200)).toEqual(
    allOf(({ id, many }) => many || scheduled.has(id)),
  );
  const [teamId = ''] = teams;
  expect(await idsOf({ status: 'scheduled', teamId }, 200)).toHaveLength(3_000);
});
