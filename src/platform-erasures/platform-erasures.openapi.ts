import {
  COUNT_SCHEMA,
  described,
  INSTANT_SCHEMA,
  nullable,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { PlatformErasuresAdminController } from './platform-erasures-admin.controller.js';
import { type PlatformErasureResource } from './platform-erasures.service.js';

const ERASURE = objectOf<PlatformErasureResource>('PlatformErasure', {
  callId: UUID_SCHEMA,
  carrier: TEXT_SCHEMA,
  carrierCallId: described(
    nullable(TEXT_SCHEMA),
    'The platform’s id of the call. Null as long as it is not known.',
  ),
  attempts: described(COUNT_SCHEMA, 'How often the platform was asked.'),
  reason: described(nullable(TEXT_SCHEMA), 'Why the last attempt failed. Null if there was none.'),
  dueAt: described(INSTANT_SCHEMA, 'When the next attempt is due.'),
  createdAt: described(INSTANT_SCHEMA, 'When the person was erased.'),
});

export const PLATFORM_ERASURES_OPENAPI = documented(
  PlatformErasuresAdminController,
  { surface: 'operator', tag: 'Operator: calls' },
  {
    list: {
      id: 'listPlatformErasures',
      summary: 'List calls of erased persons that are still to be erased at platforms',
      description:
        'A call is erased at the platform of its voice agent once it has ended. A failed attempt is repeated, ever less often; a call ' +
        'that was erased, or that the platform does not have, is not listed.',
      success: { description: 'A page of calls.', schema: pageOfItems(ERASURE, 'PlatformErasurePage') },
    },
  },
);
