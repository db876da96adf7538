-- Writes one row to the audit log for what a statement did to a list: for each team how many entries, and no entry.
-- The transition table is named `entries`. Arguments: the name of the list, and optionally the column of the list. The
-- platform's own list has no team.
CREATE OR REPLACE FUNCTION audit_list_change()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  of_list record;
BEGIN
  FOR of_list IN EXECUTE format(
    'SELECT %s AS team_id, %s AS id, count(*) AS entries FROM entries GROUP BY 1, 2',
    CASE WHEN TG_ARGV[0] = 'platform_do_not_call' THEN 'NULL::uuid' ELSE 'team_id' END,
    coalesce(quote_ident(TG_ARGV[1]), 'NULL')
  ) LOOP
    PERFORM write_audit(
      of_list.team_id,
      TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.added' WHEN 'DELETE' THEN '.removed' ELSE '.changed' END,
      TG_ARGV[0],
      of_list.id::text,
      CASE WHEN TG_OP <> 'INSERT' THEN jsonb_build_object('entries', of_list.entries) END,
      CASE WHEN TG_OP <> 'DELETE' THEN jsonb_build_object('entries', of_list.entries) END
    );
  END LOOP;
  RETURN NULL;
END
$$;
