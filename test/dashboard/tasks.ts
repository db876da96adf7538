import { type AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { type TeamRole } from '../../src/domain/permissions.js';
import { DESK, signIn } from '../operations/operations-browser.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { type Calling } from '../support/calling.js';
import { read } from '../support/repository.js';
import { signedIn } from '../support/signed-in.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');

/** The most presses of Tab from one control to another. */
const MOST_TABS = 500;

/** A row of the table "Tasks and their pages" of docs/operating.md. */
export interface TaskRow {
  /** Such as `Operations`. */
  group: string;
  task: string;
  /** The address of its page, with `…` and `{id}` for what differs. */
  page: string;
  clicks: number;
  /** The controls, in their order. One that begins with a small letter is described, not named. */
  labels: string[];
}

/** The rows of the table, in their order. */
export function taskRows(): TaskRow[] {
  const [, section = ''] = read('docs/operating.md').split('### Tasks and their pages\n');
  const [table = ''] = section.split('\n#');
  const rows: TaskRow[] = [];
  let group = '';
  for (const line of table
    .split('\n')
    .filter((one) => one.startsWith('| '))
    .slice(1)) {
    const [, task = '', page = '', how = ''] = line.split('|').map((cell) => cell.trim());
    if (/^-+$/.test(task)) continue;
    if (task.startsWith('**')) {
      group = task.replaceAll('*', '');
      continue;
    }
    const [, clicks, names = ''] = /^(\d+)(?: in the form)?(?:: (.*))?/.exec(how) ?? [];
    if (clicks === undefined) throw new Error(`no number of clicks: ${line}`);
    const labels = clicks === '0' || names === '' ? [] : names.split(', ');
    rows.push({ group, task, page: page.replaceAll('`', ''), clicks: Number(clicks), labels });
  }
  return rows;
}

/** A person at the keyboard. It counts what is activated on the way to the end of a task. */
export class Keys {
  /** The names of the controls that were activated, in their order. */
  readonly activated: string[] = [];
  /** The paths of the pages that were seen, and of what was downloaded. */
  readonly seen: string[] = [];

  constructor(readonly page: Page) {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.seen.push(new URL(frame.url()).pathname);
    });
    // Only with a listener does the browser hand choosers of files over, and it takes a while to begin so.
    page.on('filechooser', () => undefined);
  }

  /** Presses Tab until the control has the focus. */
  async to(control: Locator): Promise<void> {
    await control.first().waitFor({ state: 'attached' });
    const focused = control.and(this.page.locator(':focus'));
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if ((await focused.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the key Tab does not reach ${control.toString()}`);
  }

  /** Follows a link by Enter. */
  async follow(name: string | RegExp | Locator): Promise<void> {
    await this.led(() => this.activate(this.named('link', name), 'Enter'));
  }

  /** Presses a button that leads to a page, by Space. */
  async push(name: string | RegExp): Promise<void> {
    await this.led(() => this.activate(this.named('button', name), 'Space'));
  }

  /** Opens a part of the page by Enter. */
  async open(name: string | RegExp): Promise<void> {
    const summary = this.page.locator('summary').filter({ hasText: name });
    await this.activate(summary, 'Enter');
    await this.page.locator('details[open]').filter({ has: summary }).first().waitFor();
  }

  /** Follows a link to a file. @returns its text. */
  async download(name: string | RegExp): Promise<string> {
    const begun = this.page.waitForEvent('download');
    await this.activate(this.named('link', name), 'Enter');
    const download = await begun;
    this.seen.push(new URL(download.url()).pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  /** Replaces the text of a field. */
  async type(label: string | RegExp, text: string): Promise<void> {
    await this.to(this.field(label));
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Chooses an option of a list by the arrow keys. @param option the beginning of its text. */
  async choose(label: string | RegExp, option: string): Promise<void> {
    await this.to(this.field(label));
    const texts = await this.page.evaluate<string[]>(
      '[...document.activeElement.options].map(({ text }) => text)',
    );
    const place = texts.findIndex((text) => text.startsWith(option));
    if (place === -1) throw new Error(`no option ${option}: ${texts.join('; ')}`);
    await this.page.keyboard.press('Home');
    for (let n = 0; n < place; n += 1) await this.page.keyboard.press('ArrowDown');
    const chosen = await this.page.evaluate<number>('document.activeElement.selectedIndex');
    if (chosen !== place) throw new Error(`the arrow keys do not choose ${option}`);
  }

  /** Ticks a box, or takes the tick away. */
  async tick(label: string | RegExp): Promise<void> {
    await this.to(this.field(label));
    await this.page.keyboard.press('Space');
  }

  /** Chooses a file in the field with the label. */
  async upload(label: string, name: string, text: string): Promise<void> {
    await this.to(this.field(label));
    const asked = this.page.waitForEvent('filechooser');
    await this.page.keyboard.press('Enter');
    const chooser = await asked;
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  /** Does what fills in a form, or what the table does not count. */
  async uncounted(act: () => Promise<void>): Promise<void> {
    const { length } = this.activated;
    await act();
    this.activated.splice(length);
  }

  /** Searches in the header, by `/` where scripts run. */
  async search(text: string, scripts: boolean): Promise<void> {
    if (scripts) await this.page.keyboard.press('/');
    await this.to(this.page.getByRole('searchbox', { name: 'Search' }));
    await this.page.keyboard.type(text);
    await this.led(() => this.page.keyboard.press('Enter'));
  }

  private field(label: string | RegExp): Locator {
    return this.page.getByLabel(label, { exact: typeof label === 'string' });
  }

  private named(role: 'link' | 'button', name: string | RegExp | Locator): Locator {
    if (typeof name !== 'string' && !(name instanceof RegExp)) return name;
    return this.page.getByRole(role, { name, exact: typeof name === 'string' });
  }

  private async activate(control: Locator, key: 'Enter' | 'Space'): Promise<void> {
    await this.to(control);
    const name = await this.page.evaluate<string>(
      `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
    );
    this.activated.push(name.replace(/\s+/g, ' ').trim());
    await this.page.keyboard.press(key);
  }

  /** Waits for the page to which the act leads. */
  private async led(act: () => Promise<void>): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await act();
    await loaded;
  }
}

/** What a task is played with: a new team with a number and an agent, and a person on its overview. */
export interface TaskDesk extends Caller {
  calling: Calling;
  keys: Keys;
  page: Page;
  scripts: boolean;
  /** Stops counting until the page is found that the table begins at. @param text typed into the search. */
  find(text: string, heading?: string | RegExp): Promise<void>;
}

export type Play = (desk: TaskDesk) => Promise<void>;

/**
 * Plays rows of the table by keyboard alone, with scripts and without: each row must have a play, which needs as
 * many activations as the row says, of controls with its names, on its page.
 *
 * @param rows those of the file. @param plays by the names of tasks; a task of two kinds has one for each.
 * @param who the role of the person in the team, or `operator`.
 */
export function playTasks(
  title: string,
  rows: TaskRow[],
  plays: Record<string, Play | Play[]>,
  { start, who }: { start: () => Promise<Calling>; who: (row: TaskRow) => TeamRole | 'operator' },
): void {
  test(`${title}: every row of the table has a play, and every play a row`, () => {
    expect(Object.keys(plays)).toEqual(rows.map(({ task }) => task));
  });

  const withBrowser = executable === null ? describe.skip : describe;
  withBrowser(`${title} by keyboard alone`, () => {
    let calling: Calling;
    let browser: Browser;
    let origin: string;
    let context: BrowserContext | undefined;

    beforeAll(async () => {
      calling = await start();
      origin = `http://127.0.0.1:${(calling.api.getHttpServer().address() as AddressInfo).port}`;
      browser = await launchChromium(executable ?? '');
    });
    afterEach(async () => {
      await context?.close();
      context = undefined;
    });
    afterAll(async () => {
      await browser?.close();
      await calling?.close();
    });

    async function deskOf(row: TaskRow, scripts: boolean): Promise<TaskDesk> {
      const caller = await buildCaller(
        calling.db,
        { name: 'Northwind Clinics', default_country: 'US' },
        { name: 'Reminder agent' },
      );
      const role = who(row);
      const { cookie } = await signedIn(
        calling.db,
        role === 'operator' ? { operator: true } : { teamId: caller.teamId, role },
      );
      context = await browser.newContext({ viewport: DESK, baseURL: origin, javaScriptEnabled: scripts });
      await signIn(context, cookie, origin);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const keys = new Keys(page);
      const find: TaskDesk['find'] = async (text, heading) => {
        await keys.uncounted(() => keys.search(text, scripts));
        if (heading !== undefined) await page.locator('h1', { hasText: heading }).waitFor();
      };
      await page.goto(row.page.startsWith('/platform') ? '/platform' : `/t/${caller.teamId}`);
      return { ...caller, calling, keys, page, scripts, find };
    }

    const cases = rows.flatMap((row) =>
      [plays[row.task] ?? []].flat().flatMap((play, n) =>
        [true, false].map((scripts) => ({
          name: `${row.task}${n > 0 ? ` (${n + 1})` : ''}, ${scripts ? 'with' : 'without'} scripts`,
          row,
          play,
          scripts,
        })),
      ),
    );
    test.each(cases)('$name', async ({ row, play, scripts }) => {
      const desk = await deskOf(row, scripts);
      await play(desk);
      const { activated, seen } = desk.keys;
      expect({ clicks: activated.length, activated }).toEqual({ clicks: row.clicks, activated });
      expect({ activated, differ: differences(row.labels, activated) }).toEqual({ activated, differ: [] });
      if (/^[/…]/.test(row.page)) expect(seen).toContainEqual(expect.stringMatching(patternOf(row.page)));
    });
  });
}

/** The names in the document that are not those of the controls. Without names, nothing. */
function differences(labels: string[], activated: string[]): string[] {
  if (labels.length === 0) return [];
  if (labels.length !== activated.length) return labels;
  return labels.filter((label, n) => {
    const names = label.split(' or ').map((name) => name.replace(/…$/, ''));
    return /^[A-Z]/.test(label) && !names.some((name) => activated[n]?.startsWith(name));
  });
}

/** Such as `/t/{team}/agents/{id}` and `…/campaigns/{id}`, as a pattern of paths. */
function patternOf(page: string): RegExp {
  const path = page.replace(/^…/, '').replaceAll(/\{\w+\}/g, '[\\w-]+');
  return new RegExp(`${page.startsWith('…') ? '' : '^'}${path}$`);
}

/** Whether a row of the campaign managers is about campaigns and imports. */
export const ofCampaigns = ({ page }: TaskRow): boolean => /campaigns|versions|imports/.test(page);
