-- The event of a number that was added to a team's Do Not Call list. It has the contact of the number, if the
-- team has one, and the reason.
CREATE OR REPLACE FUNCTION write_opt_out_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM add_event(NEW.team_id, 'contact.opted_out', NEW.phone_number,
      jsonb_build_object('id', c.id, 'phone_number', NEW.phone_number, 'name', c.name, 'email', c.email,
        'company_name', c.company_name, 'company_website', c.company_website, 'timezone', c.timezone,
        'custom_properties', c.custom_properties, 'reason', NEW.reason))
    FROM (SELECT) one
    LEFT JOIN contacts c ON c.team_id = NEW.team_id AND c.phone_number = NEW.phone_number;
    RETURN NULL;
  END $$;
