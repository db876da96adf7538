import {
  ANY_OBJECT_SCHEMA,
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented, type ResponseDoc } from '../http/openapi/operation.js';
import { ContactErasureAdminController } from './contact-erasure-admin.controller.js';
import { ContactErasureController } from './contact-erasure.controller.js';

const NO_KEY: Record<number, ResponseDoc> = {
  409: errorDoc(
    'The deployment has no `ERASURE_KEY`, which recognizes erased numbers.',
    'Contacts cannot be erased: ERASURE_KEY is not set',
  ),
};

const ERASED = { description: 'The person is erased.' };

const DESCRIPTION =
  'Permanently deletes name, e-mail address, company, properties, variables, prompts and results from every table. ' +
  'Pending calls end `canceled`, enrollments `exited`. Ended calls stay; their number is `erased:` and a hash. ' +
  'The Do Not Call list, the 12 hours between two calls and the limits of the number still apply.';

const rows = (description: string) => described(listOf(ANY_OBJECT_SCHEMA), description);

const EXPORT: JsonSchema = {
  title: 'ContactExport',
  type: 'object',
  properties: {
    exportedAt: INSTANT_SCHEMA,
    contact: described(nullable(ANY_OBJECT_SCHEMA), 'The contact with its custom properties.'),
    calls: rows(
      'Every call to the number, the oldest first, with variables, prompts, history and decisions.',
    ),
    enrollments: rows('Every enrollment with its campaign.'),
    doNotCall: rows('The entry of the Do Not Call list.'),
    whitelist: rows('The entry of the whitelist.'),
  },
  required: ['exportedAt', 'contact', 'calls', 'enrollments', 'doNotCall', 'whitelist'],
};

export const ERASURE_OPENAPI = documented(
  ContactErasureController,
  { surface: 'team', tag: 'Contacts' },
  {
    erase: {
      id: 'eraseContact',
      summary: 'Erase a person',
      description: DESCRIPTION,
      success: ERASED,
      refusals: NO_KEY,
    },
    export: {
      id: 'exportContact',
      summary: 'Export all data of a person',
      description:
        'The answer is streamed, so it has no `Content-Length`. An answer that was cut off is not valid JSON.',
      status: 200,
      success: { description: 'The person’s data.', schema: EXPORT },
    },
  },
);

export const ERASURE_ADMIN_OPENAPI = documented(
  ContactErasureAdminController,
  { surface: 'operator', tag: 'Operator: contacts' },
  {
    erase: {
      id: 'eraseContactOfTeam',
      summary: 'Erase a person',
      description: DESCRIPTION,
      success: ERASED,
      refusals: NO_KEY,
    },
  },
);
