CREATE OR REPLACE FUNCTION count_open_calls()
 RETURNS TABLE(status text, calls double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ 
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('scheduled', 'queued') GROUP BY r.status
    UNION ALL
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('dialing', 'in_progress', 'dial_unknown') GROUP BY r.status $function$;

REVOKE EXECUTE ON FUNCTION count_open_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_open_calls TO outdial_app;
