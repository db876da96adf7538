import { mkdirSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signIn } from '../operations/operations-browser.js';
import { formsOf, section, OperationsClient, textOf, unescapeHtml } from '../operations/operations-client.js';

const PICTURES = process.env.TEST_SCREENSHOTS;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let pages: OperationsClient;
let caller: Caller;
let campaign: PlayedCampaign;
let page: string;

beforeAll(async () => {
  pages = await OperationsClient.signedIn(calling.api);
});
beforeEach(async () => {
  caller = await buildCaller(calling.db, { name: 'Northwind Clinics' });
  campaign = await PlayedCampaign.build(calling, caller, {
    steps: [
      { key: 'first', retry: { no_answer: ['PT13H'] } },
      { key: 'second', after: 'P2D' },
    ],
  });
  page = `/t/${caller.teamId}/campaigns/${campaign.id}`;
  calling.setRules({ match: '*', outcome: 'no_answer' });
});

const steps = (...keys: string[]) => keys.map((key) => ({ key, agentId: caller.agentId }));

/** Another published version. */
async function version(...keys: string[]): Promise<string> {
  const { id } = await buildVersion(calling.db, caller.teamId, campaign.id, {
    status: 'published',
    definition: { steps: steps(...keys) },
    definition_format: DEFINITION_FORMAT,
  });
  return id;
}

/** The addresses of the enrollments that a list shows. */
async function listed(path: string): Promise<string[]> {
  const shown = await pages.page(path);
  return [...shown.matchAll(/data-enrollment="([^"]*)"/g)].map(([, id]) => id ?? '');
}

test('the list shows what each enrollment waits for, the newest first; filters narrow it, and each leads to its page', async () => {
  const one = await campaign.enroll({ name: 'Ada <b>' });
  await campaign.played(worker.app, 0);
  const other = await campaign.enroll();
  const shown = await pages.page(`${page}/enrollments`);
  expect(shown).not.toContain('Ada <b>');
  expect(await listed(`${page}/enrollments`)).toEqual([other.id, one.id]);
  const text = section(shown, 'enrollments');
  expect(text).toContain('Ada <b> Active first Its next retry');
  expect(text).toContain(`${other.to} Active – –`);
  expect(shown).toContain(`href="${page}/enrollments/${one.id}"`);
  expect(await listed(`${page}/enrollments?waitingFor=retry`)).toEqual([one.id]);
  expect(await listed(`${page}/enrollments?status=paused&waitingFor=&version=`)).toEqual([]);
  expect(await listed(`${page}/enrollments?version=${campaign.versionId}`)).toEqual([other.id, one.id]);
  expect(textOf(await pages.page(`${page}/enrollments?status=exited`))).toContain(
    'No enrollment is like this.',
  );
  await pages.get(`${page}/enrollments?waitingFor=godot`).expect(400);
  await pages.get(`${page}/enrollments?cursor=x`).expect(400);
});

test('a long list has older enrollments, with the same filters', async () => {
  await campaign.enrollMany(51);
  const shown = await pages.page(`${page}/enrollments?status=active`);
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(shown) ?? [];
  expect(older).toContain('status=active');
  expect(await listed(unescapeHtml(older))).toHaveLength(1);
});

test('an enrollment’s page: why it is not called now, what happened, and the calls', async () => {
  const { id, to } = await campaign.enroll({ name: 'Ada' });
  await campaign.played(worker.app, 0);
  const shown = await pages.page(`${page}/enrollments/${id}`);
  expect(section(shown, 'why-not')).toMatch(
    /Its next retry\. Call 1 ended at .*: no answer\. If nothing changes, it is dialed at /,
  );
  expect(shown).toContain('data-rule="retry"');
  const [call = ''] = await campaign.calls(id);
  expect(section(shown, 'timeline')).toMatch(
    /Call 1 of the step first .*The call ended: no answer .*Deferred until/,
  );
  expect(shown).toContain(`href="/t/${caller.teamId}/calls/${call}"`);
  expect(section(shown, 'facts')).toContain(`Number ${to} Enrolled`);
  expect(section(shown, 'facts')).toContain('Version 1 Step first Calls 1 Waits for Its next retry');
});

test('pause, resume and end each ask first, and lead back with what was done', async () => {
  const { id } = await campaign.enroll();
  const path = `${page}/enrollments/${id}`;
  for (const [action, status, done] of [
    ['pause', 'paused', 'The enrollment is paused.'],
    ['resume', 'active', 'The enrollment is active.'],
    ['exit', 'exited', 'The enrollment has ended.'],
  ] as const) {
    const answer = await pages.submit(path, `${path}/${action}`);
    expect([answer.status, answer.headers.location]).toEqual([303, path]);
    expect(textOf(await pages.page(path))).toContain(done);
    expect(await campaign.row(id)).toMatchObject({ status });
  }
  const shown = await pages.page(path);
  expect(formsOf(shown)).toEqual([]);
  expect(section(shown, 'why-not')).toContain('It has ended: Ended by the operator.');
  await pages.post(`${path}/resume`, {}).expect(403);
});

test('a migration is previewed, confirmed, and then carried out', async () => {
  const to = await version('first', 'other');
  const { id } = await campaign.enroll();
  await campaign.played(worker.app, 0);
  const migrate = `${page}/migrate`;
  expect(await pages.page(page)).toContain(`href="${migrate}?from=${campaign.versionId}"`);
  const form = await pages.page(`${migrate}?from=${campaign.versionId}`);
  expect(form).toContain('Version 1, 1 live');
  expect(formsOf(form)).toEqual([]);
  const both = `${migrate}?from=${campaign.versionId}&to=${to}`;
  const plan = section(await pages.page(both), 'plan');
  expect(plan).toContain('1 live enrollment: from version 1 to version 2');
  expect(plan).toContain('first 1 number of calls, retries');
  const answer = await pages.submit(both, `${page}/versions/${to}/migrate`);
  expect([answer.status, answer.headers.location]).toEqual([303, page]);
  const shown = await pages.page(page);
  expect(textOf(shown)).toContain('The live enrollments of the version are being moved.');
  expect(section(shown, 'versions')).toContain('Being moved');
  await campaign.played(worker.app, 0);
  expect(await campaign.row(id)).toMatchObject({ version_id: to });
  expect(section(await pages.page(page), 'versions')).not.toContain('Being moved');
});

test('a migration to a version without an occupied step cannot be asked for; one version is not both', async () => {
  const to = await version('other');
  await campaign.enroll();
  await campaign.played(worker.app, 0);
  const shown = await pages.page(`${page}/migrate?from=${campaign.versionId}&to=${to}`);
  expect(section(shown, 'plan')).toContain('Nothing can be moved: version 2 has no step first.');
  expect(formsOf(shown)).toEqual([]);
  await pages.get(`${page}/migrate?from=${to}&to=${to}`).expect(400);
  await pages.get(`${page}/migrate?from=${UNKNOWN}&to=${to}`).expect(404);
});

test('another team’s and unknown ones are 404', async () => {
  const { id } = await campaign.enroll();
  const other = await buildCaller(calling.db);
  const foreign = page.replace(caller.teamId, other.teamId);
  for (const path of [
    `${foreign}/enrollments`,
    `${foreign}/enrollments/${id}`,
    `${foreign}/migrate`,
    `${page}/enrollments/${UNKNOWN}`,
    `${page}/enrollments/x`,
  ]) {
    await pages.get(path).expect(404);
  }
});

const executable = findChromium();
const withBrowser = executable === null ? test.skip : test;

withBrowser('in a browser, at the width of a phone and of a desk, nothing overflows', async () => {
  const long = 'x'.repeat(40);
  campaign = await PlayedCampaign.build(calling, caller, {
    steps: [{ key: 'first' }, { key: long, after: 'P2D' }],
  });
  page = `/t/${caller.teamId}/campaigns/${campaign.id}`;
  const to = await version('first');
  const { id } = await campaign.enroll({ name: 'W'.repeat(60) });
  await campaign.played(worker.app, 0);
  await campaign.enrollMany(3);
  const { port } = calling.api.getHttpServer().address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}`;
  const browser = await launchChromium(executable ?? '');
  try {
    for (const width of [390, 768, 1400]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL });
      await signIn(context, pages.cookieHeader(), baseURL);
      const tab = await context.newPage();
      for (const [name, path] of [
        ['enrollments', `${page}/enrollments`],
        ['enrollment', `${page}/enrollments/${id}`],
        ['migration', `${page}/migrate?from=${campaign.versionId}&to=${to}`],
      ] as const) {
        await tab.goto(path);
        const overflow = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([name, overflow]).toEqual([name, 0]);
        if (!PICTURES) continue;
        mkdirSync(PICTURES, { recursive: true });
        await tab.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true });
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
