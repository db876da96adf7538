-- The event of a number that was added to a team's Do Not Call list. It has the contact of the number, if the
-- team has one, and the reason. The columns of the contact that are removed are no fields; without a contact,
-- the fields are null.
CREATE OR REPLACE FUNCTION write_opt_out_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM add_event(NEW.team_id, 'contact.opted_out', NEW.phone_number,
      coalesce(to_jsonb(c), to_jsonb(jsonb_populate_record(NULL::contacts, '{}')))
        - ARRAY['team_id', 'created_at', 'updated_at', 'erased_at']
        || jsonb_build_object('phone_number', NEW.phone_number, 'reason', NEW.reason))
    FROM (SELECT) one
    LEFT JOIN contacts c ON c.team_id = NEW.team_id AND c.phone_number = NEW.phone_number;
    RETURN NULL;
  END $$;
