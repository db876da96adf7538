-- private
-- The fields of an object that another one does not have, or has with another value.
CREATE OR REPLACE FUNCTION differing_fields(one jsonb, other jsonb) RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(one) WHERE other->key IS DISTINCT FROM value
$$;
