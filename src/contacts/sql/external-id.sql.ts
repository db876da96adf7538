import { type Statement } from '../../database/transactions.js';

/** The unique index that gives an external id to one contact of a team. */
export const UNIQUE_EXTERNAL_ID = 'uq_contacts_external_id';

/** The contacts that have a number and an external id; null: the team has no such contact. */
export interface Holders {
  of_number: string | null;
  /** Whether the contact of the number has another external id. */
  other_id: boolean;
  of_external_id: string | null;
}

/** Returns a row of {@link Holders}. $1 team, $2 number or null, $3 external id. */
export const HOLDERS: Statement = {
  name: 'holders_of_external_id',
  text: `
    SELECT n.id AS of_number, coalesce(n.external_id <> $3, false) AS other_id, x.id AS of_external_id
    FROM (SELECT) one
    LEFT JOIN LATERAL (SELECT * FROM contacts WHERE team_id = $1 AND phone_number = $2 OFFSET 0) n ON true
    LEFT JOIN LATERAL (SELECT * FROM contacts WHERE team_id = $1 AND external_id = $3 OFFSET 0) x ON true`,
};

export interface HoldersOfRow extends Holders {
  /** The index of the row, from 0. */
  n: number;
}

/** {@link HOLDERS} for rows of an import, planned for each batch. $1 team, $2 numbers, $3 each external id or null. */
export const HOLDERS_OF_ROWS: Statement = {
  name: '',
  text: `
    SELECT q.n::integer - 1 AS n, n.id AS of_number, coalesce(n.external_id <> q.external_id, false) AS other_id, x.id AS of_external_id
    FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS q (phone_number, external_id, n)
    LEFT JOIN LATERAL (SELECT * FROM contacts WHERE team_id = $1 AND phone_number = q.phone_number OFFSET 0) n ON true
    LEFT JOIN LATERAL (SELECT * FROM contacts WHERE team_id = $1 AND external_id = q.external_id OFFSET 0) x ON true`,
};
