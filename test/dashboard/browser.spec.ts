import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { buildStoredCall } from '../support/number-history.js';
import { buildBusyDay } from './busy-day.js';
import {
  DESK,
  overflowOf,
  PHONE,
  picture,
  PICTURES,
  OperationsBrowser,
} from '../operations/operations-browser.js';
import { PAGES_LOGIN } from '../operations/operations-client.js';

const executable = findChromium();
if (executable === null) process.stderr.write('No Chromium here: the browser tests are skipped.\n');
const withBrowser = executable === null ? describe.skip : describe;

withBrowser('the operations pages in a browser', () => {
  let calling: Calling;
  let browser: Browser;
  let pages: OperationsBrowser;
  let origin: string;
  let caller: Caller;
  let completed: string;
  let scheduled: string;
  let unknown: string;
  const completedNumber = nextNumber();
  const scheduledNumber = nextNumber();
  const unknownNumber = nextNumber();

  beforeAll(async () => {
    calling = await Calling.start(PAGES_LOGIN);
    const { port } = calling.api.getHttpServer().address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    const team = { name: 'Northwind Clinics', timezone: 'America/New_York' };
    caller = await buildCaller(calling.db, team, { name: 'Reminder agent' });
    // Of another name, because the page's list of teams is chosen from by name.
    const closed = await buildCaller(calling.db, { ...team, name: 'Southgate Clinics' }, hoursOpeningIn(3));
    await calling.db.query('UPDATE voice_agents SET team_id = $1, outbound_phone_number = $2 WHERE id = $3', [
      caller.teamId,
      caller.callerNumber,
      closed.agentId,
    ]);
    await calling.startWorker();
    completed = await calling.accepted(caller, { phoneNumber: completedNumber, name: 'Ada Lovelace' });
    scheduled = await calling.accepted(
      { agentId: closed.agentId, apiKey: caller.apiKey },
      { phoneNumber: scheduledNumber, name: 'Grace Hopper' },
    );
    await calling.until(caller, completed, 'completed');
    const claimedAt = new Date(Date.now() - 1_800_000);
    ({ id: unknown } = await buildStoredCall(calling.db, caller, unknownNumber, {
      status: 'dial_unknown',
      reason: 'NO_WORD',
      carrier: 'simulator',
      caller_id: caller.callerNumber,
      accepted_at: claimedAt,
      runs_at: claimedAt,
      claimed_at: claimedAt,
      processed_at: claimedAt,
    }));
    if (PICTURES) await buildBusyDay(calling.db, caller);
    browser = await launchChromium(executable ?? '');
    const operator = await signedIn(calling.db, { operator: true });
    pages = new OperationsBrowser(browser, origin, operator.cookie);
  });
  afterAll(async () => {
    await browser?.close();
    await calling?.close();
  });

  afterEach(() => pages?.reset());

  const open: OperationsBrowser['open'] = (...options) => pages.open(...options);

  /** The answer to a browser that does not follow it. */
  async function answerOf(page: Page, path: string) {
    const answer = await page.context().request.get(path, { maxRedirects: 0 });
    return { status: answer.status(), headers: answer.headers(), text: await answer.text() };
  }

  /** What the page says after a form was sent and led back. */
  async function notes(page: Page): Promise<string> {
    return page.locator('.notice[role=status]').innerText({ timeout: 60_000 });
  }

  test('without a session, a page leads to the sign-in, and the board shows nothing', async () => {
    const page = await open(DESK, null);
    const { status, headers } = await answerOf(page, `/t/${caller.teamId}/calls?status=queued`);
    expect([status, headers.location]).toEqual([
      303,
      `/login?back=${encodeURIComponent(`/t/${caller.teamId}/calls?status=queued`)}`,
    ]);
    for (const path of ['/admin/queues', '/admin/queues/queue/calls']) {
      // Chromium shows nothing of a page that asks for a password which is not given.
      await expect(page.goto(path)).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS');
      const answer = await answerOf(page, path);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toMatch(/Northwind|Bull/);
    }
  });

  test('Bull Board shows the delayed job with its due time and the completed one, with links to the record and back', async () => {
    const page = await open();
    const foreign: string[] = [];
    page.on('response', (answer) => {
      if (!answer.url().startsWith(origin)) foreign.push(answer.url());
    });
    await page.goto('/admin/queues');
    await page.getByText('Calls').first().waitFor();
    await picture(page, 'board');

    await page.goto('/admin/queues/queue/calls?status=delayed');
    const due = (await calling.row(scheduled)).runs_at.toISOString().slice(0, 16).replace('T', ' ');
    const delayed = page.getByText(`Dial call ${scheduled.slice(0, 8)} · due ${due} UTC`);
    await delayed.first().waitFor();
    await picture(page, 'board-delayed');
    if (PICTURES) {
      const small = await open(PHONE);
      await small.goto('/admin/queues/queue/calls?status=delayed');
      await small
        .getByText(`Dial call ${scheduled.slice(0, 8)}`)
        .first()
        .waitFor();
      await small.screenshot({ path: join(PICTURES, 'board-small.png') });
    }
    expect(await page.content()).not.toMatch(/Grace|\+1415/);

    await page.goto('/admin/queues/queue/calls?status=completed');
    await page
      .getByText(`Dial call ${completed.slice(0, 8)}`)
      .first()
      .waitFor();
    await picture(page, 'board-completed');
    await page.goto(`/t/${caller.teamId}/calls/${completed}`);
    await page.getByText('Its job in the queue').click();
    await page
      .getByText(`Dial call ${completed.slice(0, 8)}`)
      .first()
      .waitFor();
    await picture(page, 'board-job');
    const link = page.locator(`a[href="/platform/calls/${completed}"]`).first();
    await link.waitFor();
    await page.goto((await link.getAttribute('href')) ?? '');
    expect(new URL(page.url()).pathname).toBe(`/t/${caller.teamId}/calls/${completed}`);
    expect(foreign).toEqual([]);
    // The one thing that the policy refuses is a style sheet from elsewhere.
    expect(pages.complaints.filter((text) => !text.includes('fonts.googleapis.com'))).toEqual([]);
  });

  test('the overview, the resolution of a call, and the number’s history work', async () => {
    const page = await open();
    await page.goto('/platform');
    await page.locator('select[name=teamId]').selectOption({ label: 'Northwind Clinics' });
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('h1').innerText()).toBe('Northwind Clinics');
    await picture(page, 'overview');

    const call = page.locator(`[data-call="${unknown}"]`);
    await call.getByText('Resolve…').click();
    await picture(page, 'overview-resolving');
    await call.getByRole('button', { name: 'It was not answered' }).click();
    await picture(page, 'resolving');
    await page.getByRole('button', { name: 'Yes, record this outcome' }).click();
    expect(await notes(page)).toBe('The call is resolved.');
    expect(await page.locator(`[data-call="${unknown}"]`).count()).toBe(0);
    expect(await calling.row(unknown)).toMatchObject({ status: 'no_answer' });
    expect(page.url()).toContain('teamId=');

    await page.goto(`/t/${caller.teamId}/calls/${unknown}`);
    expect(await page.locator('main').innerText()).toContain('Resolved by operations staff');
    await picture(page, 'call-resolved');
    await page.goto(`/t/${caller.teamId}/calls/${completed}`);
    expect(await page.locator('main').innerText()).toMatch(/Called on .* and it was answered/);
    await picture(page, 'call');
    await page.locator('h1 a').click();
    expect(await page.locator('h1').innerText()).toBe(completedNumber);
    await page.getByText('Decisions and history').first().click();
    await picture(page, 'number');
    expect(pages.complaints).toEqual([]);
  });

  test('a count of the overview leads to its list, which is narrowed and shared by its address', async () => {
    const page = await open();
    await page.goto(`/t/${caller.teamId}`);
    await page.locator('#now a[aria-label^="Scheduled"]').click();
    await page.locator(`[data-call="${scheduled}"]`).waitFor();
    expect(await page.locator('select[name=status]').inputValue()).toBe('scheduled');
    await picture(page, 'calls-scheduled');
    await page.locator('select[name=status]').selectOption('completed');
    await page.locator('input[name=phoneNumber]').fill(completedNumber);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator(`[data-call="${completed}"]`).waitFor();
    expect(await page.locator('[data-call]').count()).toBe(1);
    const shared = await open(PHONE);
    await shared.goto(page.url());
    await shared.locator(`[data-call="${completed}"] a`, { hasText: 'Its record' }).click();
    expect(await shared.locator('h1').innerText()).toContain(completedNumber);

    await page.goto('/platform/calls');
    await picture(page, 'calls');
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    expect(pages.complaints).toEqual([]);
    await page.goto('/platform/calls?status=lost&day=tomorrow');
    expect(await page.locator('#problem').innerText()).toMatch(/status must be one of .*day must be a date/);
    await picture(page, 'calls-refused');
  });

  test('a number is added to the Do Not Call list, looked up, seen to block a call, and removed', async () => {
    const page = await open();
    await page.goto(`/t/${caller.teamId}/do-not-call?phoneNumber=${encodeURIComponent(scheduledNumber)}`);
    await page.locator('#add input[name=reason]').fill('Asked us by e-mail <b>not</b> to call');
    await page.getByRole('button', { name: 'Add to Do Not Call' }).click();
    expect(await notes(page)).toContain('on the Do Not Call list');
    expect(await page.locator('#looked-up').innerText()).toContain('<b>not</b>');
    expect(await calling.row(scheduled)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    await picture(page, 'do-not-call');
    await page.locator('#looked-up a').click();
    expect(await page.locator('#calls').innerText()).toContain(
      'Not called: the number was added to the Do Not Call list while the call waited',
    );
    await picture(page, 'number-blocked');
    await page.goBack();
    await page.locator('#looked-up summary').click();
    await page.locator('#looked-up').getByRole('button').click();
    expect(await notes(page)).toContain('no longer on');
    expect(pages.complaints).toEqual([]);
  });

  test('the team and the platform are paused and resumed', async () => {
    const page = await open(PHONE);
    await page.goto(`/t/${caller.teamId}`);
    await page.getByText('Pause Northwind Clinics…').click();
    await page.getByRole('button', { name: 'Yes, dial no call for Northwind Clinics' }).click();
    expect(await page.locator('main').innerText()).toContain('Northwind Clinics is paused');
    await page.getByRole('button', { name: 'Resume Northwind Clinics' }).click();
    expect(await notes(page)).toContain('Resumed');
    await page.goto('/platform');
    await page.getByText('Pause everything…').click();
    await page.getByRole('button', { name: 'Yes, dial no call for everything' }).click();
    expect(await page.locator('main').innerText()).toContain('Everything is paused');
    await picture(page, 'paused');
    await page.getByRole('button', { name: 'Resume everything' }).click();
    expect(await notes(page)).toContain('Resumed');
    expect(await page.locator('.notice.warn').count()).toBe(0);
    // Nothing is wider than a phone.
    expect(await overflowOf(page)).toBe(0);
    expect(pages.complaints).toEqual([]);
  });
});
