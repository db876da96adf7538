-- An addition to Do Not Call ends the consents of its number, as `end_consents` does. It fires before the row is
-- inserted, and so also for a number that is on the list already, whose row is then not inserted. An entry that has an
-- earlier instant, as that which an erasure writes again, ends the consents up to that instant. Otherwise the instant is
-- that of the statement, because the transaction may have waited for the number's lock while a consent was recorded.
CREATE OR REPLACE FUNCTION end_consents_of_listed()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$
DECLARE
  this_instant timestamptz := outdial_now();
  up_to timestamptz := CASE WHEN new.created_at < now() THEN new.created_at ELSE this_instant END;
  other text := other_number_of_person(new.phone_number);
BEGIN
  INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
  VALUES (new.team_id, person_number(new.phone_number), up_to, this_instant);
  IF other IS NOT NULL THEN
    INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
    VALUES (new.team_id, other, up_to, this_instant);
  END IF;
  RETURN new;
END
$$;
