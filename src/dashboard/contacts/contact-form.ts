import { isDeepStrictEqual } from 'node:util';
import { type ContactView } from '../../contacts/contacts.service.js';
import { COLUMN_FIELDS } from '../../domain/contact-columns.js';
import { CONTACT_FIELDS, type ContactFieldName, forEachField } from '../../domain/contact-fields.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { propertyLines, readProperties } from './property-lines.js';
import { FIELD_LABELS } from './contact-labels.js';

/** The fields of the form besides those of the list. */
export const PHONE_NUMBER = 'phoneNumber';
export const PROPERTIES = 'customProperties';
/** The keys of the properties that the form showed, as JSON. Only these are removed when their lines are gone. */
export const SHOWN_KEYS = 'shownKeys';

const RESERVED: ReadonlySet<string> = new Set(COLUMN_FIELDS);

/** What is typed into the form of a contact. */
export interface TypedContact {
  phoneNumber: string;
  fields: Record<ContactFieldName, string>;
  /** One a line. */
  properties: string;
}

/** The label of each field, by its name. */
export const CONTACT_LABELS: Readonly<Record<string, string>> = {
  [PHONE_NUMBER]: 'Phone number',
  ...FIELD_LABELS,
  [PROPERTIES]: 'Custom properties',
};

/** The form of a contact as it is stored; null: of a new one. */
export function typedOfContact(contact: ContactView | null, phoneNumber = ''): TypedContact {
  return {
    phoneNumber: contact?.phoneNumber ?? phoneNumber,
    fields: forEachField(({ name }) => contact?.[name] ?? ''),
    properties: propertyLines(contact?.customProperties ?? {}),
  };
}

export function typedOfForm(form: ReadonlyMap<string, string>): TypedContact {
  return {
    phoneNumber: (form.get(PHONE_NUMBER) ?? '').trim(),
    fields: forEachField(({ name }) => (form.get(name) ?? '').trim()),
    properties: form.get(PROPERTIES) ?? '',
  };
}

/**
 * The body of the request that the form stands for: of a new contact, or of the change of one. A change has what differs
 * from the stored contact alone, so that it overwrites nothing else that changed meanwhile.
 *
 * @param contact as it is stored; null: a new one. @param shown the keys of the properties that the form showed.
 */
export function bodyOf(
  typed: TypedContact,
  contact: ContactView | null,
  shown: readonly string[],
): { body: Record<string, unknown>; errors: FieldErrors } {
  const stored = contact?.customProperties ?? {};
  const isReserved = (key: string) => RESERVED.has(key) && !Object.hasOwn(stored, key);
  const { properties, faults } = readProperties(typed.properties, isReserved);
  const changed = Object.entries(properties).filter(([key, value]) => !isDeepStrictEqual(stored[key], value));
  const removed = shown.filter((key) => Object.hasOwn(stored, key) && !Object.hasOwn(properties, key));
  const fields = CONTACT_FIELDS.flatMap(({ name }) => {
    const value = typed.fields[name] || null;
    return value === (contact?.[name] ?? null) ? [] : [[name, value] as const];
  });
  const ofProperties = Object.fromEntries([...changed, ...removed.map((key) => [key, null] as const)]);
  return {
    body: {
      ...(contact === null && { phoneNumber: typed.phoneNumber }),
      ...Object.fromEntries(fields),
      ...(Object.keys(ofProperties).length > 0 && { [PROPERTIES]: ofProperties }),
    },
    errors: faults.length === 0 ? {} : { [PROPERTIES]: faults.join(' ') },
  };
}

/** The field {@link SHOWN_KEYS} of a form. Text that is no list of keys removes nothing. */
export function shownKeysOf(form: ReadonlyMap<string, string>): string[] {
  try {
    const keys = JSON.parse(form.get(SHOWN_KEYS) ?? '[]') as unknown;
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
