-- For the metrics: the age in seconds of the version of each register in force, and how many numbers it has.
CREATE OR REPLACE FUNCTION measure_registers()
  RETURNS TABLE(register text, seconds float8, numbers float8)
  LANGUAGE sql
  STABLE
AS $$
    SELECT v.register, extract(epoch FROM outdial_now() - v.as_of)::float8, v.numbers::float8
    FROM register_versions v WHERE v.status = 'in_force'
$$;
