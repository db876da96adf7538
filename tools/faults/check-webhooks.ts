import { type EventRecord } from './event-history.js';
import { type History } from './history.js';
import { type Violation, type ViolationKind } from './violation.js';
import { type EndpointRecord, type WebhookHistory, type WebhookRequestRecord } from './webhook-history.js';

/**
 * Whether each endpoint received the events of its team's feed that it asked for, signed, and nothing else.
 */
export function checkWebhooks({ events, webhooks }: History): Violation[] {
  if (events === null || webhooks === null) return [];
  const feed = new Map(events.read.map((event) => [event.id, event]));
  return [
    ...wronglySigned(webhooks),
    ...ofOtherTeams(webhooks, feed),
    ...delayed(webhooks),
    // An event may be delivered before the feed is read to it.
    ...(events.stored === null ? [] : [...lost(webhooks, events.read), ...invented(webhooks, feed)]),
  ];
}

function wronglySigned({ requests }: WebhookHistory): Violation[] {
  return requests
    .filter(({ isSigned }) => !isSigned)
    .map((one) => found('signature wrong', one, 'is not signed'));
}

/** By what the event says of itself, and by the feed in which it is. */
function ofOtherTeams({ requests }: WebhookHistory, feed: ReadonlyMap<string, EventRecord>): Violation[] {
  return requests.flatMap((one) => {
    const { endpoint, event } = one;
    const teams = [event.teamId, feed.get(event.id)?.teamId ?? endpoint.teamId];
    const other = teams.find((teamId) => teamId !== endpoint.teamId);
    return other === undefined ? [] : [found('webhook of another team', one, `is of the team ${other}`)];
  });
}

function lost({ endpoints, requests }: WebhookHistory, read: readonly EventRecord[]): Violation[] {
  const taken = new Set(requests.filter(({ isTaken }) => isTaken).map(keyOf));
  return endpoints
    .filter(({ kind }) => kind !== 'hanging')
    .flatMap((endpoint) =>
      read
        .filter((event) => event.teamId === endpoint.teamId && isAskedFor(endpoint, event))
        .map((event) => ({ endpoint, event }))
        .filter((one) => !taken.has(keyOf(one)))
        .map((one) => found('webhook lost', one, 'was never taken')),
    );
}

/** Each event of an endpoint is checked once, however often it was sent. */
function invented({ requests }: WebhookHistory, feed: ReadonlyMap<string, EventRecord>): Violation[] {
  const violations = new Map<string, Violation>();
  for (const one of requests) {
    const { endpoint, event } = one;
    const told = feed.get(event.id);
    const detail =
      told === undefined
        ? 'is not in the feed'
        : !isAskedFor(endpoint, event)
          ? 'was not asked for'
          : differs(event, told)
            ? `differs from ${told.type} ${told.sequence} of the feed`
            : null;
    if (detail !== null) violations.set(keyOf(one) + detail, found('webhook invented', one, detail));
  }
  return [...violations.values()];
}

function delayed({ delayed, endpoints }: WebhookHistory): Violation[] {
  const kinds = new Map(endpoints.map(({ id, kind }) => [id, kind]));
  return (delayed ?? []).map(({ endpointId, eventId }) => ({
    kind: 'webhook delayed',
    id: eventId,
    detail: `was due to a ${kinds.get(endpointId) ?? 'missing'} endpoint for too long`,
  }));
}

function isAskedFor({ types }: EndpointRecord, { type }: EventRecord): boolean {
  return types === null || types.includes(type);
}

/** Teams are checked separately. */
function differs(event: EventRecord, told: EventRecord): boolean {
  const fields = ['type', 'sequence', 'callRequestId', 'status'] as const;
  return fields.some((field) => event[field] !== told[field]);
}

type Delivered = Pick<WebhookRequestRecord, 'endpoint' | 'event'>;

function keyOf({ endpoint, event }: Delivered): string {
  return `${endpoint.id} ${event.id}`;
}

function found(kind: ViolationKind, { endpoint, event }: Delivered, detail: string): Violation {
  const { type, sequence, callRequestId, id } = event;
  return {
    kind,
    id: callRequestId ?? id,
    detail: `${type} ${sequence} at the ${endpoint.kind} endpoint of team ${endpoint.teamId} ${detail}`,
  };
}
