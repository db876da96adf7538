import { WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { LISTED_CALL_SCHEMA } from '../../calls/records/call.schemas.js';
import { ENROLLMENT_SCHEMA } from '../../campaigns/records/enrollments.openapi.js';
import { CAMPAIGN_VIEW_PROPERTIES } from '../../campaigns/records/team-campaigns.openapi.js';
import { forEachField } from '../../domain/contact-fields.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { documented } from '../../http/openapi/operation.js';
import { IMPORT_SCHEMA } from '../../imports/imports.openapi.js';
import { type EventResource, eventTypesOf } from '../event-types.js';
import { type CampaignOfEvent, type EventView, type OptedOutContact } from './event-view.js';
import { FeedController } from './feed.controller.js';
import { type EventPage } from './feed.service.js';

const OPTED_OUT_CONTACT = objectOf<OptedOutContact>(
  'OptedOutContact',
  {
    contactId: described(nullable(UUID_SCHEMA), 'Null if the team has no contact with this phone number.'),
    phoneNumber: described(
      STORED_NUMBER_SCHEMA,
      'The phone number that was added to the Do Not Call list. After the erasure of its contact, `erased:` and a hash.',
    ),
    ...forEachField(() => nullable(TEXT_SCHEMA)),
    customProperties: nullable(ANY_OBJECT_SCHEMA),
    reason: described(
      nullable(TEXT_SCHEMA),
      'The reason that the entry on the Do Not Call list states. Null if it states none.',
    ),
  },
  {
    description:
      'The contact whose phone number was added to the Do Not Call list. If the team has no such contact, only `phoneNumber` and ' +
      '`reason` can have values.',
  },
);

const CAMPAIGN_OF_EVENT = objectOf<CampaignOfEvent>(
  'CampaignOfEvent',
  {
    ...CAMPAIGN_VIEW_PROPERTIES,
    rule: described(
      oneOf(WAITING_FOR),
      'Only in the event of a stalled campaign: what most of its live enrollments wait for.',
    ),
  },
  { optional: ['rule'] },
);

/** The events about a resource. */
function eventOf(title: string, resource: EventResource, data: JsonSchema): JsonSchema {
  const types = eventTypesOf(resource);
  const meanings = types.map(({ name, when }) => `\`${name}\`: ${when}.`);
  return objectOf<EventView>(title, {
    id: described(UUID_SCHEMA, 'The id of the event. It is the same each time the event is read or sent.'),
    type: described(oneOf(types.map(({ name }) => name)), meanings.join(' ')),
    timestamp: described(INSTANT_SCHEMA, 'When the event was written.'),
    teamId: UUID_SCHEMA,
    sequence: described(
      ORDINAL_SCHEMA,
      'The number of the event among the events of its team. Later events have higher numbers. There can be gaps.',
    ),
    data,
  });
}

const DATA: Record<EventResource, readonly [title: string, data: JsonSchema]> = {
  call: ['CallEvent', LISTED_CALL_SCHEMA],
  enrollment: ['EnrollmentEvent', ENROLLMENT_SCHEMA],
  contact: ['ContactEvent', OPTED_OUT_CONTACT],
  campaign: ['CampaignEvent', CAMPAIGN_OF_EVENT],
  import: ['ImportEvent', IMPORT_SCHEMA],
};

const EVENTS = Object.entries(DATA).map(([resource, [title, data]]) =>
  eventOf(title, resource as EventResource, data),
);

/** An event as its readers get it. */
export const EVENT_SCHEMA: JsonSchema = {
  title: 'Event',
  description:
    'The `type` of the event determines the form of `data`. `data` is the resource as lists show it, at the time of the event.',
  anyOf: EVENTS,
};

const PAGE = objectOf<EventPage>('EventPage', {
  items: listOf(EVENT_SCHEMA),
  nextAfter: described(
    { type: 'integer', minimum: 0 },
    'The `after` of the next request. If it equals the `after` that was sent, there are no further events yet.',
  ),
});

const GONE: JsonSchema = {
  title: 'EventsGone',
  type: 'object',
  properties: {
    error: TEXT_SCHEMA,
    oldest: described(
      ORDINAL_SCHEMA,
      'The `sequence` of the oldest stored event. If no event is stored, the number after the last removed `sequence`.',
    ),
  },
  required: ['error', 'oldest'],
};

export const FEED_OPENAPI = documented(
  FeedController,
  { surface: 'team', tag: 'Events' },
  {
    list: {
      id: 'listEvents',
      summary: 'Read the team’s events in the order of their `sequence`',
      description:
        'An event is written in the transaction of its change, and can be read within about a second. After an event has been read, ' +
        'no event with a lower `sequence` appears. Send the first request without `after`. Send the `nextAfter` of each answer as the ' +
        '`after` of the next request. With `types`, a page can have fewer items than `limit`, or none, and still have a higher ' +
        '`nextAfter`.',
      success: { description: 'Events in the order of their `sequence`.', schema: PAGE },
      refusals: {
        410: {
          description:
            'Events after `after` have been removed. Begin again with `after=0`. Read the resources whose events may be missing once.',
          schema: GONE,
          examples: {
            removed: {
              error: 'Events after 17 are no longer kept; the oldest is 4093',
              oldest: 4093,
            },
          },
        },
      },
    },
  },
);
