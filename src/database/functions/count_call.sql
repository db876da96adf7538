-- The calls of an enrollment by what became of them, after one has moved: `came_from` and `became` are its states. One that was not
-- processed is counted no more.
CREATE OR REPLACE FUNCTION count_call(calls jsonb, came_from text, became text, processed boolean)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$
    SELECT jsonb_strip_nulls(calls
      || jsonb_build_object(moved.gone, nullif(greatest(coalesce((calls->>moved.gone)::integer, 0) - 1, 0), 0))
      || CASE WHEN processed THEN jsonb_build_object(moved.come, coalesce((calls->>moved.come)::integer, 0) + 1) ELSE '{}' END)
    FROM (SELECT
      CASE came_from WHEN 'dial_unknown' THEN 'unknown' ELSE 'under_way' END AS gone,
      CASE became WHEN 'dial_unknown' THEN 'unknown' ELSE became END AS come) moved
$$;

REVOKE EXECUTE ON FUNCTION count_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_call TO outdial_app;
