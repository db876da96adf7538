import { type Statement } from '../../database/transactions.js';

export interface ErasureKeyRow {
  [column: string]: unknown;
  check_value: string;
}

/** No row before the first erasure. */
export const ERASURE_KEY_CHECK: Statement = {
  name: 'erasure_key_check',
  text: 'SELECT check_value FROM erasure_key',
};

/** Stores the check value at the first erasure. $1 check value. */
export const KEEP_ERASURE_KEY_CHECK: Statement = {
  name: 'keep_erasure_key_check',
  text: 'INSERT INTO erasure_key (check_value) VALUES ($1) ON CONFLICT (id) DO NOTHING',
};

/** From now on, guardrails also look up the erased form of the team's numbers. $1 team. */
export const NOTE_ERASED_NUMBERS: Statement = {
  name: 'note_erased_numbers',
  text: 'UPDATE teams SET has_erased_numbers = true WHERE id = $1 AND NOT has_erased_numbers',
};

/** Takes the lock of the contact's number, before the transaction reads other rows. $1 team, $2 contact. */
export const LOCK_NUMBER_OF_CONTACT: Statement = {
  name: 'lock_number_of_contact',
  text: `
    SELECT pg_advisory_xact_lock(number_lock_key(team_id, person_number(phone_number))) FROM contacts
    WHERE team_id = $1 AND id = $2 AND erased_at IS NULL`,
};

export interface ContactToEraseRow {
  [column: string]: unknown;
  phone_number: string;
  email: string | null;
}

/** Reads the contact and locks it against enrollments until the transaction ends. $1 team, $2 contact. */
export const LOCK_CONTACT: Statement = {
  name: 'lock_contact',
  text: `
    SELECT phone_number, email FROM contacts WHERE team_id = $1 AND id = $2 AND erased_at IS NULL
    FOR UPDATE`,
};

/** $1 team, $2 contact. */
export const FIND_CONTACT_TO_EXPORT: Statement = {
  name: 'find_contact_to_export',
  text: 'SELECT phone_number FROM contacts WHERE team_id = $1 AND id = $2 AND erased_at IS NULL',
};

/** Returns a row if the contact is erased. $1 team, $2 contact. */
export const IS_ERASED_CONTACT: Statement = {
  name: 'is_erased_contact',
  text: 'SELECT 1 AS erased FROM contacts WHERE team_id = $1 AND id = $2 AND erased_at IS NOT NULL',
};
