import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTriggerFunctions } from '../src/database/repeatable.js';

/** What the triggers' functions call. Triggers fire already in later migrations. */
const CALLED = ['audited_fields', 'differing_fields', 'write_audit'];

/** A table each of whose changed rows is told. */
interface AuditedTable {
  /** What a row is. */
  type: string;
  /** The column that names a row. */
  id: string;
  /** Secret and personal columns: only their names are told. */
  withheld?: string[];
  /** Columns whose change alone is not told. */
  bookkeeping?: string[];
  /** When an update is told; by default, always. */
  when?: string;
}

const ROWS: Record<string, AuditedTable> = {
  teams: { type: 'team', id: 'id', bookkeeping: ['id', 'has_erased_numbers', 'paused_by_key'] },
  api_keys: { type: 'api_key', id: 'id', withheld: ['key_hash'], bookkeeping: ['id', 'last_used_at'] },
  phone_numbers: { type: 'phone_number', id: 'id', withheld: ['phone_number'], bookkeeping: ['id'] },
  number_pools: { type: 'number_pool', id: 'id', bookkeeping: ['id'] },
  voice_agents: {
    type: 'voice_agent',
    id: 'id',
    // Settings may hold what only the carrier knows, such as the address of an application with a token.
    withheld: ['carrier_settings', 'outbound_phone_number'],
    bookkeeping: ['id'],
  },
  campaigns: { type: 'campaign', id: 'id', bookkeeping: ['id'] },
  campaign_versions: { type: 'campaign_version', id: 'id', bookkeeping: ['id', 'migrates_to'] },
  webhook_endpoints: {
    type: 'webhook_endpoint',
    id: 'id',
    withheld: ['secret', 'previous_secret'],
    bookkeeping: ['id', 'previous_until', 'failing_since', 'held_until'],
  },
  imports: {
    type: 'import',
    id: 'id',
    bookkeeping: [
      ...['id', 'rows', 'next_row', 'created', 'updated', 'enrolled', 'failed', 'warned', 'without_timezone'],
      ...['repeated_numbers', 'countries', 'mapping', 'leased_until', 'worked_at', 'finished_at', 'tracked'],
      ...['undone_after', 'undo', 'undo_began_at', 'undone_at', 'error'],
    ],
    // The rest of its life is the worker's.
    when: `old.status <> new.status AND (new.status IN ('canceled', 'undoing') OR old.status = 'held')`,
  },
  platform_settings: {
    type: 'platform',
    id: '',
    bookkeeping: [
      ...['id', 'zone_data_version', 'zone_data_since', 'zone_data', 'zone_data_version_before'],
      ...['zone_data_before', 'zone_data_moved'],
    ],
  },
  users: {
    type: 'user',
    id: 'id',
    withheld: ['email', 'password_hash', 'oidc_issuer', 'oidc_subject', 'totp_secret', 'recovery_codes'],
    bookkeeping: ['id', 'totp_last_step', 'last_sign_in_at'],
  },
  memberships: { type: 'membership', id: 'user_id', bookkeeping: ['user_id'] },
  access_links: {
    type: 'access_link',
    id: 'user_id',
    bookkeeping: ['user_id', 'token_hash'],
  },
};

/** Long lists: one row for each statement, with how many entries. The column names the list in its team. */
const LISTS: Record<string, string[]> = {
  do_not_call: ['do_not_call'],
  whitelist: ['whitelist'],
  number_pool_members: ['number_pool_member', 'number_pool_id'],
};

/**
 * Who changed what. Rows are only added: nobody can change or remove one, except by the owner's function that keeps
 * the retention. Triggers of the tables of configuration write them, so that no path can forget one.
 */
export class AuditLog1764810000000 implements MigrationInterface {
  name = 'AuditLog1764810000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE audit_log (
      id bigint GENERATED ALWAYS AS IDENTITY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      actor_kind text NOT NULL,
      actor_id uuid,
      actor_name text,
      address text,
      team_id uuid,
      action text NOT NULL,
      target_type text NOT NULL,
      target_id text,
      before jsonb,
      after jsonb,
      CONSTRAINT pk_audit_log PRIMARY KEY (id),
      CONSTRAINT ck_audit_log_actor CHECK (actor_kind IN ('user', 'key', 'token', 'cli', 'system'))
    )`);
    await db.query('CREATE INDEX ix_audit_log_team ON audit_log (team_id, id)');
    await db.query('CREATE INDEX ix_audit_log_at ON audit_log (at)');
    await db.query('GRANT SELECT ON audit_log TO outdial_app');
    await createTriggerFunctions(db, CALLED);
    await db.query(`CREATE TRIGGER keep_audit_log BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()`);
    for (const [table, audited] of Object.entries(ROWS)) {
      const { type, id, withheld = [], bookkeeping = [], when } = audited;
      const execute = `EXECUTE FUNCTION audit_change('${type}', '${id}', '${withheld.join()}', '${bookkeeping.join()}')`;
      await db.query(
        `CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON ${table} FOR EACH ROW ${execute}`,
      );
      await db.query(`CREATE TRIGGER audit_changed_row AFTER UPDATE ON ${table} FOR EACH ROW
        WHEN (${when ?? 'old.* IS DISTINCT FROM new.*'}) ${execute}`);
    }
    for (const [table, [type, column]] of Object.entries(LISTS)) {
      const execute = `EXECUTE FUNCTION audit_list_change('${[type, ...(column === undefined ? [] : [column])].join("', '")}')`;
      for (const [event, transition] of [
        ['INSERT', 'NEW'],
        ['UPDATE', 'NEW'],
        ['DELETE', 'OLD'],
      ] as const) {
        await db.query(`CREATE TRIGGER audit_${event.toLowerCase()} AFTER ${event} ON ${table}
          REFERENCING ${transition} TABLE AS entries FOR EACH STATEMENT ${execute}`);
      }
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of Object.keys(ROWS)) {
      await db.query(`DROP TRIGGER audit_row ON ${table}`);
      await db.query(`DROP TRIGGER audit_changed_row ON ${table}`);
    }
    for (const table of Object.keys(LISTS)) {
      for (const event of ['insert', 'update', 'delete']) await db.query(`DROP TRIGGER audit_${event} ON ${table}`);
    }
    await db.query('DROP TABLE audit_log');
    await db.query(`DROP FUNCTION IF EXISTS audit_change(), audit_list_change(), keep_audit_log(),
      audited_fields(jsonb, jsonb, text[]), differing_fields(jsonb, jsonb), delete_old_audit(integer, integer),
      write_audit(uuid, text, text, text, jsonb, jsonb)`);
  }
}
