-- The roles of Outdial. An administrator runs this once, connected to the database that Outdial is to use, and gives
-- passwords to the two that log in. None of them is a superuser, so that row-level security binds all of them.
--
-- - outdial owns the tables. Migrations, the operator's surface and the commands use it.
-- - outdial_login is what the API and the workers connect as. It may act as outdial_app and has no other right, so
--   that SET ROLE NONE leads to no row.
-- - outdial_app is what they act as. It sees one team at a time.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'outdial_app') THEN
    CREATE ROLE outdial_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'outdial') THEN
    CREATE ROLE outdial LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'outdial_login') THEN
    CREATE ROLE outdial_login LOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END $$;

GRANT outdial_app TO outdial;
GRANT outdial_app TO outdial_login;

DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO outdial', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO outdial_login', current_database());
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
