/** What the value of a field is. Each is a text; `max` is a limit in UTF-16 units. */
export type ContactFieldKind =
  | { type: 'text'; max: number }
  | { type: 'email' }
  | { type: 'timeZone' }
  /** Printable ASCII, of one character or more. */
  | { type: 'id'; max: number };

/** A field of a contact in all its forms. */
export interface ContactField {
  /** The key in JSON, in CSV files, and after `contact.` in placeholders. */
  name: string;
  /** The column of the table `contacts`, a nullable text. */
  column: string;
  kind: ContactFieldKind;
  /**
   * The header by which contract 4.2 and 4.4 take the field. In their bodies, its key is a custom property; in
   * placeholders, such a property has precedence over the field. Absent: their bodies have the field.
   */
  header?: string;
  /** For the OpenAPI document. */
  description: string;
  example: string;
  /**
   * How the body of a trigger (contract 4.1) has the field; null: there, the key is a variable of the call.
   */
  trigger: {
    /** For the OpenAPI document. */
    description: string;
    /** Another key of the same field, in a trigger and in placeholders. It has precedence over `name`. */
    alias?: string;
  } | null;
  /** Names that other products give the key of a body, as `foldKey` folds them. A request is warned of them. */
  nearMisses: readonly string[];
  /** Names that other products give the column of a file, without regard to case, spaces, `_` and `-`. */
  headers: readonly string[];
}

/**
 * The fields of a contact. From this list follow the SQL, the rows, the parsers of bodies, the columns of
 * files, the placeholders, events, erasure, and the OpenAPI document. `contact.entity.ts` declares the columns
 * and `ContactFields` the validation; the compiler and `test/contacts/contact-fields.unit.spec.ts` compare both
 * with the list.
 *
 * The order is that of JSON, of files, and of the faults of a request.
 */
export const CONTACT_FIELDS = [
  {
    name: 'externalId',
    column: 'external_id',
    kind: { type: 'id', max: 255 },
    header: 'External-Id',
    description:
      'Id of the contact in another system, such as a CRM: printable ASCII. No other contact of the team has the same one.',
    example: 'crm-4711',
    trigger: null,
    nearMisses: [],
    headers: [],
  },
  {
    name: 'name',
    column: 'name',
    kind: { type: 'text', max: 200 },
    description: 'Full name.',
    example: 'Ada Lovelace',
    trigger: { description: 'Full name of the contact.', alias: 'fullName' },
    nearMisses: ['fullname', 'contactname', 'customername', 'displayname'],
    headers: ['fullname', 'contactname', 'displayname'],
  },
  {
    name: 'email',
    column: 'email',
    kind: { type: 'email' },
    description: 'E-mail address. It does not identify the contact.',
    example: 'ada@example.com',
    trigger: { description: 'E-mail address of the contact; it does not identify the contact.' },
    nearMisses: ['emailaddress', 'mail', 'mailaddress', 'contactemail'],
    headers: ['emailaddress', 'emailid', 'email1value', 'primaryemail', 'mail'],
  },
  {
    name: 'companyName',
    column: 'company_name',
    kind: { type: 'text', max: 200 },
    description: 'Name of the company.',
    example: 'Analytical Engines',
    trigger: { description: 'Company of the contact.' },
    nearMisses: ['company', 'organization', 'organisation', 'organizationname', 'organisationname'],
    headers: [
      'company',
      'businessname',
      'accountname',
      'organization',
      'organizationname',
      'organization1name',
      'organisation',
      'organisationname',
    ],
  },
  {
    name: 'companyWebsite',
    column: 'company_website',
    kind: { type: 'text', max: 2048 },
    description: 'Website of the company.',
    example: 'https://example.com',
    trigger: { description: 'Website of the company.' },
    nearMisses: ['website', 'companyurl', 'companydomain', 'companysite', 'websiteurl'],
    headers: ['website', 'websiteurl', 'website1value', 'companyurl', 'webpage', 'webaddress'],
  },
  {
    name: 'timezone',
    column: 'timezone',
    kind: { type: 'timeZone' },
    description: 'IANA time zone in which calling hours are evaluated, unless the call request has its own.',
    example: 'America/New_York',
    trigger: {
      description:
        'IANA time zone of the contact, in which calling hours are evaluated. If it is not sent, the contact’s stored zone applies, or else the agent’s.',
    },
    nearMisses: ['tz', 'timezonename', 'timezoneid', 'ianatimezone', 'contacttimezone'],
    headers: ['tz', 'timezoneid', 'timezonename', 'ianatimezone'],
  },
] as const satisfies readonly ContactField[];

type Listed = (typeof CONTACT_FIELDS)[number];
type ListedOfHeader = Extract<Listed, { header: string }>;
type ListedOfTrigger = Extract<Listed, { trigger: object }>;
type AliasOf<Trigger> = Trigger extends { alias: infer Alias extends string } ? Alias : never;

export type ContactFieldName = Listed['name'];
export type ContactFieldColumn = Listed['column'];
/** The fields that a trigger knows. */
export type TriggerFieldName = ListedOfTrigger['name'];
export type TriggerFieldAlias = AliasOf<ListedOfTrigger['trigger']>;

/** All fields of a contact; null: the field has no value, or was not sent. */
export type ContactFieldValues = Record<ContactFieldName, string | null>;
/** All fields of a contact, by their columns. */
export type ContactFieldRow = Record<ContactFieldColumn, string | null>;
/** The fields that a trigger knows; null: the field was not sent. */
export type TriggerFieldValues = Record<TriggerFieldName, string | null>;
/** The fields that a trigger knows, by their columns. */
export type TriggerFieldRow = Record<ListedOfTrigger['column'], string | null>;

/** Fields as a class of validators declares them; undefined: the field was not sent. */
export type SentFields<Name extends string> = Record<Name, string | undefined>;

export const CONTACT_FIELD_NAMES = namesOf(CONTACT_FIELDS);
/** The fields that contract 4.2 and 4.4 have in the body. */
export const BODY_FIELDS = CONTACT_FIELDS.filter((field) => !isOfHeader(field));
/** The external id. It is the only field that contract 4.2 and 4.4 have in a header. */
export const EXTERNAL_ID = externalId();
export const CONTACT_FIELD_COLUMNS = columnsOf(CONTACT_FIELDS);

export const TRIGGER_FIELDS = CONTACT_FIELDS.filter(
  (field): field is ListedOfTrigger => field.trigger !== null,
);
export const TRIGGER_FIELD_COLUMNS = columnsOf(TRIGGER_FIELDS);

/** Other keys of fields, in a trigger and in placeholders, with the name of their field. */
export const CONTACT_FIELD_ALIASES: readonly (readonly [alias: TriggerFieldAlias, name: TriggerFieldName])[] =
  TRIGGER_FIELDS.flatMap(({ name, trigger }) => ('alias' in trigger ? [[trigger.alias, name] as const] : []));

/** The keys of a trigger's fields, an alias before the name of its field. */
export const TRIGGER_FIELD_KEYS: readonly (TriggerFieldName | TriggerFieldAlias)[] = TRIGGER_FIELDS.flatMap(
  ({ name, trigger }) => ('alias' in trigger ? [trigger.alias, name] : [name]),
);

/** A value for each field. */
export function forEachField<Value>(valueOf: (field: Listed) => Value): Record<ContactFieldName, Value> {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field.name, valueOf(field)])) as Record<
    ContactFieldName,
    Value
  >;
}

/** The fields that were sent, and null for the others. */
export function contactFieldValues(sent: SentFields<ContactFieldName>): ContactFieldValues {
  const values = {} as ContactFieldValues;
  for (const { name } of CONTACT_FIELDS) values[name] = sent[name] ?? null;
  return values;
}

/** The fields that a trigger has sent, and null for the others. */
export function triggerFieldValues(
  sent: SentFields<TriggerFieldName | TriggerFieldAlias>,
): TriggerFieldValues {
  const values = {} as TriggerFieldValues;
  for (const { name } of TRIGGER_FIELDS) values[name] = sent[name] ?? null;
  for (const [alias, name] of CONTACT_FIELD_ALIASES) values[name] = sent[alias] ?? values[name];
  return values;
}

/** The columns of a contact with these fields. */
export function contactFieldRow(values: ContactFieldValues): ContactFieldRow {
  const row = {} as ContactFieldRow;
  for (const { name, column } of CONTACT_FIELDS) row[column] = values[name];
  return row;
}

/** The columns of a contact with the fields of a trigger. */
export function triggerFieldRow(values: TriggerFieldValues): TriggerFieldRow {
  const row = {} as TriggerFieldRow;
  for (const { name, column } of TRIGGER_FIELDS) row[column] = values[name];
  return row;
}

/** The fields of a contact's row. An event has a copy of the row, which may be older than a field. */
export function fieldsOfRow(row: Partial<ContactFieldRow>): ContactFieldValues {
  const values = {} as ContactFieldValues;
  for (const { name, column } of CONTACT_FIELDS) values[name] = row[column] ?? null;
  return values;
}

function isOfHeader(field: Listed): field is ListedOfHeader {
  return 'header' in field;
}

function externalId(): ListedOfHeader {
  const field = CONTACT_FIELDS.find(isOfHeader);
  if (field === undefined) throw new Error('No field of a contact has a header');
  return field;
}

function namesOf<Field extends ContactField>(fields: readonly Field[]): Field['name'][] {
  return fields.map(({ name }) => name);
}

function columnsOf<Field extends ContactField>(fields: readonly Field[]): Field['column'][] {
  return fields.map(({ column }) => column);
}
