import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response, type Test } from 'supertest';
import { DataSource } from 'typeorm';
import { signedIn } from '../support/signed-in.js';

/** The user and password of the board. */
export const PAGES_LOGIN = { bullBoardUser: 'operator', bullBoardPassword: 'staff-password-of-the-tests' };

export function basic(
  user = PAGES_LOGIN.bullBoardUser,
  password = PAGES_LOGIN.bullBoardPassword,
): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A person's browser over HTTP: it keeps its cookies, and sends the forms of the pages. */
export class OperationsClient {
  private readonly cookies = new Map<string, string>();

  /** @param cookie of a session, as {@link signedIn} returns it; without it, nobody is signed in. */
  constructor(
    private readonly app: NestExpressApplication,
    cookie?: string,
  ) {
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) this.cookies.set(name, value);
  }

  /** The browser of a new person; by default, of an operator. */
  static async signedIn(
    app: NestExpressApplication,
    who: Parameters<typeof signedIn>[1] = { operator: true },
  ): Promise<OperationsClient> {
    const { cookie } = await signedIn(app.get(DataSource, { strict: false }), who);
    return new OperationsClient(app, cookie);
  }

  get(path: string): Test {
    return this.http().get(path).set('Cookie', this.cookieHeader());
  }

  /** A page that must be there. */
  async page(path: string): Promise<string> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    this.keep(answer);
    return answer.text;
  }

  /** Opens the page, and sends the form with this action as it is there, with these fields filled in. */
  async submit(path: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    const hidden = hiddenFields(await this.page(path), action);
    const answer = await this.post(action, { ...hidden, ...fields });
    this.keep(answer);
    return answer;
  }

  post(path: string, fields: Record<string, string>): Test {
    return this.http().post(path).set('Cookie', this.cookieHeader()).type('form').send(fields);
  }

  private keep(answer: Response): void {
    for (const set of (answer.headers['set-cookie'] ?? []) as string[]) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      if (set.includes('; Max-Age=0;')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  /** As the browser sends it. */
  cookieHeader(): string {
    return [...this.cookies].map((cookie) => cookie.join('=')).join('; ');
  }

  private http() {
    return supertest(this.app.getHttpServer());
  }
}

/** The hidden fields of the first form that is posted to this action. */
export function hiddenFields(page: string, action: string): Record<string, string> {
  const [, form] = page.split(`method="post" action="${action}"`);
  if (form === undefined) throw new Error(`the page posts no form to ${action}`);
  const [own = ''] = form.split('</form>');
  const inputs = own.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name ?? '', unescapeHtml(value ?? '')]));
}

/** The actions of the forms that a page posts, without that of the frame. */
export function formsOf(page: string): string[] {
  const actions = [...page.matchAll(/method="post" action="([^"]*)"/g)].map(([, action = '']) => action);
  return actions.filter((action) => action !== '/logout');
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** What a page says, without its markup. Numbers are as they are copied. */
export function textOf(page: string): string {
  const copied = page.replace(/<data class="phone"[^>]*>(.*?)<\/data>/gs, (_, groups: string) =>
    groups.replace(/<[^>]*>/g, ''),
  );
  return unescapeHtml(copied.replace(/<\/?time[^>]*>/g, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** The part of a page with this id, up to the end of its section. */
export function section(page: string, id: string): string {
  const start = page.indexOf(`id="${id}"`);
  if (start < 0) return '';
  const rest = page.slice(start);
  const end = rest.search(/<\/section>/);
  return textOf(`<${rest.slice(0, end < 0 ? undefined : end)}`);
}

/** The bars of the overview's chart that are not empty, by the hour that is written below. */
export function chart(page: string): Record<string, number> {
  const bars: Record<string, number> = {};
  for (const [, hour = '', calls] of page.matchAll(/data-hour="([^"]*)" data-calls="(\d+)"/g)) {
    if (Number(calls) > 0) bars[hour] = Number(calls);
  }
  return bars;
}
