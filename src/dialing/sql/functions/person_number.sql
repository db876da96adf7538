-- The number by which all rules recognize a person. Argentinian mobile numbers have a second form with a 9
-- behind the calling code, and Mexican ones had one with a 1. `src/domain/person-number.ts` does the same.
CREATE OR REPLACE FUNCTION person_number(number text)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN length(number) = 14 AND left(number, 4) IN ('+549', '+521')
      THEN left(number, 3) || substr(number, 5)
      ELSE number END
$$;
