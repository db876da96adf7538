/** Runs one statement and returns its rows. */
export type RunSql = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Adds a register with a version in force, as `register import` leaves it.
 *
 * @param numbers SQL: a query of one column, E.164 without the plus.
 */
export async function addRegister(run: RunSql, register: string, numbers: string): Promise<void> {
  const [version] = await run<{ id: number }>(
    `INSERT INTO register_versions (register, format, as_of, imported_at, numbers)
     SELECT $1, 'list', now(), now(), count(*) FROM (${numbers}) n RETURNING id`,
    [register],
  );
  if (version === undefined) throw new Error('Postgres returned no version');
  const { id } = version;
  await run(`CREATE TABLE register_numbers_${id} PARTITION OF register_numbers FOR VALUES IN (${id})`);
  await run(
    `INSERT INTO register_numbers (number, version) SELECT n.number, ${id} FROM (${numbers}) n (number)`,
  );
}
