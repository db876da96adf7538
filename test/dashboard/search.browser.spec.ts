import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { DESK, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { buildAgent, buildCampaign, buildContact, buildTeam } from '../support/builders.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { signedIn } from '../support/signed-in.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

withBrowser('the search in a browser', () => {
  let world: World;
  let browser: Browser;
  let context: BrowserContext;
  let origin: string;
  let teamId: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await createWorld();
    const api = await world.startApi();
    const { port } = api.getHttpServer().address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    ({ id: teamId } = await buildTeam(world.db, { name: 'Northwind Clinics', default_country: 'US' }));
    await buildContact(world.db, teamId, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      external_id: 'crm-7',
      phone_number: '+14155550142',
    });
    await buildContact(world.db, teamId, { name: 'Adam Smith', phone_number: '+14155550143' });
    await buildAgent(world.db, teamId, { name: 'Ad hoc reminder' });
    await buildCampaign(world.db, teamId, { name: 'Ads of spring' });
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(() => context?.close());

  async function open(javaScriptEnabled: boolean): Promise<Page> {
    context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled });
    const { cookie } = await signedIn(world.db, { operator: true });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return page;
  }

  test('a person goes to the field by the keyboard, and to the thing', async () => {
    const page = await open(true);
    await page.goto(`/t/${teamId}/calls`);
    await page.keyboard.press('/');
    await page.keyboard.type('(415) 555-0142');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Ada Lovelace' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('results follow the text as it is typed, and axe finds nothing', async () => {
    const page = await open(true);
    await page.goto(`/t/${teamId}/search?q=a`);
    await page.getByText('Ads of spring').waitFor();
    await picture(page, 'search');
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(DESK);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(AXE);
      const found = await page.evaluate<{ id: string; html: string[] }[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))',
      );
      expect(found).toEqual([]);
    }
    const field = page.locator('main input[name=q]');
    await field.fill('ada l');
    await page.getByText('Ads of spring').waitFor({ state: 'detached' });
    expect(await page.locator('#results').innerText()).toContain('Ada Lovelace');
    await field.fill('nobody');
    await page.locator('#nothing').waitFor();
    await picture(page, 'search-nothing');
    expect(complaints).toEqual([]);
  });

  test('without a script, the form does the same', async () => {
    const page = await open(false);
    await page.goto(`/t/${teamId}`);
    await page.locator('header input[name=q]').fill('ad');
    await page.locator('header input[name=q]').press('Enter');
    await page.getByRole('link', { name: 'Adam Smith' }).click();
    expect(await page.locator('h1').innerText()).toBe('Adam Smith');
    expect(await page.locator('main .phone').first().getAttribute('value')).toBe('+14155550143');
  });
});
