-- The second form of a person's number, of which `person_number` is the first; null: there is none.
CREATE OR REPLACE FUNCTION other_number_of_person(number text)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
      WHEN length(number) = 14 AND left(number, 4) IN ('+549', '+521') THEN number
      WHEN length(number) = 13 AND left(number, 3) = '+54' THEN '+549' || substr(number, 4)
      WHEN length(number) = 13 AND left(number, 3) = '+52' THEN '+521' || substr(number, 4)
    END
$$;
