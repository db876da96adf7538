-- What ends a consent: its revocations, and the opt-outs of its number at the instant of the consent or later. `forms`
-- are the forms of the number. Of an opt-out, `revoked` is false. Postgres inlines it. See
-- `consents_of` for the look-up of each form.
CREATE OR REPLACE FUNCTION endings_of_consent(team uuid, forms text[], consent uuid, granted timestamptz)
  RETURNS TABLE(ended_at timestamptz, revoked boolean, reason text)
  LANGUAGE sql
  STABLE
AS $$
    SELECT e.ended_at, e.consent_id IS NOT NULL, e.reason
    FROM unnest(endings_of_consent.forms) AS form (number)
    CROSS JOIN LATERAL (
      SELECT * FROM consent_endings e WHERE e.team_id = endings_of_consent.team AND e.phone_number = form.number
      ORDER BY e.ended_at OFFSET 0) e
    WHERE (e.consent_id = endings_of_consent.consent OR e.consent_id IS NULL AND e.ended_at >= endings_of_consent.granted)
$$;
