import { type AddressInfo } from 'node:net';
import axe from 'axe-core';
import { type Browser, type Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { DESK, OperationsBrowser, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { buildBusyDay } from './busy-day.js';
import { addressesOf, PUBLIC_ADDRESSES } from './every-page.js';

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the accessibility tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

const MAX_PAGE_BYTES = 60_000;
const WITHIN_MS = 240_000;
/** The pages are many, and each part has the time of a test. */
const PARTS = [0, 1, 2, 3, 4];

/** What axe found, with the first elements. */
interface Finding {
  id: string;
  impact: string;
  nodes: string[];
}

withBrowser('every page', () => {
  let calling: Calling;
  let browser: Browser;
  let pages: OperationsBrowser;
  let caller: Caller;
  let viewer: string;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    // Development shows the components, too.
    calling = await Calling.start({ nodeEnv: 'development' });
    const { db } = calling;
    const { port } = calling.api.getHttpServer().address() as AddressInfo;
    caller = await buildCaller(
      db,
      { name: 'Northwind Clinics', timezone: 'America/New_York' },
      { name: 'Reminder agent' },
    );
    await buildCaller(db, { name: 'Southgate Garages, whose name is a long one that has to end somewhere' });
    await buildBusyDay(db, caller);
    addresses = await addressesOf(db, caller);
    browser = await launchChromium(executable ?? '');
    const { cookie } = await signedIn(db, { operator: true });
    ({ cookie: viewer } = await signedIn(db, { teamId: caller.teamId, role: 'viewer' }));
    pages = new OperationsBrowser(browser, `http://127.0.0.1:${port}`, cookie);
  });
  afterAll(async () => {
    await browser?.close();
    await calling?.close();
  });
  afterEach(() => pages?.reset());

  /** What is wrong with the opened page at both widths, bright and dark. */
  async function faultsOf(page: Page): Promise<unknown[]> {
    const faults: unknown[] = [];
    await page.evaluate(axe.source);
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport);
      const overflow = await overflowOf(page);
      if (overflow !== 0) faults.push({ width: viewport.width, overflow });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await page.evaluate<Finding[]>(
          `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>
            ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) })))`,
        );
        faults.push(...found.map((finding) => ({ width: viewport.width, colorScheme, ...finding })));
      }
    }
    return faults;
  }

  test.each(PARTS)(
    'has nothing for axe to find, is no wider than the screen, and is small, part %i',
    async (part) => {
      const page = await pages.open();
      const faults: Record<string, unknown[]> = {};
      const own = Object.entries(addresses).filter((_, index) => index % PARTS.length === part);
      for (const [name, path] of own) {
        const answer = await page.goto(path);
        const { length } = (await answer?.body()) ?? Buffer.alloc(0);
        await picture(page, `all-${name}`);
        const found = await faultsOf(page);
        if (length > MAX_PAGE_BYTES) found.push({ length });
        if (found.length > 0) faults[name] = found;
      }
      expect(faults).toEqual({});
      // A refused page is one that the browser complains about, too.
      expect(pages.complaints.filter((text) => !text.includes('the server responded with a status'))).toEqual(
        [],
      );
    },
    WITHIN_MS,
  );

  test('for people who are not signed in has nothing for axe to find, too', async () => {
    const page = await pages.open(DESK, null);
    const faults: Record<string, unknown[]> = {};
    for (const [name, path] of Object.entries(PUBLIC_ADDRESSES)) {
      await page.goto(path);
      await picture(page, `all-${name}`);
      const found = await faultsOf(page);
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
  });

  test('with an open menu has nothing for axe to find, and the menus work by keyboard alone', async () => {
    const page = await pages.open();
    await page.goto(`/t/${caller.teamId}`);
    await page.locator('.switcher summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.switcher a[href="/platform"]').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'all-switcher');
    await page.keyboard.press('Escape');
    expect(await page.locator('details.menu[open]').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('+1415');
    expect(await page.locator('header input[name=q]').inputValue()).toBe('+1415');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await picture(page, 'all-person');
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('h1').click();
    expect(await page.locator('details.menu[open]').count()).toBe(0);
    expect(pages.complaints).toEqual([]);
  });

  test('of a viewer has no control of what only others may do, and the header takes little of a phone', async () => {
    const page = await pages.open(PHONE, viewer);
    await page.goto(`/t/${caller.teamId}`);
    await picture(page, 'all-viewer');
    await page.setViewportSize(PHONE);
    const height = await page.evaluate<number>('document.querySelector("header").offsetHeight');
    expect(height).toBeLessThan(160);
    expect(await page.locator('#pause').count()).toBe(0);
    expect(await page.locator('header').innerText()).not.toMatch(/Audit|Platform/);
  });
});
