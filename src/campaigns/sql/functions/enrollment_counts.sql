-- Returns what one enrollment adds to the counts of its campaign. `calls` has the numbers of its calls by
-- state or outcome. A call under way counts as attempted, and has no outcome yet.
CREATE OR REPLACE FUNCTION enrollment_counts(status text, waiting_for text, end_reason text, calls jsonb)
  RETURNS TABLE(kind text, name text, n integer)
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$
    SELECT 'live', coalesce(waiting_for, ''), 1 WHERE status IN ('active', 'paused')
    UNION ALL SELECT 'ended', coalesce(end_reason, 'manual'), 1 WHERE status NOT IN ('active', 'paused')
    UNION ALL SELECT 'attempted', '', 1 WHERE calls <> '{}'
    UNION ALL SELECT 'reached', '', 1 WHERE calls ? 'completed'
    UNION ALL SELECT 'attempt', key, value::integer FROM jsonb_each_text(calls) WHERE key <> 'under_way'
$$;
