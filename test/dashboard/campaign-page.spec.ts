import { mkdirSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Browser } from 'playwright-core';
import { signIn } from '../operations/operations-browser.js';
import { section, OperationsClient, textOf } from '../operations/operations-client.js';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCampaign, buildContact, buildEnrollment, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildDials, type DialStatus } from '../support/enrollment-builders.js';

const PICTURES = process.env.TEST_SCREENSHOTS;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let caller: Caller;
let campaign: { id: string; current_version_id: string };
let page: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  pages = await OperationsClient.signedIn(app);
});
afterAll(() => world.close());
beforeEach(async () => {
  caller = await buildCaller(world.db, { name: 'Northwind Clinics' });
  campaign = await buildCampaign(world.db, caller.teamId, { name: 'Spring <offer>' });
  page = `/t/${caller.teamId}/campaigns/${campaign.id}`;
});

async function enroll(row: Record<string, unknown>, dials: DialStatus[] = [], version?: string) {
  const { id: contactId } = await buildContact(world.db, caller.teamId);
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, contact_id: contactId };
  const version_id = version ?? campaign.current_version_id;
  const { id } = await buildEnrollment(world.db, { ...keys, version_id }, row);
  await buildDials(world.db, { id, team: caller.teamId, campaignId: campaign.id, contactId }, dials);
}

/** Enrollments in every state that the page distinguishes. */
async function enrollSome(): Promise<void> {
  const { id: draft } = await buildVersion(world.db, caller.teamId, campaign.id);
  const soon = new Date(Date.now() + 3 * 3_600_000);
  await enroll({ status: 'active', waiting_for: 'retry', look_at: soon }, ['no_answer', 'busy']);
  await enroll({ status: 'active', waiting_for: 'RECENTLY_CALLED', look_at: soon });
  await enroll({ status: 'active', waiting_for: 'retry', look_at: new Date(0) }, ['no_answer'], draft);
  await enroll({ status: 'completed', end_reason: 'goal', look_at: null }, ['completed']);
  await enroll({ status: 'exited', end_reason: 'lifetime', look_at: null });
}

test('the page shows the pacing that is in force', async () => {
  const pacing = { callsPerMinute: 60, maxConcurrentCalls: 1_500 };
  await world.db.query('UPDATE campaigns SET pacing = $1 WHERE id = $2', [pacing, campaign.id]);
  const text = 'Calls a minute: at most 60 · active calls: at most 1,500 · weight 1.';
  expect(textOf(await pages.page(page))).toContain(text);
});

test('the list leads to the campaign’s page with funnel, due by hour, waits, ends and versions', async () => {
  await enrollSome();
  const list = await pages.page(`/t/${caller.teamId}/campaigns`);
  expect(section(list, 'campaigns')).toContain('Spring <offer> Active');
  expect(list).toContain(`href="${page}"`);
  const shown = await pages.page(page);
  expect(shown).not.toContain('<offer>');
  const text = textOf(shown);
  expect(text).toContain('Enrolled, 3 of them live 5');
  expect(text).toContain('Attempted, 60 % 3');
  expect(text).toContain('Reached, 20 % 1');
  expect(text).toContain('Goals, 20 % 1');
  expect(section(shown, 'waiting')).toContain('Its next retry 2');
  expect(section(shown, 'ended')).toContain('Reached its goal 1');
  expect(section(shown, 'ended')).toContain('Its lifetime was over 1');
  expect(section(shown, 'attempts')).toMatch(/No answer 2 (Completed 1 Busy 1|Busy 1 Completed 1)/);
  expect(section(shown, 'versions')).toMatch(
    /1 Current 2 4 1 Move them… Forecast… 2 Draft 1 1 0 Move them… Forecast… Publish…/,
  );
  expect(text).toContain('Calls a minute: no limit · active calls: no limit · weight 1.');
  const links = [...shown.matchAll(/href="([^"]*\/enrollments[^"]*)"/g)].map(([, href]) => href);
  expect(links).toContain(`${page}/enrollments`);
  expect(links).toContain(`${page}/enrollments?waitingFor=RECENTLY_CALLED`);
  expect(links).toContain(`${page}/enrollments?version=${campaign.current_version_id}`);
  const hours = [...shown.matchAll(/data-calls="(\d+)"/g)].map(([, calls]) => Number(calls));
  expect(hours).toHaveLength(24);
  // What is overdue is in the first.
  expect(hours[0]).toBe(1);
  expect(hours.reduce((sum, calls) => sum + calls, 0)).toBe(3);
});

test('a chart without bars is one line', async () => {
  const shown = await pages.page(page);
  expect(section(shown, 'due')).toContain('No enrollment is due within these hours.');
  expect(shown).not.toContain('<svg');
});

test('the figures renew themselves while the page is open, and the forms do not', async () => {
  const shown = await pages.page(page);
  expect(shown).toContain(`hx-sse:connect="/t/${caller.teamId}/live"`);
  const [, figures = ''] = /<div id="figures"([^>]*)>/.exec(shown) ?? [];
  expect(figures).toContain(`hx-get="${page}"`);
  const forms = shown.indexOf('id="steering"');
  expect(forms).toBeGreaterThan(shown.indexOf('id="versions"'));
  expect(shown.slice(shown.indexOf('id="figures"'), forms)).not.toContain('<form');
});

test('results are downloaded as a file, and the download is in the audit log', async () => {
  await enrollSome();
  expect(await pages.page(page)).toContain(`href="${page}/results"`);
  const viewer = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'viewer' });
  const file = await viewer.get(`${page}/results`).buffer(true);
  expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="results.csv"',
  ]);
  const lines = file.text.trim().split(/\r?\n/);
  expect(lines[0]).toContain('enrollmentId,externalId,contactId,phoneNumber,name,status,endReason');
  expect(lines).toHaveLength(6);
  const rows = await world.db.query<{ target_id: string; actor_kind: string }[]>(
    `SELECT target_id, actor_kind FROM audit_log WHERE team_id = $1 AND action = 'campaign.results_exported'`,
    [caller.teamId],
  );
  expect(rows).toEqual([{ target_id: campaign.id, actor_kind: 'user' }]);
  const other = await buildCaller(world.db);
  await pages.get(`/t/${other.teamId}/campaigns/${campaign.id}/results`).expect(404);
});

test('pause, resume and archive ask for confirmation, and lead back with a notice', async () => {
  for (const [action, status, done] of [
    ['pause', 'paused', 'The campaign is paused.'],
    ['resume', 'active', 'The campaign is active.'],
    ['archive', 'archived', 'The campaign is archived.'],
    ['resume', 'active', 'The campaign is active.'],
    ['archive', 'archived', 'The campaign is archived.'],
  ] as const) {
    const answer = await pages.submit(page, `${page}/${action}`);
    expect([answer.status, answer.headers.location]).toEqual([303, page]);
    expect(textOf(await pages.page(page))).toContain(done);
    const [row] = await world.db.query<{ status: string }[]>('SELECT status FROM campaigns WHERE id = $1', [
      campaign.id,
    ]);
    expect(row?.status).toBe(status);
  }
  const archived = section(await pages.page(page), 'steering');
  expect(archived).toContain('Resume…');
  expect(archived).not.toContain('Archive…');
});

test('another team’s campaigns and unknown ones are 404', async () => {
  const other = await buildCaller(world.db);
  for (const path of [
    `/t/${other.teamId}/campaigns/${campaign.id}`,
    `/t/${caller.teamId}/campaigns/${UNKNOWN}`,
    `/t/${UNKNOWN}/campaigns/${campaign.id}`,
    `/t/${caller.teamId}/campaigns/x`,
  ]) {
    await pages.get(path).expect(404);
  }
});

const executable = findChromium();
const withBrowser = executable === null ? test.skip : test;

withBrowser(
  'in a browser, at the width of a phone and of a desk: nothing overflows, and keys suffice',
  async () => {
    await enrollSome();
    const { port } = app.getHttpServer().address() as AddressInfo;
    const baseURL = `http://127.0.0.1:${port}`;
    const browser: Browser = await launchChromium(executable ?? '');
    try {
      for (const width of [390, 1400]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL });
        await signIn(context, pages.cookieHeader(), baseURL);
        const tab = await context.newPage();
        await tab.goto(page);
        expect(await tab.locator('h1').innerText()).toBe('Spring <offer>');
        expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
        const summary = tab.locator('main summary').first();
        await summary.focus();
        await tab.keyboard.press('Enter');
        if (PICTURES) {
          mkdirSync(PICTURES, { recursive: true });
          await tab.screenshot({ path: join(PICTURES, `campaign-${width}.png`), fullPage: true });
        }
        await tab.keyboard.press('Tab');
        await tab.keyboard.press('Enter');
        await tab.locator('.notice[role=status]').waitFor();
        await context.close();
      }
    } finally {
      await browser.close();
    }
    const [row] = await world.db.query<{ status: string }[]>('SELECT status FROM campaigns WHERE id = $1', [
      campaign.id,
    ]);
    // Paused from the phone, and resumed from the desk.
    expect(row?.status).toBe('active');
  },
);

describe('the page of a forecast', () => {
  let caller: Caller;
  let campaign: string;
  let page: string;
  let path: string;

  beforeAll(async () => {
    caller = await buildCaller(world.db, { name: 'Northwind Clinics' });
    ({ id: campaign } = await buildCampaign(world.db, caller.teamId, { name: 'Spring' }));
    const steps = [{ key: 'first', agentId: caller.agentId, retry: { no_answer: ['P1D'] } }];
    const { id: version } = await buildVersion(world.db, caller.teamId, campaign, {
      status: 'published',
      definition: { steps },
      definition_format: DEFINITION_FORMAT,
    });
    page = `/t/${caller.teamId}/campaigns/${campaign}`;
    path = `${page}/versions/${version}/forecast`;
  });

  const FIELDS = {
    days: '7',
    concurrency: '5',
    completed: '50',
    no_answer: '50',
    busy: '0',
    voicemail: '0',
    seconds: '60',
    contacts: '100',
    seed: '7',
  };

  test('the campaign’s page leads to the form, which plays the version and stays filled', async () => {
    expect(await pages.page(page)).toContain(`href="${path}"`);
    const form = await pages.page(path);
    expect(textOf(form)).toContain('Forecast of version 2 Spring');
    expect(form).toContain('name="days" type="number" min="1" value="14"');
    const answer = await pages.submit(path, path, FIELDS);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('name="seed" type="number" min="0" value="7"');
    // Every contact is called, and half of them again.
    const played = section(answer.text, 'played');
    const [, dials = ''] = /Dials for 100 enrollments (\d+) Live at the end 0 /.exec(played) ?? [];
    expect(Number(dials)).toBeGreaterThan(120);
    expect(played).toContain('Most active calls at a time; 100 without the limit 5 ');
    expect(section(answer.text, 'days')).toMatch(/Dials Busiest hour \w{3} \d{4}-\d\d-\d\d \d+ \d+ /);
    expect(section(answer.text, 'chart')).toMatch(/Dials by (day|hour)/);
    const bars = [...answer.text.matchAll(/data-(?:day|hour)="[^"]*" data-calls="(\d+)"/g)];
    const drawn = bars.reduce((sum, [, calls]) => sum + Number(calls), 0);
    expect(answer.text).toContain(`${drawn.toLocaleString('en-US')} in all`);
    expect(section(answer.text, 'ends')).toMatch(/Reached \d+ No response \d+/);
    expect(section(answer.text, 'skipped')).toContain('A concurrency slot');
    // The same seed draws the same outcomes.
    const again = await pages.submit(path, path, FIELDS);
    expect(section(again.text, 'outcomes')).toBe(section(answer.text, 'outcomes'));
    const calls = await world.db.query<object[]>('SELECT FROM call_requests WHERE team_id = $1', [
      caller.teamId,
    ]);
    expect(calls).toHaveLength(0);
  });

  test.each([
    [{ days: '0' }, 'Days must be a whole number from 1 to 366.'],
    [{ concurrency: 'x' }, 'Active calls must be a whole number from 1 to 100000.'],
    [{ completed: '60' }, 'at most 1'],
    [{ contacts: '9999999' }, 'Made-up contacts must be a whole number from 1 to 250000.'],
  ])('%j is shown above the form, which stays filled', async (field, problem) => {
    const answer = await pages.submit(path, path, { ...FIELDS, ...field });
    expect(answer.status).toBe(400);
    expect(textOf(answer.text)).toContain(problem);
    expect(answer.text).toContain('name="seconds" type="number" min="1" value="60"');
    expect(answer.text).not.toContain('id="played"');
  });

  test('a form of another site plays nothing; unknown versions and another team’s are 404', async () => {
    await pages.post(path, FIELDS).expect(403);
    const other = await buildCaller(world.db);
    await pages.get(path.replace(caller.teamId, other.teamId)).expect(404);
    await pages.get(path.replace(/versions\/[^/]*/, `versions/${campaign}`)).expect(404);
  });
});
