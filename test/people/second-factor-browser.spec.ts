import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Secret, TOTP } from 'otpauth';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { PeopleService } from '../../src/people/people.service.js';
import { DESK, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';

const PASSWORD = 'tulip-orbit-mandate';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the browser tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('the second factor, in a browser without scripts', () => {
  let world: World;
  let api: NestExpressApplication;
  let browser: Browser;
  let origin: string;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    world = await createWorld({ secretsKey: 'secrets-key-of-this-test' });
    api = await world.startApi();
    await api.get(PeopleService, { strict: false }).create({ operator: true }, 'ops@example.com', PASSWORD);
    origin = `http://127.0.0.1:${(api.getHttpServer().address() as AddressInfo).port}`;
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  /** What a screen cuts off, and what axe finds in the page, at both widths, once bright and once dark. */
  async function faultsOf(page: Page, name: string): Promise<unknown[]> {
    await picture(page, name);
    const faults: unknown[] = [];
    for (const look of [
      { colorScheme: 'light', viewport: PHONE },
      { colorScheme: 'dark', viewport: DESK },
    ] as const) {
      // Scripts are off in the page itself, so a copy of it is looked at.
      const context = await browser.newContext({ ...look, bypassCSP: true });
      const copy = await context.newPage();
      await copy.goto(`${origin}/login`);
      await copy.setContent(await page.content());
      await copy.evaluate(AXE);
      const violations = await copy.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
      );
      faults.push(...(violations as unknown[]));
      const overflow = await overflowOf(copy);
      if (overflow !== 0) faults.push([look.viewport.width, 'overflow', overflow]);
      await context.close();
    }
    return faults;
  }

  test('is turned on, asked for at the next sign-in, and turned off', async () => {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      // Chromium reports the status of a page that was refused, too.
      if (message.type() === 'error' && !message.text().includes('status of'))
        complaints.push(message.text());
    });
    const press = (name: string) => page.locator('main').getByRole('button', { name }).click();

    await page.goto('/login?back=/account');
    await page.getByLabel('E-mail').fill('ops@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
    expect(await faultsOf(page, 'factor-account')).toEqual([]);
    await page.getByRole('link', { name: 'See your second factor' }).click();
    expect(await faultsOf(page, 'factor-off')).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Begin');
    const secret = await page.locator('output[data-secret]').innerText();
    const codeIn = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    expect(await faultsOf(page, 'factor-offer')).toEqual([]);
    await page.getByRole('textbox', { name: 'Code' }).fill('12345');
    await press('Turn on');
    await page.getByText('This code is wrong').waitFor();
    expect(await faultsOf(page, 'factor-offer-refused')).toEqual([]);
    await page.getByRole('textbox', { name: 'Code' }).fill(codeIn(0));
    await press('Turn on');
    const codes = (await page.locator('output[data-secret]').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    expect(await faultsOf(page, 'factor-codes')).toEqual([]);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByText('10 are left.').waitFor();
    expect(await faultsOf(page, 'factor-on')).toEqual([]);

    await page.locator('header').getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/platform/calls');
    await page.getByLabel('E-mail').fill('ops@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
    await page.waitForURL('**/login/code?back=%2Fplatform%2Fcalls');
    expect(await faultsOf(page, 'factor-code')).toEqual([]);
    await page.getByRole('textbox', { name: 'Code' }).fill('12345');
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong').waitFor();
    expect(await faultsOf(page, 'factor-code-refused')).toEqual([]);
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/platform/calls');

    await page.goto('/account/second-factor');
    await page.getByText('9 are left.').waitFor();
    await page.getByLabel('Password').fill('not the password');
    await page.locator('#off-code').fill(codes[1] ?? '');
    await press('Turn off');
    await page.getByText('The password or the code is wrong').waitFor();
    expect(await faultsOf(page, 'factor-on-refused')).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('#off-code').fill(codes[1] ?? '');
    await press('Turn off');
    await page.getByText('Your second factor is off').waitFor();
    expect(await faultsOf(page, 'factor-turned-off')).toEqual([]);
    expect(complaints).toEqual([]);
  }, 300_000);
});
