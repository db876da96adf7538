import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response, type Test } from 'supertest';
import { hiddenFields } from '../operations/operations-client.js';

/** The browser of a person who is signed in, over HTTP. It sends the forms of pages as they are there. */
export class PagesClient {
  /** @param cookie the whole `Cookie` header. */
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

  /** Opens the page, and sends the form with this action with these fields filled in. */
  async submit(path: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.post(action, { ...hiddenFields(await this.page(path), action), ...fields });
  }

  post(path: string, fields: Record<string, string>): Test {
    return supertest(this.app.getHttpServer())
      .post(path)
      .set('Cookie', this.cookie)
      .type('form')
      .send(fields);
  }
}
