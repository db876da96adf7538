import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { insertRow, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { multiplyCalls } from '../support/number-history.js';
import { buildersOfOverview } from './overview-calls.js';
import { chart, hiddenFields, section, OperationsClient, textOf } from '../operations/operations-client.js';

/** A Friday; 10:00 in New York. */
const NOW = '2026-11-20T15:00:00.000Z';
const at = (time: string) => new Date(time);
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1_000);

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let clinics: Caller;
let garages: Caller;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  await stopClock(world.db, NOW);
  clinics = await buildCaller(world.db, { name: 'Clinics', timezone: 'America/New_York' });
  garages = await buildCaller(world.db, { name: 'Garages' });
});
afterAll(() => world.close());
beforeEach(async () => {
  pages = await OperationsClient.signedIn(app);
  await world.db.query('TRUNCATE call_requests, sweeper_runs');
  await world.db.query('UPDATE teams SET paused = false');
  await world.db.query('UPDATE platform_settings SET paused = false');
});

const { pending, ended } = buildersOfOverview(() => world.db, ago(7_200));
const overview = (caller?: Caller, more = '') =>
  pages.page(`${caller === undefined ? '/platform' : `/t/${caller.teamId}`}${more}`);

test('overdue calls are shown with their delay, latest first, without paused ones', async () => {
  const late = await pending(clinics, ago(192));
  const later = await pending(garages, ago(3_900), { wakes: 3 });
  await pending(clinics, at('2026-11-20T16:00:00Z'));
  const all = await overview();
  expect(section(all, 'tile-overdue')).toContain('Overdue: 2 calls 1 h 5 min');
  const overdue = section(all, 'overdue');
  expect(overdue.indexOf(later)).toBeLessThan(overdue.indexOf(late));
  expect(overdue).toMatch(new RegExp(`\\${later} Garages 1 h 5 min Fri 2026-11-20 13:55 .* 3 ×`));
  expect(overdue).toContain('3 min 12 s');
  expect(section(await overview(clinics), 'overdue')).not.toContain(later);

  await world.db.query('UPDATE teams SET paused = true WHERE id = $1', [garages.teamId]);
  const paused = await overview();
  expect(section(paused, 'tile-overdue')).toContain(
    '1 call and 1 more that wait for a pause to end 3 min 12 s',
  );
  expect(section(paused, 'overdue')).toMatch(/1 h 5 min paused/);
});

test('the overview of a team shows how many active calls it may have', async () => {
  const caller = await buildCaller(world.db, { max_concurrent_calls: 1_200 });
  const { teamId } = caller;
  // A team without calls gets the steps of getting started instead.
  for (const one of [caller, clinics]) await pending(one, at('2026-11-20T16:00:00Z'));
  const shown = await pages.page(`/t/${teamId}`);
  expect(textOf(shown)).toContain('Active calls: at most 1,200.');
  expect(textOf(await overview(clinics))).toContain('Active calls: no limit.');
  expect(await overview()).not.toContain('id="team-limit"');
});

test('calls are counted by state, and the ended ones since the local day began', async () => {
  await pending(clinics, at('2026-11-20T16:00:00Z'), { status: 'scheduled' });
  await pending(clinics, ago(1));
  await pending(garages, ago(1));
  for (const status of ['dialing', 'in_progress', 'dial_unknown'])
    await ended(clinics, status, ago(60), { ended_at: null });
  await ended(clinics, 'completed', ago(60));
  await ended(garages, 'completed', ago(60));
  // 23:30 of the day before in New York is of this day in UTC.
  await ended(clinics, 'busy', at('2026-11-20T04:30:00Z'));
  await ended(clinics, 'voicemail', at('2026-11-20T05:00:00Z'));
  expect(section(await overview(clinics), 'now')).toContain(
    'Scheduled 1 Queued 1 Dialing 1 In progress 1 Unknown 1',
  );
  expect(section(await overview(), 'now')).toContain('Queued 2');
  expect(section(await overview(clinics), 'today')).toContain('Completed 1 No answer 0 Busy 0 Voicemail 1');
  expect(section(await overview(), 'today')).toContain('Completed 2 No answer 0 Busy 1 Voicemail 1');
  expect(section(await overview(undefined, '?timezone=America/New_York'), 'today')).toContain('Busy 0');
});

test('a team’s calls are counted by caller ID, so that a number that networks block is seen', async () => {
  const blocked = clinics.callerNumber;
  const by = { caller_id: blocked };
  for (const reason of ['declined', 'network_blocked', 'network_blocked'])
    await ended(clinics, 'failed', ago(60), { ...by, reason });
  await ended(clinics, 'completed', ago(60), by);
  await ended(clinics, 'failed', ago(8 * 86_400), { ...by, reason: 'network_blocked' });
  expect(section(await overview(clinics), 'caller-ids')).toContain(`${blocked} 4 1 (25 %) 2 (50 %)`);
  expect(await overview()).not.toContain('id="caller-ids"');
});

test('today’s refusals are counted by rule, in the order of the rules', async () => {
  for (const reason of ['RECENTLY_CALLED', 'DO_NOT_CALL', 'DO_NOT_CALL', 'NOT_WHITELISTED', 'NO_CALLER_ID'])
    await ended(clinics, 'blocked', ago(60), { reason });
  await ended(clinics, 'blocked', at('2026-11-19T20:00:00Z'), { reason: 'PLAN_LIMIT' });
  await ended(clinics, 'expired', ago(60));
  const refusals = section(await overview(clinics), 'refusals');
  expect(refusals).toMatch(
    /whitelist 1 .*Do Not Call list 2 .*within the last 12 hours 1 .*no active, outbound-enabled number to call from 1/,
  );
  expect(refusals).not.toContain('monthly');
});

test('the next 24 hours are shown in the local time of the team or a chosen zone', async () => {
  for (const time of [
    '2026-11-20T15:00:00.001Z',
    '2026-11-20T15:59:59Z',
    '2026-11-20T16:00:00Z',
    '2026-11-21T14:59:59Z',
  ])
    await pending(clinics, at(time));
  await pending(clinics, at('2026-11-21T15:00:00Z'));
  await pending(clinics, ago(0));
  await pending(garages, at('2026-11-20T23:10:00Z'));
  const page = await overview(clinics);
  expect(chart(page)).toEqual({
    '2026-11-20T15:00:00.000Z': 2,
    '2026-11-20T16:00:00.000Z': 1,
    '2026-11-21T14:00:00.000Z': 1,
  });
  expect(textOf(page)).toContain('Fri 2026-11-20 10:00: 2 calls');
  expect(section(page, 'tile-next')).toContain('4');
  expect(chart(await overview())['2026-11-20T23:00:00.000Z']).toBe(1);
  // The hours of India begin at half past those of UTC.
  const india = await overview(clinics, '?timezone=Asia/Kolkata');
  expect(chart(india)).toMatchObject({ '2026-11-20T14:30:00.000Z': 1, '2026-11-20T15:30:00.000Z': 2 });
  expect(textOf(india)).toContain('Fri 2026-11-20 20:00: 1 call');
});

describe('with more calls than a page counts at once', () => {
  const MANY = 10_500;

  // A full count is shown for some seconds, so each test has teams of its own.
  let crowd: Caller;
  beforeEach(async () => {
    crowd = await buildCaller(world.db, { name: 'Crowd' });
  });

  test('the count of pending calls is a lower bound at first, and complete on a later load', async () => {
    await pending(crowd, at('2026-11-20T16:00:00Z'));
    await multiplyCalls(world.db, crowd, MANY);
    await pending(crowd, at('2026-11-20T17:00:00Z'), { status: 'scheduled' });
    const first = await overview(crowd);
    expect(section(first, 'now')).toMatch(
      /Scheduled [01]\+ Queued (10,000|9,999)\+ Dialing 0 .*at least this many/,
    );
    expect(section(first, 'tile-next')).toContain('10,000+');
    const whole = await eventually(
      () => overview(crowd),
      (page) => !section(page, 'now').includes('at least'),
    );
    expect(section(whole, 'now')).toMatch(/Scheduled 1 Queued 10,500 Dialing 0 .* Counted .* ago/);
    expect(chart(whole)).toEqual({ '2026-11-20T16:00:00.000Z': MANY, '2026-11-20T17:00:00.000Z': 1 });
  });

  test('the count of ended calls is correct beside another team’s many calls', async () => {
    await ended(crowd, 'blocked', ago(50), { reason: 'DO_NOT_CALL' });
    await multiplyCalls(world.db, crowd, MANY);
    const neighbor = await buildCaller(world.db, { name: 'Neighbor' });
    await ended(neighbor, 'completed', ago(100));
    await ended(neighbor, 'busy', ago(10));
    expect(section(await overview(neighbor), 'today')).toMatch(/Completed 0\+.* Busy 1\+/);
    const whole = await eventually(
      () => overview(neighbor),
      (page) => !section(page, 'today').includes('at least'),
    );
    expect(section(whole, 'today')).toMatch(/Completed 1 .* Busy 1 /);
    expect(section(await overview(crowd), 'refusals')).toContain('9,999+');
  });

  test('the count of overdue calls is a lower bound', async () => {
    await pending(crowd, ago(70));
    await multiplyCalls(world.db, crowd, MANY);
    expect(section(await overview(crowd), 'tile-overdue')).toContain('Overdue: 10,000+ calls');
    expect(section(await overview(crowd), 'needs')).toContain('10,000+ calls are overdue, the first for');
    expect(section(await overview(crowd), 'overdue')).toContain('The 20 that expire first.');
    expect(section(await pages.page('/platform'), 'overdue')).toContain('The 20 that are overdue longest.');
  });
});

test('calls with an unknown outcome have buttons that resolve them', async () => {
  const { id } = await ended(clinics, 'dial_unknown', ago(600), {
    ended_at: null,
    reason: 'NO_WORD',
    carrier: 'simulator',
    carrier_call_id: 'sim-7',
  });
  const page = await overview(clinics);
  expect(section(page, 'unknown')).toMatch(
    /Claimed Fri 2026-11-20 09:50, 10 min ago.*Carrier simulator, its id sim-7/,
  );
  const resolve = `/t/${clinics.teamId}/calls/${id}/resolve`;
  expect(page).toContain(`<form method="get" action="${resolve}">`);
  const back = `/t/${clinics.teamId}`;
  const confirm = `${resolve}?back=${encodeURIComponent(back)}&outcome=voicemail`;
  expect(section(await pages.page(confirm), 'resolve')).toMatch(
    /Perhaps called .*Outcome: It reached a voicemail\. The call becomes Voicemail\. This cannot be changed later\. .*No, back/,
  );
  const [asked] = await world.db.query<Row[]>('SELECT status FROM call_requests WHERE id = $1', [id]);
  expect(asked).toEqual({ status: 'dial_unknown' });
  const answer = await pages.submit(confirm, resolve);
  expect([answer.status, answer.headers.location]).toEqual([303, back]);
  const [row] = await world.db.query<Row[]>('SELECT status, history FROM call_requests WHERE id = $1', [id]);
  expect(row).toMatchObject({ status: 'voicemail' });
  expect(JSON.stringify(row?.history)).toContain('resolved_by_operator');
  expect(section(await overview(clinics), 'unknown')).toBe('');
  // Another person was quicker.
  const { formToken = '' } = hiddenFields(page, `/t/${clinics.teamId}/pause`);
  await pages.post(resolve, { formToken, outcome: 'completed' }).expect(409);
  await pages.get(confirm).expect(409);
  await pages.get(`${resolve}?outcome=blocked`).expect(400);
});

test('the last worker is shown, and its pages have the others', async () => {
  expect(section(await overview(), 'tile-workers')).toContain('No worker runs');
  await world.db.query(
    `INSERT INTO sweeper_runs (worker, started_at, ran_at, duration_ms, repaired_at, woken, expired, unknown, resolved)
     VALUES ('host-a:1', $1, $2, 12, $3, 7, 0, 2, 0), ('host-b:1', $1, $4, 3, NULL, 0, 0, 0, 0)`,
    [ago(7_200), ago(4), ago(900), ago(300)],
  );
  const page = await overview(undefined, `?teamId=${clinics.teamId}`);
  expect(section(page, 'tile-workers')).toContain('4.0 s ago');
  expect(section(await pages.page(`/platform/health?timezone=America/New_York`), 'workers')).toMatch(
    /host-a:1 4\.0 s ago, 12 ms 7 woken, 2 marked unknown Fri 2026-11-20 09:45 host-b:1 5 min ago, 3 ms silent nothing none yet/,
  );
});

test('calls that ended today stand beside those of yesterday up to this time', async () => {
  await ended(clinics, 'completed', ago(60));
  await ended(clinics, 'completed', ago(86_400 + 120));
  await ended(clinics, 'completed', ago(86_400 + 180));
  // Yesterday, but later than now.
  await ended(clinics, 'completed', ago(86_400 - 600));
  expect(section(await overview(clinics), 'today')).toMatch(/Completed 1 \(2\)/);
});

test('webhook endpoints that were disabled because they failed are shown, without their paths', async () => {
  const endpoint = (caller: Caller, disabled_reason: string) =>
    insertRow(world.db, 'webhook_endpoints', {
      team_id: caller.teamId,
      url: 'https://crm.example.com/hook?key=1',
      secret: 'whsec_',
      disabled_at: ago(3_600),
      disabled_reason,
    });
  expect(await overview()).not.toContain('id="webhooks"');
  await endpoint(clinics, 'failing');
  await endpoint(garages, 'gone');
  await endpoint(garages, 'team');
  const page = await overview();
  expect(section(page, 'webhooks')).toContain(
    'Clinics, crm.example.com: disabled Fri 2026-11-20 14:00, because every attempt of five days failed.',
  );
  expect(section(page, 'webhooks')).toContain('Garages, crm.example.com');
  expect(page.match(/data-endpoint=/g)).toHaveLength(2);
  expect(page).not.toContain('key=1');
  expect(section(await overview(clinics), 'webhooks')).not.toContain('Garages');
});

test('webhook endpoints that fail every attempt are shown before they are disabled, without their paths', async () => {
  expect(await overview()).not.toContain('id="failing-webhooks"');
  const fields = { url: 'https://crm.example.com/hook?key=1', secret: 'whsec_' };
  await insertRow(world.db, 'webhook_endpoints', {
    team_id: clinics.teamId,
    ...fields,
    failing_since: ago(3_600),
  });
  await insertRow(world.db, 'webhook_endpoints', { team_id: garages.teamId, ...fields });
  const page = await overview();
  expect(section(page, 'failing-webhooks')).toContain(
    'Clinics, crm.example.com: failing since Fri 2026-11-20 14:00.',
  );
  expect(section(page, 'failing-webhooks')).not.toContain('Garages');
  expect(page).not.toContain('key=1');
  expect(await overview(garages)).not.toContain('id="failing-webhooks"');
});

test('hostile names are shown as text', async () => {
  const name = `</option><script>alert("1")</script>'"&amp;`;
  const hostile = await buildCaller(world.db, { name });
  await pending(hostile, ago(60));
  await world.db.query(
    `INSERT INTO sweeper_runs VALUES ('<img src=x onerror=alert(1)>', now(), now(), 1, NULL, 0, 0, 0, 0)`,
  );
  for (const page of [await overview(), await overview(hostile)]) {
    expect(page).not.toMatch(/<script>|<img|alert\("/);
    expect(textOf(page)).toContain(name);
  }
});
