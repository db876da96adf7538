import { type EventRecord } from './event-history.js';

/**
 * `healthy`: it takes every event. `failing`: it fails at random while faults happen. `hanging`: it never
 * answers.
 */
export const ENDPOINT_KINDS = ['healthy', 'failing', 'hanging'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** An endpoint that a team has registered. */
export interface EndpointRecord {
  id: string;
  teamId: string;
  kind: EndpointKind;
  /** The types of events that it receives; null: all. */
  types: readonly string[] | null;
}

/** A request that an endpoint received. */
export interface WebhookRequestRecord {
  endpoint: EndpointRecord;
  /** What the body says; `teamId` is the team that the body names. */
  event: EventRecord;
  /** Whether it was answered with a 2xx status in time. */
  isTaken: boolean;
  /** Whether the signature is that of the body by the endpoint's secret. */
  isSigned: boolean;
}

/** A delivery that was due for long. */
export interface DelayedDelivery {
  endpointId: string;
  eventId: string;
}

/** All that is known of a run's webhooks. */
export interface WebhookHistory {
  endpoints: readonly EndpointRecord[];
  requests: readonly WebhookRequestRecord[];
  /**
   * Deliveries to healthy endpoints that were not made in time, while others hung and no fault happened;
   * null: not looked at yet.
   */
  delayed: readonly DelayedDelivery[] | null;
}
