-- Writes the change of a row to the audit log. Arguments: what the row is, its column that names it, the columns
-- whose values are withheld, and those that are bookkeeping, whose change alone writes nothing; lists have commas.
CREATE OR REPLACE FUNCTION audit_change()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  of_type text := TG_ARGV[0];
  withheld text[] := string_to_array(TG_ARGV[2], ',');
  bookkeeping text[] := string_to_array(TG_ARGV[3], ',');
  is_before jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  is_after jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  subject jsonb := coalesce(is_after, is_before);
  of_team uuid := CASE TG_TABLE_NAME WHEN 'teams' THEN subject->>'id' ELSE subject->>'team_id' END;
  was jsonb := jsonb_strip_nulls(is_before - bookkeeping);
  becomes jsonb := jsonb_strip_nulls(is_after - bookkeeping);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    was := differing_fields(is_before - bookkeeping, is_after);
    becomes := differing_fields(is_after - bookkeeping, is_before);
    IF becomes = '{}' THEN RETURN NULL; END IF;
  END IF;
  PERFORM write_audit(
    of_team,
    of_type || '.' || CASE
      WHEN TG_OP = 'INSERT' THEN 'created'
      WHEN TG_OP = 'DELETE' OR becomes->>'deleted_at' IS NOT NULL THEN 'removed'
      WHEN becomes->>'revoked_at' IS NOT NULL THEN 'revoked'
      WHEN becomes ? 'paused' THEN CASE becomes->>'paused' WHEN 'true' THEN 'paused' ELSE 'resumed' END
      WHEN becomes ? 'disabled_at' THEN CASE WHEN becomes->>'disabled_at' IS NULL THEN 'enabled' ELSE 'disabled' END
      WHEN becomes ? 'status' THEN
        CASE becomes->>'status' WHEN 'active' THEN 'activated' WHEN 'running' THEN 'started' ELSE becomes->>'status' END
      -- The secret is the same under another key.
      WHEN current_setting('outdial.reencrypting', true) = 'on' AND becomes - withheld = '{}' THEN 'secret_reencrypted'
      WHEN becomes ? 'secret' THEN 'secret_rotated'
      WHEN becomes ? 'credentials' THEN 'credentials_rotated'
      WHEN becomes ? 'password_hash' THEN 'password_changed'
      WHEN becomes ? 'role' THEN 'role_changed'
      ELSE 'changed'
    END,
    of_type,
    subject->>TG_ARGV[1],
    audited_fields(was, is_after, withheld),
    audited_fields(becomes, is_before, withheld)
  );
  RETURN NULL;
END
$$;
