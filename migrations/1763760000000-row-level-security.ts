import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The second line behind queries that name their team: the role as which the processes work sees, and writes,
 * the rows of the one team that its transaction has set, and without one none. See
 * docs/decisions/row-level-security.md.
 */
export class RowLevelSecurity1763760000000 implements MigrationInterface {
  name = 'RowLevelSecurity1763760000000';

  async up(db: QueryRunner): Promise<void> {
    for (const statement of [MAKE_ROLE, TAKE_ROLE, ...GRANTS]) await db.query(statement);
    for (const [table, { team }] of Object.entries(TABLES)) {
      await db.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      // In parentheses, so that it is read once a statement and can be looked up in an index.
      await db.query(`CREATE POLICY own_team ON ${table} TO outdial_app USING (${team} = (SELECT ${TEAM}))`);
      // Forced, the policies bind the owner as well, who migrates and serves the operator: it needs one of
      // its own.
      await db.query(`CREATE POLICY every_team ON ${table} TO CURRENT_USER USING (true)`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES)) {
      await db.query(`DROP POLICY own_team ON ${table}`);
      await db.query(`DROP POLICY every_team ON ${table}`);
      await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY`);
    }
    // The role stays: it is the whole cluster's, and other databases may need it.
    for (const grant of GRANTS) {
      await db.query(grant.replace(/^GRANT/, 'REVOKE').replace(/TO outdial_app$/, 'FROM outdial_app'));
    }
  }
}

// '' is what a transaction leaves behind where it had set a team.
const TEAM = `nullif(current_setting('outdial.team_id', true), '')::uuid`;

const READ = 'SELECT';
const WRITE = 'SELECT, INSERT, UPDATE';

/** Every table of teams: the column that says whose a row is, and what the role may do. */
const TABLES: Record<string, { team: string; may: string }> = {
  teams: { team: 'id', may: READ },
  api_keys: { team: 'team_id', may: READ },
  phone_numbers: { team: 'team_id', may: READ },
  number_pools: { team: 'team_id', may: READ },
  number_pool_members: { team: 'team_id', may: READ },
  voice_agents: { team: 'team_id', may: READ },
  contacts: { team: 'team_id', may: WRITE },
  campaigns: { team: 'team_id', may: READ },
  campaign_versions: { team: 'team_id', may: READ },
  enrollments: { team: 'team_id', may: 'SELECT, INSERT' },
  do_not_call: { team: 'team_id', may: READ },
  whitelist: { team: 'team_id', may: READ },
  plan_usage: { team: 'team_id', may: WRITE },
  call_requests: { team: 'team_id', may: WRITE },
  idempotency_keys: { team: 'team_id', may: WRITE },
};

const FUNCTIONS = [
  'outdial_now',
  'number_lock_key',
  'team_lock_key',
  'idempotency_lock_key',
  'team_of_key',
  'team_of_call',
  'agent_exists',
  'wake_overdue',
  'find_expired',
  'mark_unknown',
  'ask_unknown',
  'forget_old_answers',
  'count_overdue_calls',
  'count_open_calls',
];

const GRANTS = [
  'GRANT USAGE ON SCHEMA public TO outdial_app',
  ...Object.entries(TABLES).map(([table, { may }]) => `GRANT ${may} ON ${table} TO outdial_app`),
  // Of no team: the platform's pause, what readiness looks at, and the sweeper's journal.
  'GRANT SELECT ON platform_settings TO outdial_app',
  'GRANT SELECT ON migrations TO outdial_app',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON sweeper_runs TO outdial_app',
  ...FUNCTIONS.map((name) => `GRANT EXECUTE ON FUNCTION ${name} TO outdial_app`),
];

const REFUSED = `RAISE insufficient_privilege USING MESSAGE = format(
      'Row-level security needs the role outdial_app, which %I may not make. Let an administrator run: '
      'CREATE ROLE outdial_app NOLOGIN; GRANT outdial_app TO %I; then migrate again', current_user, current_user)`;

// Roles belong to the whole cluster, and another database may be migrated at the same time: the second
// migration waits for the first, and finds the role.
const MAKE_ROLE = `DO $$
  DECLARE found pg_roles;
  BEGIN
    SELECT * INTO found FROM pg_roles WHERE rolname = 'outdial_app';
    IF found.rolsuper OR found.rolbypassrls THEN
      RAISE EXCEPTION 'The role outdial_app passes over row-level security; let an administrator run: '
        'ALTER ROLE outdial_app NOSUPERUSER NOBYPASSRLS';
    ELSIF found.rolname IS NULL THEN
      CREATE ROLE outdial_app NOLOGIN;
    END IF;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN ${REFUSED};
  END $$`;

// Until version 16 every member might take a role.
const MAY_TAKE_ROLE = `pg_has_role('outdial_app',
      CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END)`;

const TAKE_ROLE = `DO $$
  BEGIN
    IF NOT ${MAY_TAKE_ROLE} THEN
      GRANT outdial_app TO CURRENT_USER;
    END IF;
  EXCEPTION
    -- Granted at this moment by another database's migration; the last of these is "tuple concurrently updated".
    WHEN unique_violation OR internal_error THEN
      IF NOT ${MAY_TAKE_ROLE} THEN RAISE; END IF;
    WHEN insufficient_privilege THEN ${REFUSED};
  END $$`;
