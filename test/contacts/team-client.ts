import { createHash, randomBytes } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Test } from 'supertest';
import { type DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { buildApiKey, buildTeam, type Row } from '../support/builders.js';

/** An id that nothing has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const anyUuid = expect.stringMatching(UUID) as string;

export const CONTACTS = '/api/contacts';
export const CONTACT_ENROLLMENTS = '/api/campaigns/contact-enrollments';
export const ENROLLMENTS = '/api/campaigns/enrollments';

export type Body = Record<string, unknown>;

/** A status and a body, so that a test can compare both at once. */
export type Answer = [status: number, body: Body];

/** One team's own systems, talking to the API over real HTTP with the team's key. */
export class TeamClient {
  constructor(
    private readonly app: NestExpressApplication,
    readonly teamId: string,
    readonly apiKey: string,
  ) {}

  post(path: string, body: Body | string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.answer(supertest(this.app.getHttpServer()).post(path).set(headers).type('json').send(body));
  }

  patch(path: string, body: Body): Promise<Answer> {
    return this.answer(supertest(this.app.getHttpServer()).patch(path).send(body));
  }

  /** @returns the status. */
  async erase(contactId: string): Promise<number> {
    const path = `${CONTACTS}/${contactId}`;
    const [status] = await this.answer(supertest(this.app.getHttpServer()).delete(path));
    return status;
  }

  get(path: string): Promise<Answer> {
    return this.answer(supertest(this.app.getHttpServer()).get(path));
  }

  /** The contact as `GET /api/contacts/{contactId}` shows it. */
  async contact(contactId: unknown): Promise<Body> {
    const [status, body] = await this.get(`${CONTACTS}/${String(contactId)}`);
    if (status !== 200) throw new Error(`GET contact: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The contact's enrollments as `GET /api/campaigns/enrollments` shows them. */
  async enrollments(contactId: unknown): Promise<Body[]> {
    const [status, body] = await this.get(`${ENROLLMENTS}?contactId=${String(contactId)}`);
    if (status !== 200) throw new Error(`GET enrollments: ${status} ${JSON.stringify(body)}`);
    return body.items as Body[];
  }

  private async answer(test: Test): Promise<Answer> {
    const response = await test.set('Authorization', `Bearer ${this.apiKey}`);
    return [response.status, response.body as Body];
  }
}

/** A new team with a key. */
export async function buildClient(
  db: DataSource,
  app: NestExpressApplication,
  team: Row = {},
): Promise<TeamClient> {
  const { id } = await buildTeam(db, team);
  const apiKey = `od_test_${randomBytes(16).toString('hex')}`;
  await buildApiKey(db, id, { key_hash: createHash('sha256').update(apiKey).digest() });
  return new TeamClient(app, id, apiKey);
}

/** `count` of the same thing at once. */
export function parallel<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

/** How many statements and transactions the API sends to Postgres while `act` runs. */
export async function countStatements(
  app: NestExpressApplication,
  act: () => Promise<unknown>,
): Promise<number> {
  const transactions = app.get(Transactions);
  const spies = [jest.spyOn(transactions, 'inOneRoundTrip'), jest.spyOn(transactions, 'run')];
  try {
    await act();
    return spies.reduce((total, spy) => total + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
