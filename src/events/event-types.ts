/** The resource that an event shows as its data. */
export type EventResource = 'call' | 'enrollment' | 'contact' | 'campaign' | 'import';

/** A type of events. */
export interface ListedEventType {
  /** The name of the resource, a point, and what happened. A trigger of the database writes it. */
  name: `${EventResource}.${string}`;
  /** When such an event is written, for the OpenAPI document and the table of docs/events.md. */
  when: string;
}

/**
 * The types of events. From this list follow the schemas of events and of webhooks' subscriptions, the filter of
 * the feed, and the data of an event. `test/events/event-types.unit.spec.ts` compares the triggers and the table of
 * docs/events.md with it.
 */
export const LISTED_EVENT_TYPES = [
  {
    name: 'call.scheduled',
    when: 'a call was accepted for a later opening, or rescheduled to another opening',
  },
  { name: 'call.started', when: 'the carrier accepted the call' },
  { name: 'call.answered', when: 'a report first said that a person or a machine answered the call' },
  {
    name: 'call.ended',
    when: 'an accepted call reached a final status, including `blocked`, `expired` and `canceled`',
  },
  {
    name: 'call.unknown',
    when: 'the outcome of a dial is unknown: `dial_unknown`; `call.started` or `call.ended` may follow',
  },
  { name: 'call.result', when: 'a result was recorded' },
  { name: 'enrollment.created', when: 'a contact was enrolled' },
  { name: 'enrollment.ended', when: 'an enrollment ended: `completed`, `exited` or `failed`' },
  { name: 'contact.opted_out', when: 'a number is new on the team’s Do Not Call list' },
  { name: 'campaign.paused', when: 'an active campaign was paused' },
  { name: 'campaign.resumed', when: 'a paused campaign is active again' },
  { name: 'campaign.finished', when: 'a campaign has enrollments, and none was live for 60 seconds' },
  {
    name: 'campaign.stalled',
    when: 'all live enrollments of an active campaign waited for 5 minutes for what only a change ends: `rule`',
  },
  { name: 'import.finished', when: 'an import ended' },
] as const satisfies readonly ListedEventType[];

export type EventType = (typeof LISTED_EVENT_TYPES)[number]['name'];

export const EVENT_TYPES: readonly EventType[] = LISTED_EVENT_TYPES.map(({ name }) => name);

/** The types of events about a resource, with when they are written. */
export function eventTypesOf(resource: EventResource): readonly (ListedEventType & { name: EventType })[] {
  return LISTED_EVENT_TYPES.filter(({ name }) => resourceOf(name) === resource);
}

export function resourceOf(type: EventType): EventResource {
  return type.split('.')[0] as EventResource;
}

/** SQL: whether an event is about a resource. @param type SQL for its type. */
export function isAbout(resource: EventResource, type: string): string {
  return `starts_with(${type}, '${resource}.')`;
}
