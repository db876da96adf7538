import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';

export const SCREENS = { desk: { width: 1400, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Screen = keyof typeof SCREENS;
export const SCHEMES = ['light', 'dark'] as const;

/** For people who want to look: a directory, in which the pages leave pictures. */
const PICTURES = process.env.TEST_SCREENSHOTS;

/** Opens pages of the documentation as readers do, and collects what the browser complains about. */
export class ReaderBrowser {
  private readonly contexts: BrowserContext[] = [];
  /** Such as what the policy of a page refused. */
  complaints: string[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly origin: string,
  ) {}

  async open(path: string, screen: Screen, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await this.browser.newContext({
      viewport: SCREENS[screen],
      baseURL: this.origin,
      permissions,
      reducedMotion: 'reduce' as const,
      ...options,
    });
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('response', (answer) => {
      if (!answer.url().startsWith(this.origin)) this.complaints.push(`loads ${answer.url()}`);
    });
    await page.goto(path);
    return page;
  }

  /** Closes what was opened. */
  async reset(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close();
    this.complaints = [];
  }
}

/** Keeps a picture of what is on the screen. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Elements that stick out of the screen, beside those inside of what scrolls itself. */
export function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    return wide > 0 ? [wide + ' px too wide'] : [];
  })()`);
}

/** Text whose contrast with its background is below 4.5 to 1, by what it is. */
export function tooFaint(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([red, green, blue]) => {
      const [r, g, b] = [red, green, blue].map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const background = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = rgb(getComputedStyle(at).backgroundColor);
        if (color.length === 3 || color[3] > 0) return color;
      }
      return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
    };
    const found = new Set();
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      if (!hasText || !element.checkVisibility()) continue;
      const pair = [light(rgb(getComputedStyle(element).color)), light(background(element))].sort((a, b) => b - a);
      const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
      if (contrast < 4.5) found.add(element.tagName + '.' + element.className + ' ' + contrast.toFixed(2));
    }
    return [...found];
  })()`);
}
