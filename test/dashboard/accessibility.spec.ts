import { type AddressInfo } from 'node:net';
import axe from 'axe-core';
import { type Browser, type Page } from 'playwright-core';
import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildVersion,
  nextNumber,
} from '../support/builders.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { DESK, OperationsBrowser, overflowOf, PHONE, picture } from '../operations/operations-browser.js';
import { buildBusyDay } from './busy-day.js';
import { CLAIM } from './told-calls.js';

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the accessibility tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

const MAX_PAGE_BYTES = 60_000;
const WITHIN_MS = 240_000;

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
    addresses = await addressesOf(calling, caller);
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

  test(
    'has nothing for axe to find, is no wider than the screen, and is small',
    async () => {
      const page = await pages.open();
      const faults: Record<string, unknown[]> = {};
      for (const [name, path] of Object.entries(addresses)) {
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
    expect(await page.locator('header').innerText()).not.toMatch(/Settings|Audit|Platform/);
  });
});

/** The pages that the dashboard has, by the names of their pictures. */
async function addressesOf({ db }: Calling, caller: Caller): Promise<Record<string, string>> {
  const { teamId } = caller;
  const team = `/t/${teamId}`;
  const phoneNumber = nextNumber();
  const number = encodeURIComponent(phoneNumber);
  const { id: completed } = await buildStoredCall(db, caller, phoneNumber, {
    status: 'completed',
    ...CLAIM,
    carrier: 'simulator',
    first_message: 'Hello, this is a reminder.',
    prompt: 'Be kind.',
  });
  const { id: scheduled } = await buildStoredCall(db, caller, phoneNumber, { status: 'scheduled' });
  const claimed = { carrier: 'simulator', claimed_at: new Date(), caller_id: caller.callerNumber };
  const { id: unknown } = await buildStoredCall(db, caller, nextNumber(), {
    status: 'dial_unknown',
    reason: 'NO_WORD',
    processed_at: new Date(),
    ...claimed,
  });
  await db.query(
    `INSERT INTO do_not_call (team_id, phone_number, reason) VALUES ($1, $2, 'Asked by letter')`,
    [teamId, phoneNumber],
  );
  const contact = await buildContact(db, teamId, { phone_number: nextNumber(), name: 'Ada Lovelace' });
  const campaign = await buildCampaign(db, teamId, { name: 'Spring reminders' });
  const version = await buildVersion(db, teamId, campaign.id, { number: 2 });
  const enrollment = await buildEnrollment(
    db,
    {
      team_id: teamId,
      campaign_id: campaign.id,
      contact_id: contact.id,
      version_id: campaign.current_version_id,
    },
    { waiting_for: 'hours', next_attempt_at: new Date(Date.now() + 3_600_000) },
  );
  const ofCampaign = `${team}/campaigns/${campaign.id}`;
  return {
    home: '/',
    design: '/design',
    platform: '/platform',
    'platform-of-team': `/platform?teamId=${teamId}`,
    'platform-calls': '/platform/calls',
    'platform-campaigns': '/platform/campaigns',
    'platform-numbers': `/platform/numbers?teamId=&phoneNumber=${number}`,
    'platform-do-not-call': '/platform/do-not-call',
    team,
    calls: `${team}/calls`,
    'calls-scheduled': `${team}/calls?status=scheduled`,
    'calls-refused': `${team}/calls?status=lost&day=tomorrow`,
    cancel: `${team}/calls/cancel?status=scheduled`,
    'call-completed': `${team}/calls/${completed}`,
    'call-scheduled': `${team}/calls/${scheduled}`,
    'call-unknown': `${team}/calls/${unknown}`,
    resolve: `${team}/calls/${unknown}/resolve?outcome=completed`,
    numbers: `${team}/numbers`,
    number: `${team}/numbers?phoneNumber=${number}`,
    'number-contact': `${team}/numbers?phoneNumber=${encodeURIComponent(String(contact.phone_number))}`,
    'do-not-call': `${team}/do-not-call?phoneNumber=${number}`,
    erase: `${team}/contacts/${contact.id}/erase`,
    campaigns: `${team}/campaigns`,
    campaign: ofCampaign,
    migrate: `${ofCampaign}/migrate?from=${campaign.current_version_id}&to=${version.id}`,
    enrollments: `${ofCampaign}/enrollments`,
    enrollment: `${ofCampaign}/enrollments/${enrollment.id}`,
    forecast: `${ofCampaign}/versions/${campaign.current_version_id}/forecast`,
    missing: `${team}/nothing`,
  };
}
