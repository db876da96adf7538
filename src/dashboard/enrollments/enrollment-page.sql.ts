export interface NamedContact {
  id: string;
  name: string | null;
  phone_number: string;
}

/** $1 team, $2 contacts. */
export const NAMED_CONTACTS =
  'SELECT id, name, phone_number FROM contacts WHERE team_id = $1 AND id = ANY($2::uuid[])';
