import { CONTACT_FIELDS } from '../domain/contact-fields.js';
import { splitFields } from '../domain/known-fields.js';
import { AppError, invalid, problemOf, problemsOf, type Read } from '../http/app-error.js';
import { validateBody } from '../http/validation.js';
import { isUuid } from '../http/validators.js';
import { ContactFields, FIELD_KEYS } from './contact-request.js';
import { type ChangedColumns } from './sql/change.sql.js';

/** What a request changes of a contact. */
export interface ContactChange {
  columns: ChangedColumns;
  removed: string[];
  set: Record<string, unknown>;
}

/** The keys that cannot be changed. */
const FIXED = ['phoneNumber', 'contactId', 'campaignId'];

/**
 * Reads the body of a change. Null clears a field and removes a property; in a field, the empty string counts
 * as not sent. A property may be a key of the body, as in the request that stores a contact. It may also be a
 * key of `customProperties`, as in the answer that returns a contact.
 *
 * @param alsoRead what else was read of the request; its faults are refused together with those of the body.
 * @throws AppError `INVALID_REQUEST` naming every bad field, or `FORBIDDEN` for another team's `teamId`.
 */
export function readContactChange(
  teamId: string,
  body: Record<string, unknown>,
  ...alsoRead: Read[]
): ContactChange {
  const { customProperties = {}, ...named } = body;
  const fixed = FIXED.filter((key) => Object.hasOwn(named, key));
  const { sent, others } = splitFields(named, FIELD_KEYS);
  const fields = validateBody(ContactFields, sent);
  const isMap =
    typeof customProperties === 'object' && customProperties !== null && !Array.isArray(customProperties);
  const problems = [
    ...fixed.map((key) => problemOf(`${key} cannot be changed`)),
    ...problemsOf(...alsoRead, fields),
    ...(isMap ? [] : [problemOf('customProperties must be an object')]),
  ];
  if (problems.length > 0) throw invalid(...problems);
  if (isUuid(sent.teamId) && sent.teamId.toLowerCase() !== teamId)
    throw new AppError('FORBIDDEN', 'teamId must be the team of the API key');
  const properties = Object.entries({ ...(customProperties as Record<string, unknown>), ...others });
  return {
    columns: Object.fromEntries(
      CONTACT_FIELDS.filter(({ name }) => Object.hasOwn(sent, name) || named[name] === null).map(
        ({ name, column }) => [column, (sent[name] as string | undefined) ?? null],
      ),
    ),
    removed: properties.filter(([, value]) => value === null).map(([key]) => key),
    set: Object.fromEntries(properties.filter(([, value]) => value !== null)),
  };
}
