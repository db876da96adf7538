import { forEachField } from '../domain/contact-fields.js';
import { MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import { BOM_PARAMETER, FORMAT_PARAMETER } from '../http/export.js';
import { bodySchemaOf, describeBody, EMPTY_IS_ABSENT, NATIONAL_FORM, OWN_TEAM } from '../http/body-schema.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  E164_SCHEMA,
  type JsonSchema,
  nullable,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
  WARNINGS_SCHEMA,
} from '../http/json-schema.js';
import { filterParameters } from '../http/filters.js';
import { MAX_JSON_BYTES } from '../http/validators.js';
import { ERROR_SCHEMA, errorDoc } from '../http/openapi/errors.js';
import { exportDescription, exportResponse } from '../http/openapi/export.js';
import {
  documented,
  filteredPages,
  type OperationDoc,
  pageOfItems,
  type ResponseDoc,
} from '../http/openapi/operation.js';
import { KEY_IN_FLIGHT, KEY_REUSED } from '../idempotency/idempotency.js';
import { CONTACT_FILTERS } from './contact-filters.js';
import { ContactFields } from './contact-request.js';
import { ContactsController } from './contacts.controller.js';
import { type ContactView } from './contacts.service.js';

describeBody([ContactFields], {
  teamId: OWN_TEAM,
  campaignId:
    'The active campaign in which the contact is enrolled. The contact is stored even if it cannot be enrolled; `warnings` then say why.',
  ...forEachField(({ description, example }) => ({ description, examples: [example] })),
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
      description: `Identifies the contact. Preferably in E.164. ${NATIONAL_FORM}`,
      examples: ['+14155552671'],
    },
    ...bodySchemaOf(ContactFields, { emptyIsAbsent: true }).properties,
  },
  required: ['phoneNumber'],
  additionalProperties: {
    description: `Every other key is a custom property of the contact, with any JSON value. All custom properties of a contact are at most ${MAX_JSON_BYTES} bytes of JSON.`,
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
    customProperties: described(
      ANY_OBJECT_SCHEMA,
      'Custom properties to set. The value null removes a property.',
    ),
  },
  additionalProperties: { description: 'Every other key is a custom property. Null removes it.' },
};

const EXAMPLE_ID = '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10';

const CONTACT = objectOf<ContactView>('Contact', {
  contactId: UUID_SCHEMA,
  phoneNumber: E164_SCHEMA,
  ...forEachField(() => nullable(TEXT_SCHEMA)),
  customProperties: described(
    ANY_OBJECT_SCHEMA,
    'The custom properties, by key. Every key of a request that is not a field of the contact is one.',
  ),
});

const EXISTED: JsonSchema = {
  title: 'ContactExisted',
  type: 'object',
  properties: {
    error: { type: 'string', const: 'Contact existed' },
    contactId: { ...UUID_SCHEMA, description: 'The id of the contact that has this number.' },
  },
  required: ['error', 'contactId'],
};

const stored = (title: string, message: JsonSchema): JsonSchema => ({
  title,
  type: 'object',
  properties: { message, contactId: UUID_SCHEMA, warnings: WARNINGS_SCHEMA },
  required: ['message', 'contactId'],
});

const EXAMPLES = {
  number: { phoneNumber: '+14155552671' },
  everything: {
    phoneNumber: '+14155552671',
    ...forEachField(({ example }) => example),
    plan: 'gold',
    renewal: { month: 11, year: 2026 },
  },
};

const REFUSALS: Record<number, ResponseDoc> = {
  403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
  409: errorDoc('The first request with this `Idempotency-Key` is still in progress.', KEY_IN_FLIGHT),
  422: errorDoc('The `Idempotency-Key` was used with another request.', KEY_REUSED),
};

const writing = {
  body: CONTACT_BODY,
  bodyExamples: EXAMPLES,
  idempotent: true,
} satisfies Partial<OperationDoc>;

/** The filters of the list. */
export const CONTACTS_OPENAPI = documented(
  ContactsController,
  { surface: 'team', tag: 'Contacts' },
  {
    create: {
      id: 'createContact',
      summary: 'Create a contact',
      description:
        'A number has one contact. If the team already has a contact with the number, the request is refused. With `campaignId`, ' +
        `the contact is also enrolled if possible. The key then also needs the scope \`enrollments\`. ${EMPTY_IS_ABSENT}`,
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
          description:
            'The body or a field is malformed, or the team already has a contact with this number.',
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
      summary: 'Create or update a contact',
      description:
        'A field that is sent replaces the stored one. Other fields stay unchanged. Custom properties are merged key by key. ' +
        `With \`campaignId\`, the contact is also enrolled if possible. ${EMPTY_IS_ABSENT}`,
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
      description: `Erased contacts are not listed. ${filteredPages('contacts')}`,
      success: { description: 'A page of contacts.', schema: pageOfItems(CONTACT, 'ContactPage') },
    },
    export: {
      id: 'exportContacts',
      summary: 'Export the team’s contacts as one file, the newest first',
      description: exportDescription('contact', 'custom properties'),
      query: { ...filterParameters(CONTACT_FILTERS), format: FORMAT_PARAMETER, bom: BOM_PARAMETER },
      status: 200,
      success: exportResponse(CONTACT),
      refusals: { 400: errorDoc('A parameter is malformed.', 'format must be one of csv, ndjson') },
    },
    update: {
      id: 'updateContact',
      summary: 'Change a contact; fields that are not sent stay unchanged',
      description:
        'Null clears a field or removes a custom property. In a field, the empty string counts as not sent. A custom property is ' +
        'a key of the body, as when a contact is created, or a key of `customProperties`. `phoneNumber` cannot be changed.',
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
