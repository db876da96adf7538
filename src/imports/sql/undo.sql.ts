import { type Statement } from '../../database/transactions.js';
import { type KeptContact, NOTHING_UNDONE, type UndoCounts } from '../undo-counts.js';
import { COLUMNS, UNDO_COLUMNS } from './read.sql.js';

/** Longer than a batch usually takes. If a worker is killed, another one continues the undo after this time. */
const LEASE = `interval '5 seconds'`;

const NOW = `date_trunc('milliseconds', outdial_now())`;

/**
 * Begins the undo of an import that has ended, and was not undone. It returns no row for another one. $1 import,
 * $2 team.
 */
export const BEGIN_UNDO: Statement = {
  name: 'begin_undo',
  text: `
    UPDATE imports i SET status = 'undoing', undo_began_at = ${NOW}, undo = '${JSON.stringify(NOTHING_UNDONE)}', leased_until = NULL
    WHERE i.team_id = $2 AND i.id = $1 AND i.status IN ('finished', 'canceled', 'failed') AND i.tracked AND i.type = 'contacts'
    RETURNING ${COLUMNS}, ${UNDO_COLUMNS}, i.mapping`,
};

/** An undo that this worker has leased. */
export interface TakenUndo extends Record<string, unknown> {
  id: string;
  team_id: string;
  /** The last contact that is done. */
  undone_after: string | null;
}

export const TAKE_UNDO: Statement = { name: 'take_undo', text: `SELECT * FROM take_undo(${LEASE})` };

/** Ends the lease, so that any worker can continue the undo. $1 import, $2 team. */
export const RELEASE_UNDO: Statement = {
  name: 'release_undo',
  text: `UPDATE imports SET leased_until = NULL WHERE team_id = $2 AND id = $1 AND status = 'undoing'`,
};

/** A contact that the import created or enrolled. */
export interface ContactToUndoRow extends Record<string, unknown> {
  contact_id: string;
  created: boolean;
  enrollments: string[] | null;
  /** Null if the contact was erased. */
  phone_number: string | null;
}

/** The next contacts. Those that the import only updated are left out. $1 import, $2 team, $3 the last one or null, $4 how many. */
export const CONTACTS_TO_UNDO: Statement = {
  name: 'contacts_to_undo',
  text: `
    SELECT x.contact_id, x.created, x.enrollments, c.phone_number
    FROM (
      SELECT * FROM import_contacts x
      WHERE x.team_id = $2 AND x.import_id = $1 AND x.contact_id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
        AND (x.created OR x.enrollments IS NOT NULL)
      ORDER BY x.contact_id LIMIT $4
    ) x
    LEFT JOIN LATERAL (
      SELECT phone_number FROM contacts WHERE id = x.contact_id AND team_id = $2 AND erased_at IS NULL OFFSET 0) c ON true
    ORDER BY x.contact_id`,
};

export interface LockedUndoRow extends Record<string, unknown> {
  undo: UndoCounts;
}

/**
 * Locks an import for a batch of its undo. It returns no row if another batch is next. $1 import, $2 team, $3 the
 * last contact before the batch, or null.
 */
export const LOCK_UNDO: Statement = {
  name: 'lock_undo',
  text: `
    SELECT i.undo FROM imports i
    WHERE i.team_id = $2 AND i.id = $1 AND i.status = 'undoing' AND i.undone_after IS NOT DISTINCT FROM $3::uuid
    FOR NO KEY UPDATE`,
};

export interface JudgedContactRow extends Record<string, unknown> {
  id: string;
  /** Why the contact stays; null: it is removed. */
  kept: KeptContact | null;
}

const IS_OF_PERSON = (number: string) =>
  `${number} IN (c.phone_number, person_number(c.phone_number), other_number_of_person(c.phone_number))`;

/**
 * Whether something else has touched each contact that the import created since. The transaction holds the locks
 * of the numbers and of the contacts, and has ended the enrollments. $1 import, $2 team, $3 contacts.
 */
export const JUDGE_CONTACTS: Statement = {
  name: 'judge_contacts_to_undo',
  text: `
    SELECT x.contact_id AS id, CASE
      WHEN EXISTS (SELECT FROM call_requests r WHERE r.team_id = $2 AND ${IS_OF_PERSON('r.phone_number')}) THEN 'called'
      WHEN EXISTS (
        SELECT FROM enrollments e JOIN enrollment_dials d ON d.enrollment_id = e.id
        WHERE e.team_id = $2 AND e.contact_id = c.id) THEN 'called'
      WHEN EXISTS (SELECT FROM do_not_call n WHERE n.team_id = $2 AND ${IS_OF_PERSON('n.phone_number')}) THEN 'opted_out'
      WHEN EXISTS (
        SELECT FROM enrollments e
        WHERE e.team_id = $2 AND e.contact_id = c.id
          AND (e.end_reason IS DISTINCT FROM 'undone' OR NOT e.id = ANY (coalesce(x.enrollments, '{}')))) THEN 'enrolled'
      WHEN c.updated_at IS DISTINCT FROM x.changed_at THEN 'changed'
      -- With the mode create, an import refuses the contacts of others.
      WHEN EXISTS (
        SELECT FROM imports own, imports o CROSS JOIN LATERAL (
          SELECT FROM import_contacts WHERE import_id = o.id AND contact_id = c.id OFFSET 0) also
        WHERE own.id = $1 AND o.team_id = $2 AND o.id <> $1 AND o.mode = 'upsert' AND o.status <> 'undone'
          AND (o.finished_at IS NULL OR o.finished_at >= own.created_at)) THEN 'imported'
    END AS kept
    FROM import_contacts x JOIN contacts c ON c.team_id = x.team_id AND c.id = x.contact_id
    WHERE x.team_id = $2 AND x.import_id = $1 AND x.contact_id = ANY($3::uuid[]) AND x.created AND c.erased_at IS NULL`,
};

/** Notes what became of contacts. $1 import, $2 team, $3 contacts, $4 what became of each. */
export const NOTE_UNDONE: Statement = {
  name: 'note_undone_contacts',
  text: `
    UPDATE import_contacts x SET undone = q.undone
    FROM unnest($3::uuid[], $4::text[]) AS q (id, undone)
    WHERE x.team_id = $2 AND x.import_id = $1 AND x.contact_id = q.id`,
};

/** $1 import, $2 team, $3 the last contact that is done, or null, $4 the counts so far, $5 whether it was the last batch. */
export const ADVANCE_UNDO: Statement = {
  name: 'advance_undo',
  text: `
    UPDATE imports i SET undone_after = $3::uuid, undo = $4::jsonb,
      status = CASE WHEN $5::boolean THEN 'undone' ELSE i.status END,
      undone_at = CASE WHEN $5 THEN ${NOW} END,
      leased_until = CASE WHEN NOT $5 THEN outdial_now() + ${LEASE} END
    WHERE i.team_id = $2 AND i.id = $1`,
};
