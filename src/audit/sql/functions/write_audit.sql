-- Adds a row to the audit log, in the transaction of the change. The actor is the setting outdial.actor of the
-- transaction, as JSON; without it, a process acts of its own accord. A key is named by its hash.
CREATE OR REPLACE FUNCTION write_audit(
  of_team uuid, of_action text, of_type text, of_id text, is_before jsonb, is_after jsonb
) RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
AS $$
  INSERT INTO audit_log (actor_kind, actor_id, actor_name, address, team_id, action, target_type, target_id, before, after)
  SELECT coalesce(actor->>'kind', 'system'), coalesce((actor->>'id')::uuid, k.id), coalesce(actor->>'name', k.name),
    actor->>'address', of_team, of_action, of_type, of_id, is_before, is_after
  FROM (SELECT nullif(current_setting('outdial.actor', true), '')::jsonb AS actor) setting
  LEFT JOIN api_keys k ON k.key_hash = decode(actor->>'keyHash', 'hex')
$$;
