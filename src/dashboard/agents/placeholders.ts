import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { FIELDS } from '../../domain/template.js';

/** A placeholder that the form offers. */
export interface OfferedPlaceholder {
  /** With its braces. */
  text: string;
  meaning: string;
}

const OF_CONTACT = new Map<string, string>([
  ['contactId', 'Id of the contact.'],
  ['phoneNumber', 'Number of the contact, in E.164.'],
  ...CONTACT_FIELDS.map(({ name, description }) => [name, description] as const),
]);

/** Every placeholder that each call has, by the list that templates are rendered with. */
export const PLACEHOLDERS: readonly OfferedPlaceholder[] = [
  { text: '{{contact}}', meaning: 'The name of the contact.' },
  ...[...FIELDS].map(([name, field]) => ({
    text: `{{contact.${name}}}`,
    meaning: OF_CONTACT.get(field) ?? '',
  })),
  { text: '{{attempt.number}}', meaning: '1 for the first call of an enrollment, 2 for the second, …' },
  { text: '{{attempt.isLast}}', meaning: 'Whether no call follows if this one is not answered.' },
];

/** Further placeholders, whose names depend on the team, the call or the law. */
export const OTHER_PLACEHOLDERS: readonly OfferedPlaceholder[] = [
  { text: '{{contact.yourProperty}}', meaning: 'A custom property of the contact.' },
  { text: '{{yourVariable}}', meaning: 'A variable that the request for the call sends.' },
  { text: '{{disclosures}}', meaning: 'What the law requires to be said in the call.' },
  { text: '{{contact.name | there}}', meaning: 'With a default, for a contact without a name.' },
];
