import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { DESK, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign } from '../support/builders.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { signedIn } from '../support/signed-in.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

withBrowser('the pages of a campaign in a browser', () => {
  let world: World;
  let browser: Browser;
  let context: BrowserContext;
  let origin: string;
  let caller: Caller;
  let page: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await createWorld();
    const api = await world.startApi();
    const { port } = api.getHttpServer().address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    browser = await launchChromium(executable ?? '');
  });
  beforeEach(async () => {
    caller = await buildCaller(world.db, { name: 'Northwind Clinics' }, { name: 'Reminder agent' });
    const { id } = await buildCampaign(world.db, caller.teamId, { name: 'Spring reminders' });
    page = `/t/${caller.teamId}/campaigns/${id}`;
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(() => context?.close());

  async function open(javaScriptEnabled: boolean): Promise<Page> {
    context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled });
    const { cookie } = await signedIn(world.db, { teamId: caller.teamId, role: 'manager' });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin }]);
    const tab = await context.newPage();
    tab.setDefaultTimeout(30_000);
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(error.message));
    return tab;
  }

  async function expectNoFaults(tab: Page): Promise<void> {
    await tab.evaluate(AXE);
    for (const viewport of [PHONE, DESK]) {
      await tab.setViewportSize(viewport);
      expect(await overflowOf(tab)).toBeLessThanOrEqual(0);
      const found = await tab.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200)))`,
      );
      expect(found).toEqual([]);
    }
  }

  test('what is typed is checked at its field, and what was typed stays', async () => {
    const tab = await open(true);
    await tab.goto(`${page}/versions/new`);
    const delays = tab.getByLabel('After “No answer”');
    await delays.fill('16h, soon');
    await tab.locator('#field-steps-0-retry-no_answer-error').getByText('delay 2 must be').waitFor();
    await tab.locator('#check').getByText('This would be refused').waitFor();
    await picture(tab, 'version-checked');
    await expectNoFaults(tab);
    expect(await delays.inputValue()).toBe('16h, soon');
    await delays.fill('16h, 1d');
    await tab.locator('#check').getByText('Nothing in it would be refused').waitFor();
    expect(await tab.locator('#field-steps-0-retry-no_answer-error').innerText()).toBe('');
    expect(await tab.locator('#field-json').inputValue()).toContain('"PT16H"');
    // The Enter key checks, and neither moves a step nor saves.
    await delays.press('Enter');
    await tab.locator('#check').getByText('Nothing in it would be refused').waitFor();
    expect(await tab.locator('section[id^="step-"]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('without scripts, a version is made of two steps, saved and published', async () => {
    const tab = await open(false);
    await tab.goto(`${page}/versions/new`);
    await tab.getByRole('button', { name: 'Add a step' }).click();
    expect(tab.url()).toContain('#step-');
    await tab.getByRole('button', { name: /^Up.*step 2$/ }).click();
    await tab.getByRole('button', { name: /^Add a route\s+to step 1$/ }).click();
    await picture(tab, 'version-two-steps');
    await tab.getByRole('button', { name: 'Save the draft' }).click();
    await tab.getByRole('status').getByText('The draft is saved').waitFor();
    await tab.getByRole('link', { name: 'Publish…' }).click();
    await picture(tab, 'version-publish');
    await tab.getByRole('button', { name: 'Yes, publish version 2' }).click();
    await tab.getByText('The version is current').waitFor();
    const [row] = await world.db.query<{ keys: string[] }[]>(
      `SELECT ARRAY(SELECT jsonb_path_query(v.definition, '$.steps[*].key') #>> '{}') AS keys
       FROM campaign_versions v JOIN campaigns c ON c.current_version_id = v.id WHERE c.team_id = $1`,
      [caller.teamId],
    );
    expect(row?.keys).toEqual(['step-2', 'step-1']);
    expect(complaints).toEqual([]);
  });
});
