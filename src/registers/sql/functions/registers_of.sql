-- What each register in force says of a person: a JSON array of `register`, `asOf` (ISO 8601, UTC) and `listed`, by
-- the names of the registers. `numbers` are the forms of the person's number in E.164. A register whose files are
-- not about the area code of any of them is left out, as one that was never imported. One index access for each register.
--
-- Volatile, so that the statement below reads by a snapshot that is newer than its locks. An import replaces a
-- version under an exclusive lock of `register_numbers`. With an older snapshot, a caller that waited for the lock would
-- look for the numbers of the version that is gone.
CREATE OR REPLACE FUNCTION registers_of(numbers text[])
  RETURNS jsonb
  LANGUAGE plpgsql
  VOLATILE
AS $$
DECLARE
  sought bigint[] := ARRAY(SELECT substr(n, 2)::bigint FROM unnest(numbers) AS n WHERE n ~ '^\+[0-9]{1,15}$');
  sought_areas integer[] := ARRAY(SELECT (n / 10000000)::integer FROM unnest(sought) AS n WHERE n BETWEEN 10000000000 AND 19999999999);
  facts jsonb;
BEGIN
  SELECT coalesce(jsonb_agg(jsonb_build_object(
      'register', v.register,
      'asOf', to_char(v.as_of AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'listed', EXISTS (SELECT FROM register_numbers n WHERE n.version = v.id AND n.number = ANY (sought))
    ) ORDER BY v.register), '[]')
  INTO facts
  FROM register_versions v
  WHERE v.status = 'in_force' AND (v.areas IS NULL OR v.areas && sought_areas);
  RETURN facts;
END
$$;
