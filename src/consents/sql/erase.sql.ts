import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';

/** The consents stay in the erased form, as proof. $1 team, $2 number or null, $3 erased form or null. */
export const ERASE_CONSENTS: Statement = {
  name: 'erase_consents',
  text: 'SELECT erase_consents($1, $2, $3)',
};

/** As {@link ERASE_CONSENTS}, their ends. */
export const ERASE_CONSENT_ENDINGS: Statement = {
  name: 'erase_consent_endings',
  text: 'SELECT erase_consent_endings($1, $2, $3)',
};

/**
 * SQL: a relation with the rows of a person's number. $1 team, $2 number. See `consents_of` for the look-up of each form.
 * @param order the column after the number in the index of the numbers.
 */
const ofPerson = (table: string, order: string) => `
      unnest(ARRAY[person_number($2), other_number_of_person($2)]) AS form (number) CROSS JOIN LATERAL (
        SELECT * FROM ${table} own WHERE own.team_id = $1 AND own.phone_number = form.number
        ORDER BY own.${order} OFFSET 0) own`;

/** The consents of a person's number in all its forms. $1 team, $2 number, $3 id to begin after. */
export const EXPORT_CONSENTS: Statement = {
  name: 'export_consents',
  text: `
    SELECT json_build_object('id', id, 'phoneNumber', phone_number, 'level', level, 'purpose', purpose, 'voice', voice,
        'source', source, 'evidence', evidence, 'grantedAt', ${isoInstant('granted_at')}, 'expiresAt', ${isoInstant('expires_at')},
        'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[id::text] AS after
    FROM ${ofPerson('consents', 'granted_at')}
    WHERE id > $3::uuid
    ORDER BY id LIMIT 1000`,
};

/** The ends of these consents; `consentId` null: an opt-out, which ends all of them. $1 team, $2 number, $3 id to begin after. */
export const EXPORT_CONSENT_ENDINGS: Statement = {
  name: 'export_consent_endings',
  text: `
    SELECT json_build_object('consentId', consent_id, 'phoneNumber', phone_number, 'endedAt', ${isoInstant('ended_at')},
        'reason', reason, 'createdAt', ${isoInstant('created_at')})::text AS item,
      ARRAY[id::text] AS after
    FROM ${ofPerson('consent_endings', 'ended_at')}
    WHERE id > $3::uuid
    ORDER BY id LIMIT 1000`,
};
