import { beginsWith } from '../../lists/filter-sql.js';

/** A contact in the list. */
export interface ListedContact {
  contactId: string;
  phoneNumber: string;
  name: string | null;
  email: string | null;
  externalId: string | null;
}

/** The name at which a page begins: that of the contact that its cursor names, else the sought beginning. */
const START = `coalesce((SELECT lower(a.name) FROM contacts a WHERE a.team_id = $1 AND a.id = $3::uuid), lower($2::text))`;

/**
 * The contacts whose names begin with a text, in the order of the index of names. $1 team, $2 beginning of the name, $3
 * contact to begin after or null, $4 how many.
 */
export const CONTACTS_BY_NAME = `
  SELECT c.id AS "contactId", c.phone_number AS "phoneNumber", c.name, c.email, c.external_id AS "externalId"
  FROM contacts c
  WHERE c.team_id = $1 AND c.name IS NOT NULL AND ${beginsWith('lower(c.name)', 'lower($2::text)')}
    AND lower(c.name) ~>=~ ${START} AND ($3::uuid IS NULL OR lower(c.name) ~>~ ${START} OR c.id > $3::uuid)
  ORDER BY lower(c.name) USING ~<~, c.id
  LIMIT $4`;
