-- The actor of the transaction, for an entry of the suppression ledger: the setting outdial.actor, as in the audit log.
CREATE OR REPLACE FUNCTION suppression_actor()
  RETURNS TABLE(kind text, id uuid, name text)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
  SELECT coalesce(actor->>'kind', 'system'), coalesce((actor->>'id')::uuid, k.id), coalesce(actor->>'name', k.name)
  FROM (SELECT nullif(current_setting('outdial.actor', true), '')::jsonb AS actor) setting
  LEFT JOIN api_keys k ON k.key_hash = decode(actor->>'keyHash', 'hex')
$$;
