import { MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import { FORMAT_PARAMETER } from '../http/export.js';
import { bodySchemaOf, describeBody, EMPTY_IS_ABSENT } from '../http/body-schema.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  E164_SCHEMA,
  type JsonSchema,
  nullable,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { OFFSET_INSTANT } from '../http/call-result-fields.js';
import { MAX_EMAIL, MAX_JSON_BYTES } from '../http/validators.js';
import { ERROR_SCHEMA, errorDoc } from '../http/openapi/errors.js';
import { exportDescription, exportResponse } from '../http/openapi/export.js';
import {
  documented,
  type OperationDoc,
  pageOfItems,
  type QueryDoc,
  type ResponseDoc,
} from '../http/openapi/operation.js';
import { KEY_IN_FLIGHT, KEY_REUSED } from '../idempotency/idempotency.js';
import { ContactFields } from './contact-request.js';
import { ContactsController } from './contacts.controller.js';
import { type ContactView } from './contacts.service.js';

describeBody([ContactFields], {
  teamId: 'Not needed. Where it is sent, it must be the team of the API key.',
  campaignId: 'Active campaign to enroll the contact in. Best effort: read the enrollment to be certain.',
  name: { description: 'Full name.', examples: ['Ada Lovelace'] },
  email: { description: 'E-mail address; it does not identify the contact.', examples: ['ada@example.com'] },
  companyName: { description: 'Company.', examples: ['Analytical Engines'] },
  companyWebsite: { description: 'Website of the company.', examples: ['https://example.com'] },
  timezone: {
    description: 'IANA time zone, by which calling hours are evaluated.',
    examples: ['America/New_York'],
  },
});

/** The body of contract 4.2 and 4.4. */
export const CONTACT_BODY: JsonSchema = {
  title: 'ContactFields',
  type: 'object',
  properties: {
    phoneNumber: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_PHONE_NUMBER_TEXT,
      description:
        'Identifies the contact. Best in E.164; in national form where the team has a default country.',
      examples: ['+14155552671'],
    },
    ...bodySchemaOf(ContactFields, { emptyIsAbsent: true }).properties,
  },
  required: ['phoneNumber'],
  additionalProperties: {
    description: `Every other key is a custom property of the contact, with any value. A contact keeps at most ${MAX_JSON_BYTES} bytes of them as JSON.`,
  },
};

const CHANGEABLE = Object.fromEntries(
  Object.entries(bodySchemaOf(ContactFields, { emptyIsAbsent: true }).properties).filter(
    ([name]) => name !== 'campaignId',
  ),
);

/** The body of a change. */
const CHANGE_BODY: JsonSchema = {
  title: 'ContactChange',
  type: 'object',
  properties: {
    ...CHANGEABLE,
    customProperties: described(ANY_OBJECT_SCHEMA, 'Custom properties to set; null removes one.'),
  },
  additionalProperties: { description: 'Every other key is a custom property; null removes it.' },
};

const EXAMPLE_ID = '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10';

const CONTACT = objectOf<ContactView>('Contact', {
  contactId: UUID_SCHEMA,
  phoneNumber: E164_SCHEMA,
  name: nullable(TEXT_SCHEMA),
  email: nullable(TEXT_SCHEMA),
  companyName: nullable(TEXT_SCHEMA),
  companyWebsite: nullable(TEXT_SCHEMA),
  timezone: nullable(TEXT_SCHEMA),
  customProperties: described(ANY_OBJECT_SCHEMA, 'Every key of the requests that is no field of its own.'),
});

const EXISTED: JsonSchema = {
  title: 'ContactExisted',
  type: 'object',
  properties: {
    error: { type: 'string', const: 'Contact existed' },
    contactId: { ...UUID_SCHEMA, description: 'Of the contact that has the number.' },
  },
  required: ['error', 'contactId'],
};

const stored = (title: string, message: JsonSchema): JsonSchema => ({
  title,
  type: 'object',
  properties: { message, contactId: UUID_SCHEMA },
  required: ['message', 'contactId'],
});

const EXAMPLES = {
  number: { phoneNumber: '+14155552671' },
  everything: {
    phoneNumber: '+14155552671',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    companyName: 'Analytical Engines',
    companyWebsite: 'https://example.com',
    timezone: 'America/New_York',
    plan: 'gold',
    renewal: { month: 11, year: 2026 },
  },
};

const REFUSALS: Record<number, ResponseDoc> = {
  403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
  409: errorDoc('A request with the same `Idempotency-Key` is being answered.', KEY_IN_FLIGHT),
  422: errorDoc('The `Idempotency-Key` came with another request before.', KEY_REUSED),
};

const writing = {
  body: CONTACT_BODY,
  bodyExamples: EXAMPLES,
  idempotent: true,
} satisfies Partial<OperationDoc>;

/** The filters of the list. */
const CONTACT_QUERY = {
  phoneNumber: { description: 'The contact of this number, in any spelling.', schema: TEXT_SCHEMA },
  email: {
    description: 'Only contacts with this e-mail address, as it is stored.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_EMAIL },
  },
  updatedSince: {
    description: 'Only contacts that were created or changed at this instant or later.',
    schema: OFFSET_INSTANT,
  },
} satisfies Record<string, QueryDoc>;

export const CONTACTS_OPENAPI = documented(
  ContactsController,
  { surface: 'team', tag: 'Contacts' },
  {
    create: {
      id: 'createContact',
      summary: 'Create a contact',
      description:
        'A number has one contact: a number that the team has already is refused. With `campaignId` the contact is enrolled, best ' +
        `effort. ${EMPTY_IS_ABSENT}`,
      ...writing,
      status: 201,
      success: {
        description: 'The contact is created.',
        schema: stored('ContactCreated', {
          type: 'string',
          pattern: '^Contact [0-9a-f-]{36} created successfully$',
        }),
        examples: {
          created: { message: `Contact ${EXAMPLE_ID} created successfully`, contactId: EXAMPLE_ID },
        },
      },
      refusals: {
        ...REFUSALS,
        400: {
          description: 'The body or a field is malformed, or the team has a contact with this number.',
          schema: { anyOf: [EXISTED, ERROR_SCHEMA] },
          examples: {
            duplicate: { error: 'Contact existed', contactId: EXAMPLE_ID },
            malformed: { error: 'email must be an email address' },
          },
        },
      },
    },
    createOrUpdate: {
      id: 'createContactAndEnroll',
      summary: 'Create or update a contact, and enroll it',
      description:
        'Fields that are sent replace stored ones, other fields stay, and custom properties merge key by key. With `campaignId` the ' +
        `contact is enrolled, best effort. ${EMPTY_IS_ABSENT}`,
      ...writing,
      status: 200,
      success: {
        description: 'The contact is created or updated.',
        schema: stored('ContactStored', { type: 'string', const: 'success' }),
        examples: { stored: { message: 'success', contactId: EXAMPLE_ID } },
      },
      refusals: REFUSALS,
    },
    list: {
      id: 'listContacts',
      summary: 'List the team’s contacts, the newest first',
      description:
        'Filters can be combined. Erased contacts are left out. A filter that fits few of very many contacts may give a page with fewer ' +
        'items than `limit`, or with none, and a `nextCursor`.',
      query: CONTACT_QUERY,
      success: { description: 'A page of contacts.', schema: pageOfItems(CONTACT, 'ContactPage') },
    },
    export: {
      id: 'exportContacts',
      summary: 'Export the team’s contacts as one file, the newest first',
      description: exportDescription('contact', 'custom properties'),
      query: { ...CONTACT_QUERY, format: FORMAT_PARAMETER },
      status: 200,
      success: exportResponse(CONTACT),
      refusals: { 400: errorDoc('A parameter is malformed.', 'format must be one of csv, ndjson') },
    },
    update: {
      id: 'updateContact',
      summary: 'Change a contact; fields that are not sent stay unchanged',
      description:
        'Null clears a field, or removes a custom property. In a field, the empty string counts as not sent. Custom properties are keys ' +
        'of their own, as when a contact is created, or keys of `customProperties`. The number cannot be changed.',
      body: CHANGE_BODY,
      bodyExamples: {
        fields: { name: 'Ada King', companyWebsite: null, plan: 'platinum', renewal: null },
        properties: { customProperties: { plan: 'platinum' } },
      },
      success: { description: 'The contact.', schema: CONTACT },
      refusals: {
        403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
      },
    },
    get: {
      id: 'getContact',
      summary: 'Read a contact',
      success: { description: 'The contact.', schema: CONTACT },
    },
  },
);
