-- The consents of a person that are in force at an instant, as a JSON array of `ConsentFact` of
-- `src/domain/compliance/facts.ts`, the earliest first. `numbers` are all forms of the number of one person. A consent
-- of any form is ended by the opt-out of any form.
--
-- Each form is looked up by itself, in the order of the index of numbers. Otherwise a generic plan reads all consents of
-- the team.
CREATE OR REPLACE FUNCTION consents_of(team uuid, numbers text[], at timestamptz)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'level', c.level, 'purpose', c.purpose, 'voice', c.voice,
        'grantedAt', to_char(c.granted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'expiresAt', to_char(c.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) ORDER BY c.granted_at, c.id), '[]')
    FROM unnest(consents_of.numbers) AS form (number)
    CROSS JOIN LATERAL (
      SELECT * FROM consents c WHERE c.team_id = consents_of.team AND c.phone_number = form.number
      ORDER BY c.granted_at OFFSET 0) c
    WHERE c.granted_at <= consents_of.at AND (c.expires_at IS NULL OR c.expires_at > consents_of.at)
      AND NOT EXISTS (
        SELECT FROM endings_of_consent(consents_of.team, consents_of.numbers, c.id, c.granted_at) e
        WHERE e.ended_at <= consents_of.at)
$$;
