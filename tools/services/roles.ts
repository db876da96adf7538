import { Client, escapeLiteral } from 'pg';

/** The URLs with which Outdial's processes connect to a private Postgres. */
export interface RoleUrls {
  databaseUrl: string;
  databaseOperatorUrl: string;
}

const OWNER = 'outdial_owner';
const LOGIN = 'outdial_login';

/**
 * Makes the roles of `deploy/postgres/10-roles.sql` on a private server, whose own user is a superuser, and
 * passes the tables to their owner. The owner's name differs from that of `10-roles.sql`, because the server's
 * user has that one.
 *
 * @param url the URL of the server's user. Its password becomes the password of both roles.
 */
export async function ensureRoles(url: string): Promise<RoleUrls> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(rolesOf(decodeURIComponent(new URL(url).password)));
  } finally {
    await client.end();
  }
  return { databaseUrl: as(LOGIN, url), databaseOperatorUrl: as(OWNER, url) };
}

function as(role: string, text: string): string {
  const url = new URL(text);
  url.username = role;
  return url.toString();
}

const RIGHTS = 'NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE';

function rolesOf(password: string): string {
  return `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('outdial roles'));
DO $roles$
DECLARE
  one record;
BEGIN
  IF to_regrole('outdial_app') IS NULL THEN CREATE ROLE outdial_app NOLOGIN ${RIGHTS}; END IF;
  IF to_regrole('${OWNER}') IS NULL THEN CREATE ROLE ${OWNER} LOGIN ${RIGHTS}; END IF;
  IF to_regrole('${LOGIN}') IS NULL THEN CREATE ROLE ${LOGIN} LOGIN NOINHERIT ${RIGHTS}; END IF;
  EXECUTE format('ALTER DATABASE %I OWNER TO ${OWNER}', current_database());
  -- Owned sequences follow their tables.
  FOR one IN
    SELECT c.oid::regclass AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
      AND c.relowner <> '${OWNER}'::regrole
      AND NOT (c.relkind = 'S' AND EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO ${OWNER}', one.name);
  END LOOP;
  FOR one IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '${OWNER}'::regrole
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER ROUTINE %s OWNER TO ${OWNER}', one.name);
  END LOOP;
END $roles$;
ALTER ROLE ${OWNER} PASSWORD ${escapeLiteral(password)};
ALTER ROLE ${LOGIN} PASSWORD ${escapeLiteral(password)};
GRANT outdial_app TO ${OWNER};
GRANT outdial_app TO ${LOGIN};
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
COMMIT;`;
}
