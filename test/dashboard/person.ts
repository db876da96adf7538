import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response, type Test } from 'supertest';
import { hiddenFields } from '../operations/operations-client.js';

/** The values of a form's fields; a list is sent as several values. */
export type Fields = Record<string, string | readonly string[]>;

/** The browser of a person who is signed in, without scripts. */
export class Person {
  constructor(
    private readonly app: NestExpressApplication,
    private readonly cookie: string,
  ) {}

  get(path: string): Test {
    return supertest(this.app.getHttpServer()).get(path).set('Cookie', this.cookie);
  }

  /** A page that must be there. */
  async page(path: string): Promise<string> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.text;
  }

  /** Sends the form with this action as it is on the page, with these fields filled in. */
  async submit(path: string, action: string, fields: Fields = {}): Promise<Response> {
    return this.post(action, { ...hiddenFields(await this.page(path), action), ...fields });
  }

  post(path: string, fields: Fields): Test {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === 'string' ? [value] : value) body.append(name, one);
    }
    return supertest(this.app.getHttpServer())
      .post(path)
      .set('Cookie', this.cookie)
      .type('form')
      .send(body.toString());
  }

  /** The page to which a form led, with the notice that it shows once. */
  async after(answer: Response): Promise<string> {
    const set = (answer.headers['set-cookie'] ?? []) as unknown as string[];
    const cookies = [this.cookie, ...set.map((one) => one.split(';')[0] ?? '')].join('; ');
    const next = await supertest(this.app.getHttpServer())
      .get(answer.headers.location ?? '')
      .set('Cookie', cookies);
    if (next.status !== 200) throw new Error(`${answer.headers.location}: ${next.status} ${next.text}`);
    return next.text;
  }
}
