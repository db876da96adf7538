-- Returns the counts of an enrollment's calls by state or outcome, after the state of one call changed from
-- `came_from` to `became`. A call that is not processed is no longer counted.
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
