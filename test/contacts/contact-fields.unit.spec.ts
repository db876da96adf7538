import { CALL_KEYS, TriggerFields } from '../../src/calls/trigger/request.js';
import { ContactFields } from '../../src/contacts/contact-request.js';
import {
  CONTACT_FIELD_NAMES,
  CONTACT_FIELDS,
  EXTERNAL_ID,
  TRIGGER_FIELD_KEYS,
} from '../../src/domain/contact-fields.js';
import { declaredFields } from '../../src/http/validation.js';
import { filesBelow, read } from '../support/repository.js';

/**
 * The names that cannot mean anything but a field of a contact: `email` is also a word of other things. Calls,
 * enrollments and events show the external id beside the id of the contact.
 */
const NAMES = new Set<string>(
  CONTACT_FIELDS.filter(({ name }) => name !== EXTERNAL_ID.name)
    .flatMap(({ name, column }) => [name, column])
    .filter((name) => /[A-Z_]/.test(name)),
);

/** The files that declare the fields. The guides and the examples of requests are texts for people. */
const DECLARING = [
  'src/domain/contact-fields.ts',
  'src/contacts/contact.entity.ts',
  'src/contacts/contact-request.ts',
  'src/calls/trigger/request.ts',
];
const TEXTS = ['src/openapi/guides/', 'src/openapi/examples/'];

/** What other files name. A terminal is too narrow for all fields; the document has an example of a change. */
const SINGLE = [
  'src/cli/commands/contact.ts: companyName',
  'src/contacts/contacts.openapi.ts: companyWebsite',
];

test('the validated bodies have the fields of the list, in its order', () => {
  const ofContact = declaredFields(ContactFields).filter((key) => key !== 'teamId' && key !== 'campaignId');
  expect(ofContact).toEqual(CONTACT_FIELD_NAMES);
  expect(declaredFields(TriggerFields)).toEqual([...TRIGGER_FIELD_KEYS, 'fromPhoneNumber', 'teamId']);
  expect([...CALL_KEYS.known]).toEqual(expect.arrayContaining([...TRIGGER_FIELD_KEYS]));
});

test('no other file of src/ names a field', () => {
  const naming = filesBelow('src').flatMap((path) => {
    if (DECLARING.includes(path) || TEXTS.some((folder) => path.startsWith(folder))) return [];
    const words = new Set(read(path).match(/\w+/g));
    return [...words].filter((word) => NAMES.has(word)).map((word) => `${path}: ${word}`);
  });
  expect(naming.sort()).toEqual(SINGLE);
});
