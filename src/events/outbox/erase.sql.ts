import { type Statement } from '../../database/transactions.js';
import { CONTACT_FIELD_COLUMNS } from '../../domain/contact-fields.js';

/** One round of {@link ERASE_EVENTS} changes at most this many events. */
export const EVENTS_A_ROUND = 2_000;

/** SQL: what replaces the contact in an event of an opt-out. */
const ERASED_OPT_OUT = `jsonb_build_object('phone_number', $3::text, 'custom_properties', '{}'::jsonb) || '{
        ${CONTACT_FIELD_COLUMNS.map((column) => `"${column}": null`).join(', ')}, "reason": null}'`;

const ERASED_CALL = `jsonb_build_object('phone_number', $3::text, 'unknown_placeholders', '[]'::jsonb)`;

/**
 * Replaces a number in events, and removes the person's other data. $1 team, $2 number, $3 its erased form.
 */
export const ERASE_EVENTS: Statement = {
  name: 'erase_events',
  text: `
    WITH due AS MATERIALIZED (
      SELECT e.position FROM events e
      WHERE e.subject = number_lock_key($1, $2) AND e.team_id = $1 AND $2 IN (e.phone_number, e.data->>'phone_number')
      ORDER BY e.position
      LIMIT ${EVENTS_A_ROUND}
      FOR UPDATE
    )
    UPDATE events e SET
      subject = NULL,
      phone_number = CASE WHEN e.phone_number IS NOT NULL THEN $3 END,
      unknown_placeholders = CASE WHEN e.unknown_placeholders IS NOT NULL THEN '{}'::text[] END,
      data = e.data || CASE e.type WHEN 'contact.opted_out' THEN ${ERASED_OPT_OUT} ELSE ${ERASED_CALL} END
    WHERE e.position = ANY (ARRAY(SELECT due.position FROM due))`,
};
