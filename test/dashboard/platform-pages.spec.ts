import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { section, textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

describe('the pages of the platform', () => {
  let world: World;
  let db: DataSource;
  let api: NestExpressApplication;
  let operator: Person;
  let caller: Caller;

  beforeAll(async () => {
    world = await createWorld();
    db = world.db;
    api = await world.startApi();
    operator = new Person(api, (await signedIn(db, { operator: true })).cookie);
    caller = await buildCaller(db, {
      name: 'Northwind',
      max_concurrent_calls: 5,
      monthly_call_limit: 12_000,
    });
  });
  afterAll(() => world?.close());

  /** The row of a team. */
  function rowOf(page: string, teamId: string): string {
    const [, rest = ''] = page.split(`data-team="${teamId}"`);
    return textOf(`<tr ${rest.split('</tr>')[0] ?? ''}`);
  }

  test('teams are side by side with their calls and limits', async () => {
    const at = new Date();
    const call = { caller_id: caller.callerNumber, claimed_at: at, processed_at: at };
    await buildStoredCall(db, caller, nextNumber(), { status: 'in_progress', ...call });
    await buildStoredCall(db, caller, nextNumber(), {
      status: 'queued',
      runs_at: new Date(at.getTime() - 60_000),
    });
    await buildStoredCall(db, caller, nextNumber(), {
      status: 'scheduled',
      runs_at: new Date(at.getTime() + 3_600_000),
    });
    await buildProcessedCall(db, caller, nextNumber(), '0 seconds');
    await buildProcessedCall(db, caller, nextNumber(), '0 seconds', { status: 'failed' });
    await buildProcessedCall(db, caller, nextNumber(), '3 days');
    const { id: idle } = await buildTeam(db, { name: 'Southgate', paused: true, max_concurrent_calls: null });

    const page = await operator.page('/platform/teams');
    expect(rowOf(page, caller.teamId)).toBe(
      'Northwind 1 2 1 1 completed 1 failed 5 at a time, 12,000 a month',
    );
    expect(rowOf(page, idle)).toBe('Southgate paused 0 0 0 none any number at a time, any number a month');
  });

  test('a created team is opened, with what was typed', async () => {
    const answer = await operator.submit('/platform/teams', '/platform/teams', {
      name: 'Eastern <Clinics>',
      timezone: 'Europe/Berlin',
      defaultCountry: 'DE',
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^\/t\/[\w-]{36}$/);
    const page = await operator.after(answer);
    expect(textOf(page)).toContain('The team is created.');
    expect(textOf(page)).toContain('Eastern <Clinics>');
    const [team] = await db.query<unknown[]>(
      `SELECT timezone, default_country, max_concurrent_calls FROM teams WHERE name = 'Eastern <Clinics>'`,
    );
    expect(team).toEqual({ timezone: 'Europe/Berlin', default_country: 'DE', max_concurrent_calls: 10 });
  });

  test('a refused team is named at its field, and what was typed is kept', async () => {
    const fields = { name: ' ', timezone: 'Berlin', defaultCountry: 'DE' };
    const answer = await operator.submit('/platform/teams', '/platform/teams', fields);
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/id="field-name-error">Name must not be empty</);
    expect(answer.text).toMatch(/id="field-timezone-error">Time zone must be an IANA time zone name/);
    expect(answer.text).toContain('<option value="DE" selected');
    expect(await db.query(`SELECT FROM teams WHERE timezone = 'Berlin'`)).toEqual([]);
  });

  test('more teams than one page are on the next', async () => {
    for (let n = 0; n < 26; n += 1) await buildTeam(db, { name: `Branch ${n}` });
    const page = await operator.page('/platform/teams');
    const [, next = ''] = /href="(\/platform\/teams\?cursor=[^"]*)"/.exec(page) ?? [];
    expect(page.match(/data-team=/g)).toHaveLength(25);
    expect(await operator.page(next)).toContain('Branch 25');
  });

  test('carriers show their limits, what came of their calls, and what an absent one lacks', async () => {
    await buildProcessedCall(db, caller, nextNumber(), '1 minute', { carrier: 'simulator' });
    const page = await operator.page('/platform/carriers');
    const simulator = section(page, 'carrier-simulator');
    expect(simulator).toContain('simulator default configured');
    expect(simulator).toContain('Ended in the last hour 1 completed');
    expect(section(page, 'carrier-http')).toContain('Not set: HTTP_CARRIER_SECRET, PUBLIC_URL');
    const answer = await operator.submit('/platform/carriers', '/platform/carriers/check');
    expect(answer.status).toBe(200);
    expect(section(answer.text, 'check')).toContain('Check of simulator works');
  });

  test('health shows the parts of readiness, the workers and the zone data', async () => {
    await insertRow(db, 'sweeper_runs', {
      worker: 'worker-1',
      started_at: new Date(),
      ran_at: new Date(),
      duration_ms: 4,
      woken: 0,
      expired: 0,
      unknown: 0,
      resolved: 0,
    });
    const page = await operator.page('/platform/health');
    expect(section(page, 'readiness')).toMatch(/^Readiness ready Postgres ok .* Migrations ok .* Redis ok/);
    expect(section(page, 'workers')).toContain('worker-1');
    expect(section(page, 'zone-data')).toContain('Zone data 20');
    expect(section(page, 'restore')).toContain('No restore of the database waits');
  });

  test('Do Not Call shows the registers, and for which packs they are too old or missing', async () => {
    expect(section(await operator.page('/platform/do-not-call'), 'registers')).toContain(
      'No public register',
    );
    await db.query(
      `INSERT INTO register_versions (register, format, as_of, imported_at, numbers, areas)
       VALUES ('us-ftc-dnc', 'ftc', now() - interval '32 days', now(), 5000000, '{1212}'),
         ('be-dncm', 'list', now() - interval '400 days', now(), 7, NULL),
         ('gb-tps', 'list', now() - interval '30 hours', now(), 3, NULL)`,
    );
    const shown = section(await operator.page('/platform/do-not-call'), 'registers');
    expect(shown).toMatch(/us-ftc-dnc of 1 area codes \d+ .* 5,000,000 32 days us too old for us/);
    expect(shown).toMatch(/be-dncm \d+ .* 7 400 days be(?! too old)/);
    expect(shown).toMatch(/gb-tps \d+ .* 3 1 day none/);
    expect(shown).toMatch(/not imported: ae-dncr \(ae\), ca-dncl \(ca\)/);
  });

  test('the queue shows its jobs by state and age, what it does not show, and leads to the board', async () => {
    const page = await operator.page('/platform/queues');
    expect(page).toContain('Calls of campaigns never pass through');
    expect(page).toContain('href="/admin/queues"');
    expect(section(page, 'queue-calls')).toMatch(/Waiting 0 .*Scheduled 0 .*In work 0 .*Failed 0/);
  });

  test.each(['teams', 'carriers', 'health', 'operators', 'queues'])(
    'an admin of a team does not see %s',
    async (page) => {
      const { cookie } = await signedIn(db, { teamId: caller.teamId, role: 'admin' });
      expect((await new Person(api, cookie).get(`/platform/${page}`)).status).toBe(403);
    },
  );

  test('an admin of a team creates no team', async () => {
    const { cookie } = await signedIn(db, { teamId: caller.teamId, role: 'admin' });
    const admin = new Person(api, cookie);
    const [, formToken = ''] =
      /name="formToken" value="([^"]*)"/.exec(await admin.page(`/t/${caller.teamId}`)) ?? [];
    expect((await admin.post('/platform/teams', { formToken, name: 'Mine', timezone: 'UTC' })).status).toBe(
      403,
    );
    expect(await db.query(`SELECT FROM teams WHERE name = 'Mine'`)).toEqual([]);
  });
});
