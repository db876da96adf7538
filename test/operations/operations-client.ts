import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response, type Test } from 'supertest';

export const PAGES_LOGIN = { bullBoardUser: 'operator', bullBoardPassword: 'staff-password-of-the-tests' };

export function basic(
  user = PAGES_LOGIN.bullBoardUser,
  password = PAGES_LOGIN.bullBoardPassword,
): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A browser of operations staff over HTTP: it signs in, keeps its cookies, and sends the forms of the pages. */
export class OperationsClient {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly app: NestExpressApplication) {}

  get(path: string): Test {
    return this.http().get(path).set(basic()).set('Cookie', this.cookieHeader());
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
    return this.http().post(path).set(basic()).set('Cookie', this.cookieHeader()).type('form').send(fields);
  }

  private keep(answer: Response): void {
    for (const set of (answer.headers['set-cookie'] ?? []) as string[]) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      if (set.includes('; Max-Age=0;')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  private cookieHeader(): string {
    return [...this.cookies].map((cookie) => cookie.join('=')).join('; ');
  }

  private http() {
    return supertest(this.app.getHttpServer());
  }
}

/** The hidden fields of the first form with this action. */
export function hiddenFields(page: string, action: string): Record<string, string> {
  const [, form] = page.split(`action="${action}"`);
  if (form === undefined) throw new Error(`the page has no form with the action ${action}`);
  const [own = ''] = form.split('</form>');
  const inputs = own.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name ?? '', unescapeHtml(value ?? '')]));
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** What a page says, without its markup. */
export function textOf(page: string): string {
  return unescapeHtml(page.replace(/<[^>]*>/g, ' '))
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
