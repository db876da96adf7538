import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Test } from 'supertest';
import { OPERATOR_TOKEN } from '../support/app.js';

/** The operator's surface over real HTTP; paths are below `/api/admin`. */
export class OperatorApi {
  constructor(private readonly app: NestExpressApplication) {}

  get(path: string): Test {
    return this.authorized(supertest(this.app.getHttpServer()).get(`/api/admin${path}`));
  }

  post(path: string, body?: object): Test {
    return this.authorized(supertest(this.app.getHttpServer()).post(`/api/admin${path}`)).send(body);
  }

  patch(path: string, body: object): Test {
    return this.authorized(supertest(this.app.getHttpServer()).patch(`/api/admin${path}`)).send(body);
  }

  delete(path: string): Test {
    return this.authorized(supertest(this.app.getHttpServer()).delete(`/api/admin${path}`));
  }

  /** Creates, and gives the body of the answer, which must be 201. */
  async created<T extends object = { id: string }>(path: string, body: object): Promise<T> {
    const response = await this.post(path, body);
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body as T;
  }

  private authorized(test: Test): Test {
    return test.set('Authorization', `Bearer ${OPERATOR_TOKEN}`);
  }
}

/** An id that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';
export const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
