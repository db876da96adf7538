-- private
-- The fields of a row for the audit log. Of those that are withheld, because they are secret or personal, only the
-- names; of a URL, only the host, because its path may be secret; of what is long, the beginning. `other` is the
-- row before or after: of an object in both, only the differing fields.
CREATE OR REPLACE FUNCTION audited_fields(fields jsonb, other jsonb, withheld text[]) RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
AS $$
  SELECT jsonb_object_agg(key, CASE
      WHEN value = 'null' THEN value
      WHEN key = ANY (withheld) THEN '"withheld"'
      WHEN key = 'url' THEN to_jsonb(regexp_replace(value #>> '{}', '^(\w+://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2'))
      WHEN length(told #>> '{}') > 4000 THEN to_jsonb(left(told #>> '{}', 4000) || '…')
      ELSE told
    END)
  FROM jsonb_each(fields), LATERAL (
    SELECT CASE WHEN jsonb_typeof(value) = 'object' AND jsonb_typeof(other->key) = 'object'
      THEN differing_fields(value, other->key) ELSE value END AS told
  ) narrowed
$$;
