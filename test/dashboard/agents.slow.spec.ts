import { type AddressInfo } from 'node:net';
import { type Browser, type Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildContact, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { DESK, picture, signIn } from '../operations/operations-browser.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('an agent is made in a browser', () => {
  let calling: Calling;
  let browser: Browser;
  let caller: Caller;
  let cookie: string;
  let origin: string;

  beforeAll(async () => {
    calling = await Calling.start();
    caller = await buildCaller(calling.db, { name: 'Northwind Clinics' });
    ({ cookie } = await signedIn(calling.db, { teamId: caller.teamId, role: 'manager' }));
    origin = `http://127.0.0.1:${(calling.api.getHttpServer().address() as AddressInfo).port}`;
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await calling?.close();
  });

  async function open(javaScriptEnabled: boolean): Promise<Page> {
    const context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled });
    await signIn(context, cookie, origin);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return page;
  }

  const agentNamed = async (name: string) =>
    (await calling.db.query<Row[]>('SELECT * FROM voice_agents WHERE name = $1', [name]))[0];

  test('without a script, with several windows, a preview and the key Enter', async () => {
    const contact = await buildContact(calling.db, caller.teamId, { name: 'Ada Lovelace' });
    const page = await open(false);
    await page.goto(`/t/${caller.teamId}/agents`);
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name', { exact: true }).fill('By hand');
    await page.getByLabel('Prompt', { exact: true }).fill('Speak to {{contact.name}}.');
    await page.getByRole('button', { name: 'Add a window on Monday' }).click();
    await page.getByLabel('Monday, window 2, from').fill('20:00');
    await page.getByLabel('Monday, window 2, to').fill('02:00');
    await page.getByRole('button', { name: /^Copy to all days/ }).click();
    await page.getByRole('button', { name: 'Close all Sunday' }).click();
    await page.getByText('Preview for a contact…').click();
    await page.locator('[name=previewFor]').fill(contact.phone_number);
    await page.getByRole('button', { name: 'Show what the person hears' }).click();
    await page.getByText('Speak to Ada Lovelace.').waitFor();
    await picture(page, 'agent-form-filled');
    expect(await agentNamed('By hand')).toBeUndefined();
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByText('The agent is created.').waitFor();
    await picture(page, 'agent-made');
    const windows = [
      { start: '09:00', end: '17:00' },
      { start: '20:00', end: '02:00' },
    ];
    expect(await agentNamed('By hand')).toMatchObject({
      prompt_template: 'Speak to {{contact.name}}.',
      calling_hours: Object.fromEntries(
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [day, windows]),
      ),
    });
  });

  test('by keyboard alone: a name is typed, and Enter saves', async () => {
    const page = await open(true);
    await page.goto(`/t/${caller.teamId}/agents/${caller.agentId}`);
    await page.getByRole('link', { name: /^Change/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Change/ }).waitFor();
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByText('The agent is saved.').waitFor();
    expect(await agentNamed('By keys')).toMatchObject({ id: caller.agentId });
  });
});
