import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response, type Test } from 'supertest';
import { hiddenFields } from '../operations/operations-client.js';

/** A browser over HTTP: it keeps its cookies and sends the forms of the pages. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  /** @param headers of every request, such as `Host`. */
  constructor(
    private readonly app: NestExpressApplication,
    private readonly headers: Record<string, string> = {},
  ) {}

  async get(path: string): Promise<Response> {
    return this.keep(await this.with(supertest(this.app.getHttpServer()).get(path)));
  }

  async post(path: string, fields: Record<string, string>): Promise<Response> {
    const request = supertest(this.app.getHttpServer()).post(path).type('form').send(fields);
    return this.keep(await this.with(request));
  }

  /** Opens the page, and sends its form with this action with these fields filled in. */
  async submit(path: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    const page = await this.get(path);
    if (page.status !== 200) throw new Error(`${path}: ${page.status} ${page.text}`);
    return this.post(action, { ...hiddenFields(page.text, action), ...fields });
  }

  /** @param path such as `/login?back=/account`. */
  signIn(email: string, password: string, path = '/login'): Promise<Response> {
    return this.submit(path, '/login', { email, password });
  }

  private with(request: Test): Test {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    return request.set({ ...this.headers, ...(cookie !== '' && { Cookie: cookie }) });
  }

  private keep(answer: Response): Response {
    for (const set of (answer.headers['set-cookie'] ?? []) as unknown as string[]) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      if (set.includes('; Max-Age=0;')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
