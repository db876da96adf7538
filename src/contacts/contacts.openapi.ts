import { BODY_FIELDS, EXTERNAL_ID, forEachField } from '../domain/contact-fields.js';
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
import { MAX_JSON_BYTES, printableFault, printableSchema } from '../http/validators.js';
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
import { conflictOf, type ExternalIdConflict } from './external-id.js';

describeBody([ContactFields], {
  teamId: OWN_TEAM,
  campaignId:
    'The active campaign in which the contact is enrolled. The contact is stored even if it cannot be enrolled; `warnings` then say why.',
  ...forEachField(({ description, example }) => ({ description, examples: [example] })),
});

const FIELDS = bodySchemaOf(ContactFields, { emptyIsAbsent: true }).properties;
const { [EXTERNAL_ID.name]: EXTERNAL_ID_FIELD, ...CONTRACT_FIELDS } = FIELDS;

const PHONE_NUMBER: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_PHONE_NUMBER_TEXT,
  description: `Identifies the contact. Preferably in E.164. ${NATIONAL_FORM}`,
  examples: ['+14155552671'],
};

function bodyWith(title: string, fields: Record<string, JsonSchema>): JsonSchema {
  return {
    title,
    type: 'object',
    properties: { phoneNumber: PHONE_NUMBER, ...fields },
    required: ['phoneNumber'],
    additionalProperties: {
      description: `Every other key is a custom property of the contact, with any JSON value. All custom properties of a contact are at most ${MAX_JSON_BYTES} bytes of JSON.`,
    },
  };
}

/** The body of contract 4.2 and 4.4. */
const CONTACT_BODY = bodyWith('ContactFields', CONTRACT_FIELDS);

/** A line of an import in NDJSON. */
export const IMPORTED_CONTACT = bodyWith('ImportedContact', FIELDS);

/** The header of contract 4.2 and 4.4. */
const EXTERNAL_ID_PARAMETER = {
  description:
    'The external id of the contact: its id in another system, such as a CRM. No other contact of the team has the same one. ' +
    `The key \`${EXTERNAL_ID.name}\` of the body is a custom property.`,
  schema: printableSchema(EXTERNAL_ID.kind.max),
  example: EXTERNAL_ID.example,
};

const CHANGEABLE = Object.fromEntries(Object.entries(FIELDS).filter(([name]) => name !== 'campaignId'));

function changeOf(title: string, fields: Record<string, JsonSchema>): JsonSchema {
  return {
    title,
    type: 'object',
    properties: {
      ...fields,
      customProperties: described(
        ANY_OBJECT_SCHEMA,
        'Custom properties to set. The value null removes a property.',
      ),
    },
    additionalProperties: { description: 'Every other key is a custom property. Null removes it.' },
  };
}

/** The body of a change. */
const CHANGE_BODY = changeOf('ContactChange', CHANGEABLE);

/** The body of a change of the contact with an external id. */
const CHANGE_BY_EXTERNAL_ID = changeOf('ContactByExternalId', {
  phoneNumber: described(
    PHONE_NUMBER,
    `The phone number of the contact. It is required if no contact has the external id, and cannot be changed. ${NATIONAL_FORM}`,
  ),
  ...CHANGEABLE,
  [EXTERNAL_ID.name]: described(EXTERNAL_ID_FIELD as JsonSchema, 'Can be sent if it is that of the path.'),
});

const EXAMPLE_ID = '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10';
const OTHER_ID = '0c6f8a1e-6f0b-4f9b-8f35-3f0a1b2c7d55';

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

const CONFLICT = objectOf<{ error: string } & Omit<ExternalIdConflict, 'message'>>(
  'ExternalIdConflict',
  {
    error: TEXT_SCHEMA,
    contactId: described(
      UUID_SCHEMA,
      'The id of the contact that has the phone number, or that was to be changed. Absent if there is none.',
    ),
    externalIdContactId: described(
      UUID_SCHEMA,
      'The id of the contact that has the external id. Absent if there is none.',
    ),
  },
  { optional: ['contactId', 'externalIdContactId'] },
);

const EXTERNAL_ID_FAULT = printableFault('', EXTERNAL_ID.kind.max);

/** A refusal because another contact has the external id, or the contact has another one. */
function conflictDoc(source: string, more: { description: string; example: string } | null): ResponseDoc {
  const { message, ...contacts } = conflictOf(
    { of_number: EXAMPLE_ID, other_id: false, of_external_id: OTHER_ID },
    source,
  ) as ExternalIdConflict;
  const description =
    'The phone number and the external id are of different contacts, or the contact of the number has another external id. Nothing is stored.';
  return {
    description: more === null ? description : `${description} Or: ${more.description}`,
    schema: more === null ? CONFLICT : { anyOf: [CONFLICT, ERROR_SCHEMA] },
    examples: {
      conflict: { error: message, ...contacts },
      ...(more !== null && { inFlight: { error: more.example } }),
    },
  };
}

const stored = (title: string, message: JsonSchema): JsonSchema => ({
  title,
  type: 'object',
  properties: { message, contactId: UUID_SCHEMA, warnings: WARNINGS_SCHEMA },
  required: ['message', 'contactId'],
});

const EXAMPLE_FIELDS = Object.fromEntries(BODY_FIELDS.map(({ name, example }) => [name, example]));

const EXAMPLES = {
  number: { phoneNumber: '+14155552671' },
  everything: {
    phoneNumber: '+14155552671',
    ...EXAMPLE_FIELDS,
    plan: 'gold',
    renewal: { month: 11, year: 2026 },
  },
};

const REFUSALS: Record<number, ResponseDoc> = {
  403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
  409: conflictDoc(EXTERNAL_ID.header, {
    description: 'the first request with this `Idempotency-Key` is still in progress.',
    example: KEY_IN_FLIGHT,
  }),
  422: errorDoc('The `Idempotency-Key` was used with another request.', KEY_REUSED),
};

const writing = {
  body: CONTACT_BODY,
  bodyExamples: EXAMPLES,
  headers: { [EXTERNAL_ID.header]: EXTERNAL_ID_PARAMETER },
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
        'A number has one contact. If the team already has a contact with the number, the request is refused, whatever its ' +
        'external id. With `campaignId`, ' +
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
            externalId: { error: `${EXTERNAL_ID.header} ${EXTERNAL_ID_FAULT}` },
          },
        },
      },
    },
    createOrUpdate: {
      id: 'createContactAndEnroll',
      summary: 'Create or update a contact',
      description:
        'A field that is sent replaces the stored one. Other fields stay unchanged. Custom properties are merged key by key. ' +
        'An external id is set if the contact has none. ' +
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
        409: conflictDoc(EXTERNAL_ID.name, null),
      },
    },
    updateByExternalId: {
      id: 'updateContactByExternalId',
      summary: 'Change the contact with an external id, or create it',
      description:
        'The body is that of *Change a contact*, and `phoneNumber`. If no contact has the external id, the contact with the phone ' +
        'number gets it, if it has none. If no contact has the number either, a contact is created. Percent-encode the external id.',
      body: CHANGE_BY_EXTERNAL_ID,
      bodyExamples: {
        change: { name: 'Ada King', plan: 'platinum' },
        create: { phoneNumber: '+14155552671', name: 'Ada Lovelace' },
      },
      status: 200,
      success: { description: 'The contact is changed.', schema: CONTACT },
      otherSuccesses: { 201: { description: 'The contact is created.', schema: CONTACT } },
      refusals: {
        403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
        404: errorDoc('No contact has the external id, and `phoneNumber` was not sent.', 'Contact not found'),
        409: conflictDoc(EXTERNAL_ID.name, null),
      },
    },
    get: {
      id: 'getContact',
      summary: 'Read a contact',
      success: { description: 'The contact.', schema: CONTACT },
    },
  },
);
