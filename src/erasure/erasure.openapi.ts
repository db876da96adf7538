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
    '`ERASURE_KEY` is not set, or is not the key with which numbers were erased before.',
    'Contacts cannot be erased: ERASURE_KEY is not set',
    'Contacts cannot be erased: ERASURE_KEY is not the key with which numbers were erased before',
  ),
};

const ERASED = { description: 'The contact is erased.' };

const DESCRIPTION =
  'Permanently deletes name, e-mail address, company, custom properties, variables, prompts and results from every table. ' +
  'Pending calls end `canceled`, and live enrollments end `exited`. Ended calls stay; their number becomes `erased:` and a hash. ' +
  'The number is removed from the whitelist. An entry of the Do Not Call list, the 12 hours between two calls, and the limits for one ' +
  'number still apply.';

const rows = (description: string) => described(listOf(ANY_OBJECT_SCHEMA), description);

const EXPORT: JsonSchema = {
  title: 'ContactExport',
  type: 'object',
  properties: {
    exportedAt: INSTANT_SCHEMA,
    contact: described(
      nullable(ANY_OBJECT_SCHEMA),
      'The contact with its custom properties. Null if it was erased during the export.',
    ),
    calls: rows(
      'All calls to the number, the oldest first, with variables, prompts, history and decisions. Empty if there are none.',
    ),
    enrollments: rows('All enrollments of the contact, each with its campaign. Empty if there are none.'),
    doNotCall: rows('The entry of the number on the Do Not Call list. Empty if the number is not on it.'),
    limitedDoNotCall: rows(
      'The entries of the number that hold only for a campaign, an agent, a purpose or a time. Empty if there are none.',
    ),
    doNotCallHistory: rows('The ledger of the number, the oldest entry first. Empty if there is none.'),
    consents: rows('The consents of the number, also those that have ended.'),
    consentEndings: rows('Their ends. Of an opt-out, `consentId` is null.'),
    whitelist: rows('The entry of the number on the whitelist. Empty if the number is not on it.'),
  },
  required: [
    'exportedAt',
    'contact',
    'calls',
    'enrollments',
    'doNotCall',
    'limitedDoNotCall',
    'doNotCallHistory',
    'consents',
    'consentEndings',
    'whitelist',
  ],
};

export const ERASURE_OPENAPI = documented(
  ContactErasureController,
  { surface: 'team', tag: 'Contacts' },
  {
    erase: {
      id: 'eraseContact',
      summary: 'Erase a contact',
      description: DESCRIPTION,
      success: ERASED,
      refusals: NO_KEY,
    },
    export: {
      id: 'exportContact',
      summary: 'Export all data of a contact',
      description:
        'The answer is streamed, so it has no `Content-Length`. If the answer is cut off, it is not valid JSON.',
      status: 200,
      success: { description: 'The data of the contact.', schema: EXPORT },
    },
  },
);

export const ERASURE_ADMIN_OPENAPI = documented(
  ContactErasureAdminController,
  { surface: 'operator', tag: 'Operator: contacts' },
  {
    erase: {
      id: 'eraseContactOfTeam',
      summary: 'Erase a contact',
      description: DESCRIPTION,
      success: ERASED,
      refusals: NO_KEY,
    },
  },
);
