import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { signedIn } from '../support/signed-in.js';
import { CLIENT, Organization } from './support/organization.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the browser tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('OpenID Connect, in a browser without scripts', () => {
  let world: World;
  let organization: Organization;
  let browser: Browser;
  let origin: string;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await createWorld(CLIENT);
    const api = await world.startApi();
    origin = `http://127.0.0.1:${(api.getHttpServer().address() as AddressInfo).port}`;
    organization = await Organization.start(`${origin}/login/oidc/callback`);
    // Each must know the other's port; the API asks for the provider when it needs it.
    world.config.oidcIssuer = organization.issuer;
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    await organization?.stop();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  async function open(path: string, cookie?: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false, viewport: PHONE });
    contexts.push(context);
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name, value, url: origin }]);
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

  /** What a narrow screen cuts off, and what axe finds in a copy of the page, where scripts are on. */
  async function faultsOf(page: Page): Promise<unknown[]> {
    const faults: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
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

  test('an operator connects the account, and signs in with it from then on', async () => {
    const { cookie, email } = await signedIn(world.db, { operator: true });
    await organization.as('operator', email);
    const page = await open('/login');
    await picture(page, 'login-openid');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with your organization' }).click();
    await page.getByText('You could not be signed in.').waitFor();
    await picture(page, 'login-openid-refused');
    expect(await faultsOf(page)).toEqual([]);

    const own = await open('/account', cookie);
    await picture(own, 'account-openid');
    expect(await faultsOf(own)).toEqual([]);
    await own.getByRole('button', { name: 'Connect' }).click();
    await own.getByText('From now on you can sign in with your organization.').waitFor();
    expect(new URL(own.url()).pathname).toBe('/account');

    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('link', { name: 'Sign in with your organization' }).click();
    await page.waitForURL('**/platform/teams');
  });
});
