import { forEachField } from '../../domain/contact-fields.js';

/** The label of each field of a contact, by its name. */
export const FIELD_LABELS = forEachField(({ name, kind }) =>
  kind.type === 'timeZone' ? 'Time zone' : wordsOf(name),
);

/** A name in camel case as words. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
