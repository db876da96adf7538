/**
 * Which of some custom properties the newest contacts of a team have, and whether the team has contacts. The
 * number of contacts is bounded, because each one is read. $1 team, $2 names of properties.
 */
export const PROPERTIES_OF_NEWEST = `
  WITH newest AS MATERIALIZED (
    SELECT c.custom_properties FROM contacts c
    WHERE c.team_id = $1 AND c.erased_at IS NULL
    ORDER BY c.created_at DESC, c.id DESC
    LIMIT 200)
  SELECT EXISTS (SELECT FROM newest) AS any,
    ARRAY(SELECT q.name FROM unnest($2::text[]) AS q (name)
      WHERE EXISTS (SELECT FROM newest n WHERE n.custom_properties ? q.name)) AS found`;

export interface PropertiesOfNewestRow {
  any: boolean;
  found: string[];
}
