-- Ends all consents that were given to call these numbers up to an instant. The row is of the number, and not of a
-- consent: a consent that is recorded later, and was given before, is not in force either. Each number has a row for
-- each form of the number of its person.
CREATE OR REPLACE FUNCTION end_consents(team uuid, numbers text[], at timestamptz)
  RETURNS void
  LANGUAGE sql
AS $$
    INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
    SELECT DISTINCT end_consents.team, form, end_consents.at, outdial_now()
    FROM unnest(end_consents.numbers) AS number,
      unnest(ARRAY[person_number(number), other_number_of_person(number)]) AS form
    WHERE form IS NOT NULL
$$;
