import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { KEY_SCOPES } from '../../src/domain/key-scopes.js';
import { DESK, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { createWorld, type World } from '../support/app.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildProcessedCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const MOST_BYTES = 60 * 1024;

withBrowser('the pages of settings and of the platform in a browser', () => {
  let world: World;
  let browser: Browser;
  let origin: string;
  let caller: Caller;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    world = await createWorld();
    const api = await world.startApi();
    origin = `http://127.0.0.1:${(api.getHttpServer().address() as AddressInfo).port}`;
    const { db } = world;
    const team = { name: 'Northwind Clinics', timezone: 'America/New_York', monthly_call_limit: 5_000 };
    caller = await buildCaller(db, team, { name: 'Reminder agent' });
    await buildCaller(db, { name: 'Southgate Clinics', paused: true });
    await buildProcessedCall(db, caller, nextNumber(), '5 minutes', { carrier: 'simulator' });
    await buildProcessedCall(db, caller, nextNumber(), '5 minutes', {
      carrier: 'simulator',
      status: 'failed',
    });
    await db.query(`UPDATE api_keys SET name = 'CRM', last_used_at = now() WHERE team_id = $1`, [
      caller.teamId,
    ]);
    const { userId } = await signedIn(db, { teamId: caller.teamId, role: 'manager' });
    await db.query(
      `UPDATE users SET email = 'grace.hopper@northwind-clinics.example', password_hash = 'chosen', last_sign_in_at = now()
       WHERE id = $1`,
      [userId],
    );
    const at = new Date();
    const none = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
    await insertRow(db, 'sweeper_runs', {
      worker: 'worker-1',
      started_at: at,
      ran_at: at,
      duration_ms: 4,
      ...none,
    });
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  async function open(who: Parameters<typeof signedIn>[1], javaScriptEnabled = true): Promise<Page> {
    const { cookie } = await signedIn(world.db, who);
    const [name = '', value = ''] = cookie.split('=');
    const context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled });
    contexts.push(context);
    await context.addCookies([{ name, value, url: origin }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return page;
  }

  const admin = () => ({ teamId: caller.teamId, role: 'admin' as const });

  /** What axe-core finds, by rule, in both colour schemes. */
  async function faultsOf(page: Page): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const result = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
        `(async () => { ${AXE}; const { violations } = await window.axe.run(); return violations; })()`,
      );
      found.push(
        ...result.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      );
    }
    await page.emulateMedia({ colorScheme: 'light' });
    return found;
  }

  async function expectGood(page: Page, name: string): Promise<void> {
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((one) => ((one as { open?: boolean }).open = true)));
    expect(await faultsOf(page)).toEqual([]);
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((one) => ((one as { open?: boolean }).open = false)));
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize(DESK);
    expect(Buffer.byteLength(await page.content())).toBeLessThan(MOST_BYTES);
    await picture(page, name);
  }

  test.each(['team', 'api-keys', 'members', 'carriers', 'compliance', 'retention'])(
    'the settings’ page %s is readable for everyone, at both widths',
    async (name) => {
      const page = await open(admin());
      await page.goto(`/t/${caller.teamId}/settings/${name}`);
      await expectGood(page, `settings-${name}`);
    },
  );

  test('the settings that a viewer reads, and an operator changes, are readable for everyone', async () => {
    const viewer = await open({ teamId: caller.teamId, role: 'viewer' });
    await viewer.goto(`/t/${caller.teamId}/settings/team`);
    await expectGood(viewer, 'settings-team-viewer');
    const operator = await open({ operator: true });
    await operator.goto(`/t/${caller.teamId}/settings/team`);
    await expectGood(operator, 'settings-team-operator');
  });

  test.each(['teams', 'operators', 'carriers', 'health'])(
    'the platform’s page %s is readable for everyone, at both widths',
    async (name) => {
      const page = await open({ operator: true });
      await page.goto(`/platform/${name}`);
      await expectGood(page, `platform-${name}`);
    },
  );

  test('without a script an admin makes a key, sees it once, and revokes it', async () => {
    const page = await open(admin(), false);
    await page.goto(`/t/${caller.teamId}`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('Billing');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect(page.locator('output[data-secret]').innerText()).resolves.toMatch(/^od_live_\w{43}$/);
    expect(page.url()).not.toContain('od_live');
    await page.goto(page.url());
    expect(await page.locator('output[data-secret]').count()).toBe(0);
    await page.locator('summary', { hasText: 'Revoke Billing' }).click();
    await page.getByRole('button', { name: 'Yes, revoke Billing' }).click();
    await expect(page.getByRole('status').innerText()).resolves.toBe(
      'The key is revoked. Requests with it are refused.',
    );
  });

  test('by keyboard alone an admin makes a key with one scope less', async () => {
    const page = await open(admin());
    await page.goto(`/t/${caller.teamId}/settings/api-keys`);
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('output[data-secret]').waitFor();
    const [row] = await world.db.query<{ scopes: string[] }[]>(
      `SELECT scopes FROM api_keys WHERE name = 'Keyboard'`,
    );
    expect(row?.scopes).toEqual(KEY_SCOPES.slice(1));
    await expectGood(page, 'settings-api-keys-created');
  });

  test('a refused form shows at each field what is wrong, and is readable for everyone', async () => {
    const page = await open(admin());
    await page.goto(`/t/${caller.teamId}/settings/api-keys`);
    for (const scope of await page.locator('input[name=scopes]').all()) await scope.uncheck();
    await page.getByLabel('Name').fill('Reports');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('link', { name: 'Tick at least one scope' }).waitFor();
    await expectGood(page, 'settings-api-keys-refused');
    await page.goto(`/t/${caller.teamId}/settings/team`);
    await page.getByLabel('Number daily limit').fill('many');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('alert').waitFor();
    await expectGood(page, 'settings-team-refused');
  });

  test('without a script an admin invites a member and changes a limit, and an operator makes a team', async () => {
    const page = await open(admin(), false);
    await page.goto(`/t/${caller.teamId}/settings/members`);
    await page.getByLabel('E-mail').fill('ada.lovelace@northwind-clinics.example');
    await page.getByRole('radio', { name: /^manager/ }).check();
    await page.getByRole('button', { name: 'Invite' }).click();
    await expect(page.locator('output[data-secret]').innerText()).resolves.toContain(`${origin}/invite/`);
    await picture(page, 'settings-members-invited');
    await page.goto(`/t/${caller.teamId}/settings/team`);
    await page.getByLabel('Number daily limit').fill('3');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByRole('status').innerText()).resolves.toContain('The settings are saved.');

    const operator = await open({ operator: true }, false);
    await operator.goto('/platform/teams');
    await operator.getByLabel('Name').fill('Eastern Clinics');
    await operator.getByRole('button', { name: 'Create team' }).click();
    await expect(operator.getByRole('heading', { level: 1 }).innerText()).resolves.toBe('Getting started');
    await expect(operator.locator('header').innerText()).resolves.toContain('Eastern Clinics');
  });
});
