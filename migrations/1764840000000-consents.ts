import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTriggerFunctions } from '../src/database/repeatable.js';

/**
 * The ledger of consents. Its rows are only added: an end is a row of its own, and the role of the processes can
 * neither change nor remove a row. Every row that is added to Do Not Call, also for a number that is on the list
 * already, adds the end of the consents of its number. So no path can forget it, and the removal of the number from
 * the list revives nothing. The ledger has no foreign key to the teams, so that it never is truncated with them.
 */
export class Consents1764840000000 implements MigrationInterface {
  name = 'Consents1764840000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(String.raw`CREATE TABLE consents (
      id uuid NOT NULL DEFAULT uuidv7(),
      team_id uuid NOT NULL,
      phone_number text NOT NULL,
      level text NOT NULL,
      purpose text,
      voice text,
      source text,
      evidence text,
      granted_at timestamptz NOT NULL,
      expires_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT pk_consents PRIMARY KEY (id),
      CONSTRAINT uq_consents_team_id UNIQUE (team_id, id),
      CONSTRAINT ck_consents_number CHECK (phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'),
      CONSTRAINT ck_consents_level CHECK (level IN ('express', 'expressWritten')),
      CONSTRAINT ck_consents_purpose CHECK (purpose IN ('marketing', 'informational', 'debt', 'survey')),
      CONSTRAINT ck_consents_voice CHECK (voice IN ('ai', 'prerecorded', 'live')),
      CONSTRAINT ck_consents_expires CHECK (expires_at > granted_at)
    )`);
    await db.query('CREATE INDEX ix_consents_number ON consents (team_id, phone_number, granted_at)');
    await db.query('CREATE INDEX ix_consents_listing ON consents (team_id, created_at, id)');
    await db.query('CREATE INDEX ix_consents_expires ON consents (expires_at) WHERE expires_at IS NOT NULL');
    await db.query(String.raw`CREATE TABLE consent_endings (
      id uuid NOT NULL DEFAULT uuidv7(),
      team_id uuid NOT NULL,
      phone_number text NOT NULL,
      consent_id uuid,
      ended_at timestamptz NOT NULL,
      reason text,
      created_at timestamptz NOT NULL,
      CONSTRAINT pk_consent_endings PRIMARY KEY (id),
      CONSTRAINT fk_consent_endings_consent FOREIGN KEY (team_id, consent_id) REFERENCES consents (team_id, id),
      CONSTRAINT ck_consent_endings_number CHECK (phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$')
    )`);
    await db.query(
      'CREATE INDEX ix_consent_endings_number ON consent_endings (team_id, phone_number, ended_at)',
    );
    await db.query(
      'CREATE INDEX ix_consent_endings_consent ON consent_endings (team_id, consent_id) WHERE consent_id IS NOT NULL',
    );
    await db.query('CREATE INDEX ix_consent_endings_ended ON consent_endings (ended_at)');
    await db.query('GRANT SELECT, INSERT ON consents, consent_endings TO outdial_app');
    await createTriggerFunctions(db);
    for (const table of ['consents', 'consent_endings'])
      await db.query(`CREATE TRIGGER keep_consents BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION keep_consents()`);
    for (const [event, transition] of [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ] as const)
      await db.query(`CREATE TRIGGER audit_${event.toLowerCase()} AFTER ${event} ON consents
        REFERENCING ${transition} TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('consent')`);
    await db.query(`CREATE TRIGGER audit_revocation AFTER INSERT ON consent_endings FOR EACH ROW
      WHEN (new.consent_id IS NOT NULL) EXECUTE FUNCTION audit_revocation()`);
    await db.query(`CREATE TRIGGER end_consents_of_listed BEFORE INSERT ON do_not_call
      FOR EACH ROW EXECUTE FUNCTION end_consents_of_listed()`);
    // A consent that is recorded from now on may have been given before the number was listed.
    await db.query(`INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
      SELECT team_id, phone_number, created_at, now() FROM do_not_call`);
    await db.query(`ALTER TABLE imports DROP CONSTRAINT ck_imports_type,
      ADD CONSTRAINT ck_imports_type CHECK (type IN ('contacts', 'suppressions', 'consents'))`);
  }

  /** Imports of consents that have not ended are canceled, and all of them are shown as imports of contacts. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS take_consents(interval)');
    await db.query(`UPDATE imports SET status = 'canceled', finished_at = now(), leased_until = NULL
      WHERE type = 'consents' AND finished_at IS NULL`);
    await db.query(`UPDATE imports SET type = 'contacts' WHERE type = 'consents'`);
    await db.query(`ALTER TABLE imports DROP CONSTRAINT ck_imports_type,
      ADD CONSTRAINT ck_imports_type CHECK (type IN ('contacts', 'suppressions'))`);
    await db.query('DROP TRIGGER end_consents_of_listed ON do_not_call');
    await db.query(`DROP FUNCTION IF EXISTS consents_of(uuid, text[], timestamptz),
      endings_of_consent(uuid, text[], uuid, timestamptz), end_consents(uuid, text[], timestamptz),
      erase_consents(uuid, text, text), erase_consent_endings(uuid, text, text), delete_old_consents(integer, integer)`);
    await db.query('DROP TABLE consent_endings, consents');
    await db.query('DROP FUNCTION IF EXISTS keep_consents(), audit_revocation(), end_consents_of_listed()');
  }
}
