import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';

export const DESK = { width: 1400, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** For people who want to look: a directory, in which every step leaves a picture. */
export const PICTURES = process.env.TEST_SCREENSHOTS;

/** Opens pages as people do, and collects what the browser complains about. */
export class OperationsBrowser {
  private readonly contexts: BrowserContext[] = [];
  /** Such as what the policy of a page refused. */
  complaints: string[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly origin: string,
    /** Of a session, as `signedIn` returns it. */
    private readonly cookie: string,
  ) {}

  /** @param cookie of the person's session; null: nobody is signed in. */
  async open(viewport = DESK, cookie: string | null = this.cookie): Promise<Page> {
    const context = await this.browser.newContext({ viewport, baseURL: this.origin });
    if (cookie !== null) await signIn(context, cookie, this.origin);
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    return page;
  }

  /** Closes what was opened. */
  async reset(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close();
    this.complaints = [];
  }
}

/** Gives a browser the cookie of a session. */
export async function signIn(context: BrowserContext, cookie: string, origin: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: origin }]);
}

/** Keeps a picture for people, at both widths, bright and dark. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
      await page.setViewportSize(viewport);
      const shade = colorScheme === 'dark' ? '-dark' : '';
      await page.screenshot({ path: join(PICTURES, `${name}-${width}${shade}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESK);
}

/** By how many pixels a page is wider than the screen. */
export function overflowOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
