import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { PeopleService } from '../../src/people/people.service.js';
import { newWelcome } from '../../src/people/welcome.js';
import { overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildTeam, insertRow } from '../support/builders.js';

const PASSWORD = 'tulip-orbit-mandate';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the browser tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('signing in, in a browser without scripts', () => {
  let world: World;
  let api: NestExpressApplication;
  let people: PeopleService;
  let browser: Browser;
  let origin: string;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await createWorld();
    api = await world.startApi();
    people = api.get(PeopleService, { strict: false });
    const { port } = api.getHttpServer().address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  async function open(path: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      // Chromium reports the status of a page that was refused, too.
      if (message.type() === 'error' && !message.text().includes('status of'))
        complaints.push(message.text());
    });
    await page.goto(path);
    return page;
  }

  /** What a narrow screen cuts off, and what axe finds in the page, in both colour schemes. */
  async function faultsOf(page: Page): Promise<unknown[]> {
    const faults: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      // Scripts are off in the page itself, so a copy of it is looked at.
      const context = await browser.newContext({ colorScheme, viewport: PHONE, bypassCSP: true });
      contexts.push(context);
      const copy = await context.newPage();
      await copy.goto(`${origin}/login`);
      await copy.setContent(await page.content());
      await copy.evaluate(AXE);
      const violations = await copy.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
      );
      faults.push(...(violations as unknown[]));
      const overflow = await overflowOf(copy);
      if (overflow !== 0) faults.push(['overflow', overflow]);
    }
    return faults;
  }

  async function welcome(): Promise<string> {
    const client = new Client({ connectionString: world.config.databaseUrl });
    await client.connect();
    try {
      return (await newWelcome(client)) ?? '';
    } finally {
      await client.end();
    }
  }

  test('the first operator begins by keyboard alone, signs out, and signs in again', async () => {
    const page = await open(await welcome());
    await picture(page, 'welcome');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('E-mail').fill('ops@example.com');
    await page.getByLabel('New password').fill('password12345');
    await page.keyboard.press('Enter');
    await page.getByText('is too easy to guess').waitFor();
    await picture(page, 'welcome-refused');
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ops@example.com');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/platform/teams');
    await page.goto('/account');
    await picture(page, 'account-operator');
    await page.locator('header').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await page.goto('/platform/calls');
    await page.waitForURL('**/login?back=*');
    await picture(page, 'login');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type('ops@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('E-mail or password is wrong.').waitFor();
    await picture(page, 'login-wrong');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/platform/calls');
  });

  test('a new person joins, and a known one accepts', async () => {
    const { id: one } = await buildTeam(world.db, { name: 'Northwind Clinics' });
    const { id: two } = await buildTeam(world.db, { name: 'Southgate <b>Clinics</b>' });
    const first = await people.invite(one, 'ada@example.com', 'manager', origin);
    const page = await open(first.link);
    await picture(page, 'invite');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(`**/t/${one}`);
    const second = await people.invite(two, 'ada@example.com', 'admin', origin);
    const stranger = await open(second.link);
    await picture(stranger, 'invite-known');
    expect(await faultsOf(stranger)).toEqual([]);
    await page.goto(second.link);
    await picture(page, 'invite-accept');
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.locator('h1').innerText()).toBe('Join Southgate <b>Clinics</b>');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(`**/t/${two}`);
    await page.goto('/start');
    await picture(page, 'start');
    expect(await faultsOf(page)).toEqual([]);
    await page.goto('/account');
    await picture(page, 'account');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Password now').fill(PASSWORD);
    await page.getByLabel('New password').fill('rusty lanterns hum in fog');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed').waitFor();
    await picture(page, 'account-changed');
    await page.goto(second.link);
    await picture(page, 'link-gone');
    expect(await faultsOf(page)).toEqual([]);
  });

  test('a person in no team chooses a new password', async () => {
    const { id } = await insertRow<{ id: string }>(world.db, 'users', { email: 'bob@example.com' });
    const { link } = await people.reset(id, origin);
    const page = await open(link);
    await picture(page, 'reset');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('You are in no team yet.').waitFor();
    await picture(page, 'start-none');
    expect(await faultsOf(page)).toEqual([]);
  });
});
