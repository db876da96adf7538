import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';
import { CONTACT_FIELD_COLUMNS, CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { ERASED_PREFIX } from '../../domain/erased-number.js';

/** SQL: the assignments of an update that take the person's data from a contact. */
export const ERASED_COLUMNS = `
      phone_number = '${ERASED_PREFIX}' || id, ${CONTACT_FIELD_COLUMNS.map((column) => `${column} = NULL`).join(', ')},
      custom_properties = '{}', updated_at = now(), erased_at = outdial_now()`;

/**
 * Erases a contact. The row stays for the calls and enrollments that refer to it. The number becomes
 * `erased:` and the id of the row, because the same person may be erased again as another contact. No rule
 * looks up a contact by an erased number. $1 team, $2 contact.
 */
export const ERASE_CONTACT: Statement = {
  name: 'erase_contact',
  text: `
    UPDATE contacts SET ${ERASED_COLUMNS}
    WHERE team_id = $1 AND id = $2
    RETURNING id`,
};

/** $1 team, $2 contact. */
export const EXPORT_CONTACT: Statement = {
  name: 'export_contact',
  text: `
    SELECT json_build_object(
      'contactId', id, 'phoneNumber', phone_number,
      ${CONTACT_FIELDS.map(({ name, column }) => `'${name}', ${column}`).join(', ')}, 'customProperties', custom_properties,
      'createdAt', ${isoInstant('created_at')}, 'updatedAt', ${isoInstant('updated_at')})::text AS item,
      '{}'::text[] AS after
    FROM contacts WHERE team_id = $1 AND id = $2`,
};
