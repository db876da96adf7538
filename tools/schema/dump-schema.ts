import { type DataSource } from 'typeorm';

// The lists of what has run, whose contents differ by database.
const OWN = ['migrations', 'repeatable_scripts'];

interface Line {
  item: string;
  text: string;
}

const COLUMNS = `
  SELECT c.relname AS item,
    format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
      coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS text
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
  ORDER BY c.relname, a.attnum`;

/** The partitions themselves differ by the month. */
const PARTITION_KEYS = `
  SELECT c.relname AS item, pg_get_partkeydef(c.oid) AS text
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'p'`;

const CONSTRAINTS = `
  SELECT r.relname AS item, format('  CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid)) AS text
  FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
  WHERE c.connamespace = 'public'::regnamespace AND c.contype <> 'n' AND NOT r.relispartition AND r.relname <> ALL ($1)
  ORDER BY r.relname, c.contype DESC, c.conname`;

const OPTIONS = `
  SELECT relname AS item, concat_ws(E'\\n',
    'ALTER TABLE ' || relname || ' SET (' || nullif(array_to_string(reloptions, ', '), '') || ');',
    CASE WHEN relrowsecurity THEN 'ALTER TABLE ' || relname || ' ENABLE ROW LEVEL SECURITY;' END,
    CASE WHEN relforcerowsecurity THEN 'ALTER TABLE ' || relname || ' FORCE ROW LEVEL SECURITY;' END) AS text
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL ($1)
  ORDER BY relname`;

const INDEXES = `
  SELECT t.relname AS item, pg_get_indexdef(i.indexrelid) || ';' AS text
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
  WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND t.relname <> ALL ($1)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
  ORDER BY t.relname, x.relname`;

const TRIGGERS = `
  SELECT t.relname AS item, pg_get_triggerdef(g.oid) || ';' AS text
  FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
  WHERE t.relnamespace = 'public'::regnamespace AND NOT g.tgisinternal
  ORDER BY t.relname, g.tgname`;

const POLICIES = `
  SELECT tablename AS item, format('CREATE POLICY %I ON %I FOR %s TO %s%s%s;', policyname, tablename, cmd,
    CASE WHEN policyname = 'every_team' THEN 'the_owner' ELSE array_to_string(roles, ', ') END,
    E'\\n  USING (' || qual || ')', E'\\n  WITH CHECK (' || with_check || ')') AS text
  FROM pg_policies WHERE schemaname = 'public' ORDER BY tablename, policyname`;

const GRANTS = `
  SELECT table_name AS item,
    format('GRANT %s ON %I TO %I;', string_agg(privilege_type, ', ' ORDER BY privilege_type), table_name, grantee) AS text
  FROM information_schema.role_table_grants
  WHERE table_schema = 'public' AND grantee = 'outdial_app' GROUP BY table_name, grantee ORDER BY table_name`;

const FUNCTIONS = `
  SELECT p.proname AS item, pg_get_functiondef(p.oid) || ';' ||
    CASE WHEN has_function_privilege('public', p.oid, 'EXECUTE') THEN ''
      ELSE format(E'\\nREVOKE EXECUTE ON FUNCTION %I FROM PUBLIC;', p.proname) END ||
    CASE WHEN has_function_privilege('outdial_app', p.oid, 'EXECUTE')
      THEN format(E'\\nGRANT EXECUTE ON FUNCTION %I TO outdial_app;', p.proname) ELSE '' END AS text
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace ORDER BY p.proname`;

const HEADER = `-- The schema that all migrations make together, for reading. \`npm run schema\` writes this file;
-- nothing runs it. \`the_owner\` stands for the role that migrates.
`;

/** The schema of a migrated database as SQL text, in a stable order. */
export async function dumpSchema(db: DataSource): Promise<string> {
  const lines = (sql: string) => db.query<Line[]>(sql, sql.includes('$1') ? [OWN] : []);
  const columns = await lines(COLUMNS);
  const constraints = await lines(CONSTRAINTS);
  const keys = await lines(PARTITION_KEYS);
  const parts: Line[][] = [];
  for (const sql of [OPTIONS, INDEXES, TRIGGERS, POLICIES, GRANTS]) parts.push(await lines(sql));
  const of = (table: string, all: Line[]) => all.filter(({ item }) => item === table).map(({ text }) => text);

  const tables = [...new Set(columns.map(({ item }) => item))].map((table) => {
    const members = [...of(table, columns), ...of(table, constraints)].join(',\n');
    const rest = parts.flatMap((part) => of(table, part)).filter((text) => text !== '');
    const [partitioned] = of(table, keys);
    const how = partitioned === undefined ? '' : ` PARTITION BY ${partitioned}`;
    return [`CREATE TABLE ${table} (\n${members}\n)${how};`, ...rest].join('\n');
  });
  const functions = (await lines(FUNCTIONS)).map(({ text }) => text);
  return `${[HEADER, ...tables, ...functions].join('\n\n').replace(/[ \t]+$/gm, '')}\n`;
}
