import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Browser, type Page } from 'playwright-core';
import { newWelcome } from '../../src/people/welcome.js';
import { DESK, picture } from '../operations/operations-browser.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';

/*
 * The first ten minutes of a campaign manager, by clicks alone: from an empty team and files of other products to
 * calls and their results. The table at the end tells how long each step took; only the bounds below are asserted.
 */

const PEOPLE = 100_000;
const OTHERS = 2_000;
/** The longest that one step may wait. */
const STEP_MS = 300_000;
const TEST_MS = 900_000;

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;

const NAMES = ['Ada', 'José', 'Zoë', 'Mary Ann', 'Nguyễn', 'O’Neil'];
const nameOf = (n: number) => NAMES[n % NAMES.length] ?? '';
/** The n-th number of an area. */
const digitsOf = (n: number) => String(2_000_000 + n);
const national = (area: number, n: number) => `(${area}) ${digitsOf(n).slice(0, 3)}-${digitsOf(n).slice(3)}`;

/** Zones without summer time, two hours apart. */
const ZONES = [
  'Pacific/Honolulu',
  'Pacific/Pitcairn',
  'America/Costa_Rica',
  'America/Caracas',
  'America/Noronha',
  'Africa/Abidjan',
  'Africa/Johannesburg',
  'Asia/Dubai',
  'Asia/Dhaka',
  'Asia/Singapore',
  'Australia/Brisbane',
  'Pacific/Tarawa',
];

/** A zone in which it is between ten and noon, so that calls are inside the hours of the campaign. */
function zoneOfTheMorning(now: Date): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now));
  const zone = ZONES.find((one) => [10, 11].includes(hourIn(one)));
  if (zone === undefined) throw new Error(`it is morning nowhere at ${now.toISOString()}`);
  return zone;
}

interface ProductFile {
  header: readonly string[];
  row: (n: number) => string[];
}

const hubSpot = (zone: string): ProductFile => ({
  header: [
    'Record ID',
    'First Name',
    'Last Name',
    'Email',
    'Phone Number',
    'Company name',
    'Time Zone',
    'Lifecycle Stage',
  ],
  row: (n) => [
    String(900_000 + n),
    nameOf(n),
    'de la Cruz',
    `x.${n}@example.com`,
    n % 2 === 0 ? national(415, n) : `+1415${digitsOf(n)}`,
    'Engines, Inc.',
    n % 3 === 0 ? zone : '',
    'lead',
  ],
});

const SALESFORCE: ProductFile = {
  header: [
    'Contact ID',
    'Salutation',
    'First Name',
    'Last Name',
    'Title',
    'Phone',
    'Mobile',
    'Email',
    'Account Name',
  ],
  row: (n) => [
    `003${n}`,
    'Ms.',
    nameOf(n),
    'Smith, Jr.',
    '',
    '',
    national(212, n),
    `s.${n}@example.com`,
    'ACME "Best"',
  ],
};

const VICIDIAL: ProductFile = {
  header: [
    'vendor_lead_code',
    'phone_code',
    'phone_number',
    'title',
    'first_name',
    'last_name',
    'state',
    'postal_code',
    'email',
    'comments',
  ],
  row: (n) => [String(n), '1', `305${digitsOf(n)}`, '', nameOf(n), 'Müller', 'FL', '', '', ''],
};

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

function fileOf({ header, row }: ProductFile, rows: number): string {
  return `\uFEFF${line(header)}${Array.from({ length: rows }, (_, n) => line(row(n))).join('')}`;
}

/** A figure of a page, such as `1,234`. */
const figureOf = (text: string) => Number(text.replaceAll(/\D/g, ''));

withBrowser('the first ten minutes of a campaign manager', () => {
  const complaints: string[] = [];
  const steps: [name: string, ms: number][] = [];
  let directory: string;
  let calling: Calling;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'outdial-ten-minutes-'));
    calling = await Calling.start();
    await calling.startWorker({ sweeperIntervalMs: 500 });
    const { port } = calling.api.getHttpServer().address() as AddressInfo;
    browser = await launchChromium(executable ?? '');
    const context = await browser.newContext({ viewport: DESK, baseURL: `http://127.0.0.1:${port}` });
    page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    const width = Math.max(...steps.map(([name]) => name.length));
    const rows = steps.map(
      ([name, ms]) => `${name.padEnd(width)}  ${(ms / 1_000).toFixed(1).padStart(6)} s\n`,
    );
    process.stdout.write(`\n${rows.join('')}`);
    await browser?.close();
    await calling?.close();
    rmSync(directory, { recursive: true });
  });

  async function step(name: string, act: () => Promise<unknown>): Promise<void> {
    const from = performance.now();
    try {
      await act();
    } finally {
      steps.push([name, performance.now() - from]);
    }
  }

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const section = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

  /** Answers a question of the page. */
  async function answer(question: string, yes: string | RegExp): Promise<void> {
    await page.locator('summary').getByText(question).click();
    await press(yes);
  }

  /** Uploads a file at the page of imports, by the form. */
  async function upload(name: string, file: ProductFile, rows: number, campaign?: string): Promise<void> {
    const path = join(directory, name);
    writeFileSync(path, fileOf(file, rows));
    await section('Imports');
    await follow('Import a file');
    if (campaign !== undefined)
      await page.getByLabel('Enroll in a campaign').selectOption({ label: campaign });
    await page.locator('input[type=file]').setInputFiles(path);
    await press('Upload for a preview');
    await heading(/^Preview/);
  }

  async function isTaken(column: string, as: string): Promise<void> {
    await page.getByLabel(`What “${column}” is`).selectOption({ label: as });
  }

  const outcome = (name: string) =>
    page.locator(`#outcome dt:text-is("${name}") + dd`).first().innerText().then(figureOf);

  /** Waits until a figure of the campaign's page is above another, without a reload. */
  async function renewed(tile: string, above: number): Promise<number> {
    const figure = page.locator(`#tile-${tile} b`);
    return eventually(
      async () => figureOf(await figure.innerText()),
      (now) => now > above,
      STEP_MS,
    );
  }

  test(
    'from an empty team to 100,000 enrollments, calls and results',
    async () => {
      const zone = zoneOfTheMorning(new Date());
      await step('Team, country, number and agent', async () => {
        const client = new Client({ connectionString: calling.world.config.databaseUrl });
        await client.connect();
        await page.goto((await newWelcome(client)) ?? '');
        await client.end();
        await page.getByLabel('E-mail').fill('ada@northwind.example');
        await page.locator('input[name=password]').fill('seven quiet lighthouses');
        await press('Begin');
        await page.getByLabel('Name', { exact: true }).fill('Northwind Clinics');
        await press('Create team');
        await page.getByLabel('Country of the people you call').selectOption('US');
        await page.getByLabel('Their time zone').selectOption(zone);
        await press('Save');
        await press(/Use the simulator’s number/);
        await page.getByLabel('At any time').check();
        await press('Make the agent');
        await page.locator('#step-agent.done').waitFor();
      });
      await step('Campaign, a draft', async () => {
        await section('Campaigns');
        await follow('New campaign');
        await page.getByLabel('Name', { exact: true }).fill('Spring reminders');
        // With the limit of a new campaign, the next figure would be a minute away.
        await page.getByLabel('Calls a minute, at most').fill('');
        await press('Create the campaign');
        await heading('New version');
      });
      await step('Version, by the form', async () => {
        await page.getByLabel('After “No answer”').fill('1d, 2d');
        await page.getByLabel('After “Busy”').fill('1h');
        for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
          await page.getByLabel(day, { exact: true }).fill('09:00-18:00');
        const agent = page.getByLabel('Voice agent');
        if ((await agent.inputValue()) === '') await agent.selectOption({ index: 1 });
        await press('Save the draft');
        await page.getByRole('status').getByText('The draft is saved').waitFor();
      });
      await step('Version published', async () => {
        await follow('Publish…');
        await press(/^Yes, publish version/);
        await page.getByText('The version is current').waitFor();
      });
      await step(`Upload of HubSpot’s file, ${PEOPLE} rows, to the preview`, () =>
        upload('hubspot-contacts.csv', hubSpot(zone), PEOPLE, 'Spring reminders (draft)'),
      );
      await step('A column changed in the preview', async () => {
        await isTaken('Record ID', 'External id');
        await isTaken('Lifecycle Stage', 'Leave out');
        await press('Look again with these columns');
        await page.locator('#rows').getByText('External id: 900000').waitFor();
        expect(await outcome('Refused')).toBe(0);
        await picture(page, 'ten-minutes-preview');
      });
      await step(`Import of ${PEOPLE} people`, async () => {
        await press(/^Import 100,000 rows/);
        await page.locator('#progress h2').getByText('Finished').waitFor();
        expect(await page.locator('#progress').innerText()).toMatch(/Enrolled\s+100,000 in Spring reminders/);
      });
      await step('Forecast of 14 days', async () => {
        await page.locator('#progress').getByRole('link', { name: 'Spring reminders' }).click();
        await page
          .locator('#versions tr', { hasText: 'Current' })
          .getByRole('link', { name: 'Forecast…' })
          .click();
        await press('Play');
        await page.locator('#played').getByText('Dials for 100,000 enrollments').waitFor();
        await picture(page, 'ten-minutes-forecast');
      });
      await step('Activated, to the first attempts on the page', async () => {
        await follow('Spring reminders');
        expect(await page.locator('#tile-attempted b').innerText()).toBe('0');
        await answer('Activate…', 'Yes, dial its calls');
        await page.getByRole('status').getByText('The campaign is active').waitFor();
        const first = await renewed('attempted', 0);
        await renewed('attempted', first);
        await renewed('reached', 0);
      });
      await step('Paused', async () => {
        await answer('Pause…', 'Yes, dial no call for it');
        await page.getByRole('status').getByText('The campaign is paused').waitFor();
        await picture(page, 'ten-minutes-campaign');
      });
      await step('Results as CSV', async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), follow('Results as CSV')]);
        const lines = readFileSync(await download.path(), 'utf8')
          .trimEnd()
          .split('\n');
        expect(lines).toHaveLength(PEOPLE + 1);
        expect(lines[0]).toContain('externalId');
        expect(lines.filter((text) => text.includes('completed')).length).toBeGreaterThan(0);
      });
      await step(`Salesforce’s file, ${OTHERS} rows, to the look`, async () => {
        await upload('salesforce-contacts.csv', SALESFORCE, OTHERS);
        await isTaken('Contact ID', 'External id');
        await isTaken('Mobile', 'Phone number');
        await isTaken('Phone', 'Custom property');
        await press('Look again with these columns');
        await page.locator('#rows').getByText('External id: 0030').waitFor();
        expect(await outcome('Refused')).toBe(0);
      });
      await step(`VICIdial’s file, ${OTHERS} rows, to the look`, async () => {
        await upload('vicidial-leads.csv', VICIDIAL, OTHERS);
        await isTaken('vendor_lead_code', 'External id');
        await press('Look again with these columns');
        await page.locator('#rows').getByText('External id: 1', { exact: true }).waitFor();
        expect(await outcome('Refused')).toBe(0);
      });
      expect(complaints).toEqual([]);
    },
    TEST_MS,
  );
});
