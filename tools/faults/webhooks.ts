import { type Pool } from 'pg';
import { pause } from '../services/run.js';
import { request } from './http-request.js';
import { type Random } from './random.js';
import { type Tenant } from './tenants.js';
import {
  type DelayedDelivery,
  ENDPOINT_KINDS,
  type EndpointKind,
  type EndpointRecord,
  type WebhookHistory,
} from './webhook-history.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Healthy endpoints receive everything, the others what matters most: each of their failures is logged. */
const TYPES: Record<EndpointKind, readonly string[] | null> = {
  healthy: null,
  failing: ['call.ended'],
  hanging: ['call.ended'],
};

/**
 * A due delivery to a healthy endpoint takes no longer than this, in milliseconds. It includes the lease of a
 * killed worker, 45 seconds. A delivery that waited for hanging ones would wait for hours: each of these
 * takes 15 seconds.
 */
const DELAYED_MS = 120_000;

const PAUSE_MS = 200;

const DUE = `
  SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId" FROM webhook_deliveries d
  WHERE d.endpoint_id = ANY ($1) AND d.status = 'pending' AND d.next_at <= outdial_now()`;

const PENDING = `
  SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId" FROM webhook_deliveries d
  WHERE d.endpoint_id = ANY ($1) AND d.status = 'pending'`;

/** The endpoints of all teams, one of each kind, and what they received. */
export class Webhooks {
  private readonly endpoints: EndpointRecord[] = [];
  private readonly receiver: WebhookReceiver;
  private delayed: readonly DelayedDelivery[] | null = null;

  constructor(
    random: Random,
    private readonly db: Pool,
  ) {
    this.receiver = new WebhookReceiver(random);
  }

  /** Registers the endpoints through the API. @throws when one is refused. */
  async register(apiUrl: string, teams: readonly Tenant[]): Promise<void> {
    const url = await this.receiver.listen();
    for (const team of teams) {
      for (const kind of ENDPOINT_KINDS) {
        const path = `/${team.teamId}/${kind}`;
        const types = TYPES[kind];
        const body = { url: url + path, types, description: kind };
        const answer = await request('POST', `${apiUrl}/api/webhook-endpoints`, team.apiKey, body);
        const { id, secret } = answer.body;
        if (typeof id !== 'string' || typeof secret !== 'string') {
          throw new Error(`an endpoint was not registered: ${answer.status}`);
        }
        const endpoint = { id, teamId: team.teamId, kind, types };
        this.endpoints.push(endpoint);
        this.receiver.serve(path, { endpoint, secret });
      }
    }
  }

  /** What is known up to now. */
  get history(): WebhookHistory {
    return { endpoints: this.endpoints, requests: [...this.receiver.requests], delayed: this.delayed };
  }

  /** Failing endpoints take every event from now on. */
  heal(): void {
    this.receiver.heal();
  }

  /**
   * While others hang, what is due to healthy endpoints is delivered. What is not in time is found to be
   * delayed.
   */
  async measureDelay(): Promise<void> {
    this.delayed = await this.left(DUE, ['healthy'], DELAYED_MS);
  }

  /**
   * Waits until everything is delivered but to endpoints that hang. What is not by then is found to be lost.
   */
  async settle(patienceMs: number): Promise<void> {
    await this.left(PENDING, ['healthy', 'failing'], patienceMs);
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** Waits until no delivery is left. @returns those that are when the patience is over. */
  private async left(
    statement: string,
    kinds: readonly EndpointKind[],
    patienceMs: number,
  ): Promise<DelayedDelivery[]> {
    const deadline = Date.now() + patienceMs;
    const endpoints = this.endpoints.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
    for (;;) {
      const { rows } = await this.db.query<DelayedDelivery>(statement, [endpoints]);
      if (rows.length === 0 || Date.now() > deadline) return rows;
      await pause(PAUSE_MS);
    }
  }
}
