import { exactInstant, fitting, walking } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';
import { FilterColumns } from '../../lists/filter-sql.js';
import { CONTACT_FILTERS } from '../contact-filters.js';
import { CONTACT_COLUMNS } from './read.sql.js';

/*
 * The contacts of a team, the newest first. $1 team, $2 instant and $3 id to begin after, $4 how many, from $5
 * the filters, where null is a filter that was not sent. Erased contacts are left out.
 */

export const CONTACT_FILTER_COLUMNS = new FilterColumns(CONTACT_FILTERS, 5);

const EXTERNAL_ID = CONTACT_FILTER_COLUMNS.at('externalId');
const EMAIL = CONTACT_FILTER_COLUMNS.at('email');
const SINCE = CONTACT_FILTER_COLUMNS.at('updatedSince');

const BEHIND = '(c.created_at, c.id) < ($2::timestamptz, $3::uuid)';
const MATCHES = `c.erased_at IS NULL AND ${CONTACT_FILTER_COLUMNS.matches()}`;

/** Reads the index of the team's list. */
export const LIST_CONTACTS: Statement = {
  name: 'list_contacts',
  text: walking(
    `SELECT c.created_at AS at, c.id AS key, ${MATCHES} AS matches
      FROM contacts c WHERE c.team_id = $1 AND ${BEHIND}`,
    '$4',
  ),
};

/** The contacts with an e-mail address, found by the index of addresses and then sorted. */
export const LIST_CONTACTS_OF_EMAIL: Statement = {
  name: 'list_contacts_of_email',
  text: walking(
    `SELECT c.created_at AS at, c.id AS key, true AS matches
      FROM (SELECT * FROM contacts c WHERE c.team_id = $1 AND c.email = ${EMAIL} OFFSET 0) c WHERE ${BEHIND} AND ${MATCHES}`,
    '$4',
  ),
};

/** The contacts that were changed since an instant, found by the index of changes and then sorted. */
export const LIST_CHANGED_CONTACTS: Statement = {
  name: 'list_changed_contacts',
  text: walking(
    `SELECT c.created_at AS at, c.id AS key, true AS matches
      FROM (SELECT * FROM contacts c WHERE c.team_id = $1 AND c.updated_at >= ${SINCE} AND c.erased_at IS NULL OFFSET 0) c
      WHERE ${BEHIND} AND ${MATCHES}`,
    '$4',
  ),
};

/** How many contacts were changed since an instant, counted up to a limit. $1 team, $2 instant, $3 limit. */
export const COUNT_CHANGED_CONTACTS: Statement = {
  name: 'count_changed_contacts',
  text: `
    SELECT count(*)::integer AS contacts
    FROM (SELECT FROM contacts c WHERE c.team_id = $1 AND c.updated_at >= $2 AND c.erased_at IS NULL LIMIT $3::integer) c`,
};

/** The contact that a condition finds, if it matches the filters. */
function oneContact(name: string, condition: string): Statement {
  return {
    name,
    text: `
    SELECT ${exactInstant('c.created_at')} AS at, c.id::text AS key, true AS matches, false AS ends
    FROM (SELECT * FROM contacts c WHERE c.team_id = $1 AND ${condition} OFFSET 0) c
    WHERE ${BEHIND} AND ${MATCHES}
    LIMIT $4`,
  };
}

/** The contact with a number. $1 team, $2 to $7 as above, $8 number. */
export const LIST_CONTACT_OF_NUMBER = oneContact('list_contact_of_number', 'c.phone_number = $8');

export const LIST_CONTACT_OF_EXTERNAL_ID = oneContact(
  'list_contact_of_external_id',
  `c.external_id = ${EXTERNAL_ID}`,
);

/** The contacts of a page, as many as fit into the page. $1 team, $2 ids in their order. */
export const LISTED_CONTACTS: Statement = {
  name: 'listed_contacts',
  text: fitting(`
      SELECT q.n, ${CONTACT_COLUMNS}, octet_length(c.custom_properties::text) AS bytes
      FROM unnest($2::uuid[]) WITH ORDINALITY AS q (id, n)
      CROSS JOIN LATERAL (SELECT * FROM contacts WHERE id = q.id OFFSET 0) c
      WHERE c.team_id = $1`),
};
