import axe from 'axe-core';
import { type Browser, type Page } from 'playwright-core';
import { GUIDE_NAMES } from '../../src/openapi/guides/guides.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';
import {
  picture,
  ReaderBrowser,
  SCHEMES,
  type Screen,
  SCREENS,
  stickingOut,
  tooFaint,
} from './reader-browser.js';

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the browser tests are skipped.\n');
const PACKS = ['/docs/packs', '/docs/packs/it', '/docs/packs/us-ca'];
const OPERATIONS = ['/docs/operations/triggerCall', '/docs/operations/updateTeam', '/docs/objects'];
const PAGES = ['/docs', ...OPERATIONS, ...GUIDE_NAMES.map((name) => `/docs/guides/${name}`), ...PACKS];
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('the documentation, in a browser', () => {
  let world: World;
  let browser: Browser;
  let reader: ReaderBrowser;

  beforeAll(async () => {
    world = await createWorld();
    const origin = (await (await world.startApi()).getUrl()).replace(/\/$/, '');
    browser = await launchChromium(executable ?? '');
    reader = new ReaderBrowser(browser, origin);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(async () => {
    const { complaints } = reader;
    await reader.reset();
    expect(complaints).toEqual([]);
  });

  const results = (page: Page) => page.locator('#found [role=option]');
  const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  const top = (page: Page, selector: string): Promise<number> =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().top`);
  const screens = Object.keys(SCREENS) as Screen[];

  test.each(screens)('on a %s, search finds operations, paths, fields and headings', async (screen) => {
    const page = await reader.open('/docs', screen);
    await page.keyboard.press('/');
    await page.keyboard.type('cancel call');
    await results(page).first().waitFor();
    expect(await results(page).first().innerText()).toContain('Cancel a call that is pending');
    await picture(page, `search-${screen}`);
    expect(await stickingOut(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operations/cancelCall');
    expect(await page.locator('#found').isHidden()).toBe(true);
    expect(await top(page, '#cancelCall')).toBeGreaterThan(0);
    expect(await top(page, '#cancelCall')).toBeLessThan(200);
    for (const [words, url] of [
      ['/api/webhook-deliveries retry', '/docs/operations/retryWebhookDelivery'],
      ['acceptedFrom list', '/docs/operations/listCallsByKey#listCallsByKey.acceptedFrom'],
      ['durationSeconds', 'durationSeconds'],
      ['repeat safely', '/docs/guides/errors-and-retries#repeat-a-request-safely'],
    ] as const) {
      await page.locator('#search').fill(words);
      const link = page.locator(`#found a[href*="${url}"]`).first();
      await link.waitFor();
    }
    await page.locator('#search').fill('there is no such thing');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#found').isHidden()).toBe(true);
  });

  test.each(screens)('on a %s, a chosen language holds for all pages, and copying copies', async (screen) => {
    const page = await reader.open('/docs/operations/getCall', screen);
    const example = page.locator('.operation', { has: page.locator('#getCall') }).locator('.example');
    const [curl, typescript] = [
      example.locator('[data-language=curl]'),
      example.locator('[data-language=typescript]'),
    ];
    expect([await curl.isVisible(), await typescript.isVisible()]).toEqual([true, false]);
    await curl.getByRole('button', { name: 'Copy' }).click();
    await curl.getByText('Copied').waitFor();
    expect(await clipboard(page)).toBe(
      'curl "$OUTDIAL_URL/api/calls/$CALL_REQUEST_ID" \\\n  -H "Authorization: Bearer $API_KEY"',
    );
    await example.getByRole('button', { name: 'TypeScript' }).click();
    expect([await curl.isVisible(), await typescript.isVisible()]).toEqual([false, true]);
    await typescript.getByRole('button', { name: 'Copy' }).click();
    await typescript.getByText('Copied').waitFor();
    expect(await clipboard(page)).toContain('await outdial.calls.get(env.CALL_REQUEST_ID)');
    await picture(page, `operation-typescript-${screen}`);
    await page.goto('/docs/guides/place-your-first-call');
    expect(await page.locator('[data-language=curl]').first().isVisible()).toBe(false);
    expect(await page.locator('[data-language=typescript]').first().isVisible()).toBe(true);
  });

  test.each(screens.flatMap((screen) => PAGES.map((path) => [screen, path] as const)))(
    'on a %s, %s fits, and can be read by day and by night',
    async (screen, path) => {
      const page = await reader.open(path, screen);
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      expect(await stickingOut(page)).toEqual([]);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect([colorScheme, await tooFaint(page)]).toEqual([colorScheme, []]);
        await picture(page, `${path.slice(1).replaceAll('/', '-')}-${screen}-${colorScheme}`);
      }
    },
  );

  test.each(PACKS)('%s has nothing for axe to find', async (path) => {
    const page = await reader.open(path, 'desk');
    await page.evaluate(axe.source);
    const found = await page.evaluate(
      `axe.run('main').then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
    );
    expect(found).toEqual([]);
  });

  test('on a phone the menu opens, and closes when a link is chosen', async () => {
    const page = await reader.open('/docs', 'phone');
    expect(await page.locator('nav').isVisible()).toBe(false);
    await page.getByText('Menu', { exact: true }).click();
    await picture(page, 'menu-phone');
    await page.locator('nav').getByText('Cancel a call that is pending').click();
    expect(await page.locator('nav').isVisible()).toBe(false);
    await page.waitForURL('**/docs/operations/cancelCall');
  });

  test('without a script both languages are shown, and what needs it is not', async () => {
    const page = await reader.open('/docs/operations/getCall', 'desk', { javaScriptEnabled: false });
    const example = page.locator('.operation', { has: page.locator('#getCall') }).locator('.example');
    expect(await example.locator('[data-language=curl]').isVisible()).toBe(true);
    expect(await example.locator('[data-language=typescript]').isVisible()).toBe(true);
    for (const hidden of ['.search', '.tabs >> nth=0', '.copy >> nth=0'])
      expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
    await picture(page, 'without-script');
  });

  test.each([
    ['#cancelCall', '/operations/cancelCall'],
    ['#triggerCall.body.phoneNumber', '/operations/triggerCall#triggerCall.body.phoneNumber'],
    ['#objects', '/objects'],
    ['#schema-Call', '/objects#schema-Call'],
  ])('the former address /docs%s leads to /docs%s', async (former, address) => {
    const page = await reader.open(`/docs${former}`, 'desk');
    await page.waitForURL(`**/docs${address}`);
  });

  test('a link to a field of an object opens the object', async () => {
    const page = await reader.open('/docs/objects#schema-Call.durationSeconds', 'desk');
    expect(await page.locator('[id="schema-Call.durationSeconds"]').isVisible()).toBe(true);
    await picture(page, 'object-field');
  });
});
