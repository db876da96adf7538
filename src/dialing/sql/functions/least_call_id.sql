-- The least UUID of version 7 that a call of this instant can have. The partition of a month begins at the
-- least id of its first instant.
CREATE OR REPLACE FUNCTION least_call_id(at timestamptz)
  RETURNS uuid
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$ SELECT rpad(lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;
