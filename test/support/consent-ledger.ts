import { type Test } from 'supertest';
import { type ConsentResource } from '../../src/consents/consent.dto.js';
import { type ConsentFact } from '../../src/domain/compliance/facts.js';
import { type Caller } from './call-builders.js';
import { bearer, type Calling } from './calling.js';

type By = Pick<Caller, 'apiKey'>;

const HOUR_MS = 3_600_000;

/** An instant these hours ago. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** What tests ask of the ledger of consents, with a team's key. */
export class Ledger {
  constructor(private readonly calling: Calling) {}

  post({ apiKey }: By, body: object, headers: Record<string, string> = {}): Test {
    return this.calling
      .http()
      .post('/api/consents')
      .set({ ...bearer(apiKey), ...headers })
      .send(body);
  }

  /** Records a consent that must be accepted. */
  async recorded(by: By, phoneNumber: string, fields: object = {}): Promise<ConsentResource> {
    const body = { phoneNumber, level: 'express', source: 'letter', grantedAt: hoursAgo(1), ...fields };
    return (await this.post(by, body).expect(201)).body as ConsentResource;
  }

  revoke({ apiKey }: By, id: string, body: object = {}): Test {
    return this.calling.http().post(`/api/consents/${id}/revoke`).set(bearer(apiKey)).send(body);
  }

  async list({ apiKey }: By, query: Record<string, string> = {}): Promise<ConsentResource[]> {
    const answer = await this.calling
      .http()
      .get('/api/consents')
      .query(query)
      .set(bearer(apiKey))
      .expect(200);
    return (answer.body as { items: ConsentResource[] }).items;
  }

  /** The states of the consents of a number, the latest recorded first. */
  async states(by: By, phoneNumber: string): Promise<string[]> {
    return (await this.list(by, { phoneNumber })).map(({ status }) => status);
  }

  /** What a decision of this instant reads. @param numbers all forms of the number of a person. */
  async facts(
    { teamId }: Pick<Caller, 'teamId'>,
    numbers: string[],
    at = new Date(),
  ): Promise<ConsentFact[]> {
    const [row] = await this.calling.db.query<{ facts: ConsentFact[] }[]>(
      'SELECT consents_of($1, $2, $3) AS facts',
      [teamId, numbers, at],
    );
    return row?.facts ?? [];
  }
}
