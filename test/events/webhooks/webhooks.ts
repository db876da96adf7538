import { type DataSource } from 'typeorm';
import { type WebhookDeliveryView } from '../../../src/events/webhooks/webhook-deliveries.service.js';
import { type WebhookEndpointWithSecret } from '../../../src/events/webhooks/webhook-endpoint.dto.js';
import { type Configuration } from '../../../src/configuration.js';
import { insertRow, nextNumber, type Row } from '../../support/builders.js';
import { type Caller } from '../../support/call-builders.js';
import { bearer, Calling } from '../../support/calling.js';
import { eventually } from '../../support/eventually.js';

type Key = Pick<Caller, 'apiKey'>;
type Method = 'get' | 'post' | 'patch' | 'delete';

export const ENDPOINTS = '/api/webhook-endpoints';

/** What tests of webhooks ask of the API. Endpoints may be on this host. */
export class Webhooks {
  private constructor(readonly calling: Calling) {}

  static async start(overrides: Partial<Configuration> = {}): Promise<Webhooks> {
    return new Webhooks(await Calling.start({ webhooksAllowPrivate: true, ...overrides }));
  }

  /** The same for all tests of a file. */
  static ofFile(overrides: Partial<Configuration> = {}): Webhooks {
    return new Webhooks(Calling.ofFile({ webhooksAllowPrivate: true, ...overrides }));
  }

  get db(): DataSource {
    return this.calling.db;
  }

  ask(method: Method, path: string, { apiKey }: Key, body?: object) {
    return this.calling.http()[method](path).set(bearer(apiKey)).send(body);
  }

  async create(by: Key, url: string, fields: Row = {}): Promise<WebhookEndpointWithSecret> {
    const answer = await this.ask('post', ENDPOINTS, by, { url, ...fields });
    if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
    return answer.body as WebhookEndpointWithSecret;
  }

  async deliveries(by: Key, endpointId: string, query = ''): Promise<WebhookDeliveryView[]> {
    const answer = await this.ask('get', `${ENDPOINTS}/${endpointId}/deliveries?limit=200${query}`, by);
    if (answer.status !== 200) throw new Error(`not listed: ${answer.status} ${answer.text}`);
    return (answer.body as { items: WebhookDeliveryView[] }).items;
  }

  /** Waits until the endpoint's deliveries are as wanted. */
  until(
    by: Key,
    endpointId: string,
    wanted: (deliveries: WebhookDeliveryView[]) => boolean,
  ): Promise<WebhookDeliveryView[]> {
    return eventually(() => this.deliveries(by, endpointId), wanted);
  }

  /** Writes events of the type `contact.opted_out`. @returns their numbers of phones. */
  async writeEvents(teamId: string, count: number): Promise<string[]> {
    const numbers = Array.from({ length: count }, nextNumber);
    for (const phone_number of numbers) {
      await insertRow(this.db, 'do_not_call', { team_id: teamId, phone_number });
    }
    return numbers;
  }

  /** Numbers what no worker has numbered, which creates the deliveries. */
  async number(): Promise<void> {
    await this.db.query('SELECT * FROM number_events(100000)');
  }

  close(): Promise<void> {
    return this.calling.close();
  }
}

export const all = (status: string, count: number) => (deliveries: WebhookDeliveryView[]) =>
  deliveries.length === count && deliveries.every((delivery) => delivery.status === status);

/** Whether no attempt is due or under way. @param hours by which the clock is moved. */
export function isResting({ status, nextAttemptAt, lastAttemptAt }: WebhookDeliveryView, hours = 0): boolean {
  if (status !== 'pending') return true;
  const isDone = lastAttemptAt !== null && nextAttemptAt !== null && nextAttemptAt > lastAttemptAt;
  return isDone && Date.parse(nextAttemptAt) > Date.now() + hours * 3_600_000;
}
