import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { buildTeam } from '../support/builders.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { Calling } from '../support/calling.js';
import { newWelcome } from '../../src/people/welcome.js';
import { DESK, overflowOf, PHONE, picture } from '../operations/operations-browser.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

withBrowser.each([
  { scripts: 'with scripts', javaScriptEnabled: true },
  { scripts: 'without scripts', javaScriptEnabled: false },
])('from an empty team to a call with its own key, $scripts', ({ javaScriptEnabled }) => {
  let calling: Calling;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin: string;
  let teamId: string;
  const complaints: string[] = [];
  const steps: string[] = [];
  let clicks = 0;

  beforeAll(async () => {
    // A life that is long enough to be seen.
    calling = await Calling.start({
      simulatorAcceptMs: 300,
      simulatorRingMs: 700,
      simulatorTalkMs: 1_500,
    });
    await calling.startWorker();
    const { port } = calling.api.getHttpServer().address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    browser = await launchChromium(executable ?? '');
    context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    await calling?.close();
  });

  /** The link that `npm start` prints. */
  async function openLink(): Promise<void> {
    const client = new Client({ connectionString: calling.world.config.databaseUrl });
    await client.connect();
    await page.goto((await newWelcome(client)) ?? '');
    await client.end();
  }

  async function step(name: string, act: () => Promise<void>): Promise<void> {
    const from = performance.now();
    await act();
    steps.push(`${name}: ${Math.round(performance.now() - from)} ms`);
  }

  const click = async (name: string | RegExp) => {
    clicks += 1;
    await page.getByRole('button', { name }).click();
  };

  /** Without a script, the person reloads. */
  async function until(shown: () => Promise<boolean>, link: string): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (await shown()) return;
      if (javaScriptEnabled) await page.waitForTimeout(50);
      else await page.locator(link).getByText('Show how it stands').click();
    }
    throw new Error(`it was not shown: ${await page.locator(link).innerText()}`);
  }

  test('a person clicks through the five steps, and reads no document', async () => {
    await step('the printed link', openLink);
    await step('e-mail and password', async () => {
      await page.getByLabel('E-mail').fill('ada@northwind.example');
      await page.locator('input[name=password]').fill('seven quiet lighthouses');
      await click('Begin');
      await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
    });
    await step('a team', async () => {
      await page.getByLabel('Name', { exact: true }).fill('Northwind Clinics');
      await click('Create team');
      await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    });
    teamId = /\/t\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    expect(await page.locator('h1').innerText()).toBe('Getting started');
    await picture(page, 'start-empty');

    await step('country and time zone', async () => {
      await page.getByLabel('Country of the people you call').selectOption('US');
      await page.getByLabel('Their time zone').selectOption('America/New_York');
      await click('Save');
      await page.locator('#step-place .mark').waitFor();
    });
    await step('a number', async () => {
      await click(/Use the simulator’s number/);
      await page.locator('#step-number.done').waitFor();
    });
    await picture(page, 'start-agent');
    await step('an agent', async () => {
      // The test runs at any time of the day.
      await page.getByLabel('At any time').check();
      await click('Make the agent');
      await page.locator('#step-agent.done').waitFor();
    });
    // A renewal that fails leaves the part as it was, and the next one comes.
    const renewals = (url: URL) => url.searchParams.has('call');
    let failures = 0;
    await page.route(renewals, async (route) => {
      if (route.request().headers()['hx-request'] === undefined || failures > 0) return route.continue();
      failures += 1;
      return route.fulfill({ status: 503, contentType: 'text/html', body: '<p>Busy</p>' });
    });
    await step('a test call, and its life', async () => {
      await click('Call it now');
      await page.locator('#test-call').waitFor();
      await picture(page, 'start-calling');
      const state = () => page.locator('#test-call .state').innerText();
      await until(async () => (await state()) === 'Completed', '#test-call');
    });
    expect(await page.locator('#step-call.done').count()).toBe(1);
    await page.unroute(renewals);
    expect(failures).toBe(javaScriptEnabled ? 1 : 0);
    await step('a key', async () => {
      await click('Make the key');
      await page.locator('output[data-secret]').waitFor();
    });
    await picture(page, 'start-key');
    const key = await page.locator('output[data-secret]').innerText();
    const command = await page.locator('[data-curl]').innerText();
    expect(command).toContain(key);
    expect(await page.locator('#step-request').innerText()).toContain('Waiting');

    await step('the command of the page', async () => {
      const answer = await sent(command);
      expect(answer).toMatchObject({ success: true });
      await until(async () => (await page.locator('#step-request.done').count()) === 1, '#step-request');
    });
    await picture(page, 'start-done');
    expect(await page.locator('#step-request').innerText()).toContain('A request with a key arrived');
    const calls = await calling.rows(teamId);
    expect(calls).toHaveLength(2);
    process.stderr.write(`${clicks} buttons; ${steps.join('; ')}\n`);

    await page.goto(`/t/${teamId}`);
    expect(await page.locator('h1').innerText()).toBe('Northwind Clinics');
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([]);
  });

  test('a refused form keeps what was typed and names the field', async () => {
    await page.goto(`/t/${teamId}/getting-started`);
    await page.getByText('Add another number').click();
    await page.getByLabel('Or a number of your own').fill('12');
    await click('Add the number');
    const field = page.locator('#number-phoneNumber');
    expect(await field.inputValue()).toBe('12');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#problem').innerText()).toContain('The number is not a valid phone number');
    await picture(page, 'start-refused');
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(DESK);
  });

  if (javaScriptEnabled) {
    test('axe finds nothing on the page, in both colour schemes', async () => {
      const { id: empty } = await buildTeam(calling.db, { name: 'Empty' });
      for (const path of [`/t/${teamId}/getting-started`, `/t/${empty}`]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.goto(path);
          await page.evaluate(AXE);
          const found = await page.evaluate<{ id: string; html: string[] }[]>(
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))',
          );
          expect(found).toEqual([]);
        }
      }
    });
  }
});

/** What the command of the page does. @returns the body of the answer. */
async function sent(command: string): Promise<unknown> {
  const [, url = ''] = /'(http[^']*)'/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? [];
  const answer = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  });
  return answer.json();
}
