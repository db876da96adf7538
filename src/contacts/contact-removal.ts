import { type Query, query, type Statement } from '../database/transactions.js';
import { ERASED_COLUMNS } from './sql/erase.sql.js';

/**
 * The rows stay for the calls and enrollments that refer to them, without the data of the persons, as after an
 * erasure. Nothing else of an erasure is done. $1 team, $2 contacts.
 */
const REMOVE_CONTACTS: Statement = {
  name: 'remove_contacts',
  text: `UPDATE contacts SET ${ERASED_COLUMNS} WHERE team_id = $1 AND id = ANY($2::uuid[]) AND erased_at IS NULL`,
};

/** In the order of numbers, as statements that store several contacts lock them. $1 team, $2 contacts. */
const LOCK_CONTACTS: Statement = {
  name: 'lock_contacts',
  text: `
    SELECT c.id FROM contacts c WHERE c.team_id = $1 AND c.id = ANY($2::uuid[])
    ORDER BY c.phone_number FOR UPDATE`,
};

/** Waits for changes of the contacts, and for enrollments of them. */
export function lockingContacts(teamId: string, ids: string[]): Query {
  return query(LOCK_CONTACTS, teamId, ids);
}

/**
 * Removes contacts, whose numbers are then free for new contacts. The transaction has locked the numbers and the
 * contacts ({@link lockingContacts}).
 */
export function removingContacts(teamId: string, ids: string[]): Query {
  return query(REMOVE_CONTACTS, teamId, ids);
}
