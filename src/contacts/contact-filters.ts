import { EXTERNAL_ID } from '../domain/contact-fields.js';
import { type FilterOf, instantFilter, phoneNumberFilter, textFilter } from '../http/filters.js';
import { MAX_EMAIL } from '../http/validators.js';
import { inSql } from '../lists/filter-sql.js';

/** The filters of a team's list of contacts, and of its export. `matches` is SQL for a contact `c`. */
export const CONTACT_FILTERS = {
  // A contact is found by its number; the other filters are applied to what a statement finds.
  phoneNumber: phoneNumberFilter('Only the contact with this number, in any notation.'),
  externalId: inSql(
    textFilter(EXTERNAL_ID.kind.max, 'Only the contact with exactly this external id.'),
    'text',
    (value) => `c.external_id = ${value}`,
  ),
  email: inSql(
    textFilter(MAX_EMAIL, 'Only contacts with exactly this e-mail address. Upper and lower case differ.'),
    'text',
    (value) => `c.email = ${value}`,
  ),
  updatedSince: inSql(
    instantFilter('Only contacts that were created or changed at this instant or later.'),
    'timestamptz',
    (value) => `c.updated_at >= ${value}`,
  ),
};
export type ContactFilter = FilterOf<typeof CONTACT_FILTERS>;
