import { type DataSource } from 'typeorm';

const DESCRIPTION = `
  SELECT 'constraint ' || conname AS name, conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> ALL (ARRAY(SELECT inhrelid FROM pg_inherits))
  UNION ALL
  SELECT 'index ' || indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes
    WHERE schemaname = 'public' AND to_regclass(tablename) <> ALL (ARRAY(SELECT inhrelid FROM pg_inherits))
  UNION ALL
  SELECT 'column ' || table_name || '.' || column_name,
         concat_ws(' ', udt_name, CASE is_nullable WHEN 'NO' THEN 'NOT NULL' END, column_default)
    FROM information_schema.columns
    WHERE table_schema = 'public' AND to_regclass(table_name) <> ALL (ARRAY(SELECT inhrelid FROM pg_inherits))
  UNION ALL
  SELECT 'function ' || proname, pg_get_function_identity_arguments(oid)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ORDER BY 1`;

// The lists of what has run; the key of TypeORM's is named by a hash.
const OWN = /migrations|repeatable_scripts/;

/**
 * Everything that the public schema holds but the partitions, whose months differ, one line each, in
 * Postgres's own words and free of column order.
 */
export async function describeSchema(db: DataSource): Promise<string[]> {
  const rows = await db.query<{ name: string; definition: string }[]>(DESCRIPTION);
  return rows.map((row) => `${row.name}: ${row.definition}`).filter((line) => !OWN.test(line));
}
