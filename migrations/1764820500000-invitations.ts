import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What an invitation gives. The person has it only once the link is used, so that who invites an address gains nothing
 * from an account of that address that somebody else made before.
 */
export class Invitations1764820500000 implements MigrationInterface {
  name = 'Invitations1764820500000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE access_links
      ADD COLUMN team_id uuid,
      ADD COLUMN role text`);
    // An earlier invitation says nothing of a team, and another can be made.
    await db.query(`DELETE FROM access_links WHERE kind = 'invite'`);
    await db.query(`ALTER TABLE access_links
      ADD CONSTRAINT fk_access_links_team FOREIGN KEY (team_id) REFERENCES teams (id),
      ADD CONSTRAINT ck_access_links_role CHECK (role IN ('viewer', 'manager', 'admin', 'operator')),
      ADD CONSTRAINT ck_access_links_invite CHECK ((kind = 'invite') = (role IS NOT NULL)),
      ADD CONSTRAINT ck_access_links_scope CHECK ((team_id IS NOT NULL) = (role IS NOT NULL AND role <> 'operator'))`);
    await db.query('CREATE INDEX ix_access_links_team ON access_links (team_id)');
    await db.query('CREATE INDEX ix_access_links_expires ON access_links (expires_at)');
    await db.query('CREATE INDEX ix_sessions_last_seen ON sessions (last_seen_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    // The policy names the column.
    await db.query('DROP POLICY IF EXISTS own_team ON access_links');
    await db.query('DROP POLICY IF EXISTS every_team ON access_links');
    await db.query('ALTER TABLE access_links NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY');
    await db.query('DROP INDEX ix_sessions_last_seen, ix_access_links_expires, ix_access_links_team');
    await db.query(`ALTER TABLE access_links
      DROP CONSTRAINT ck_access_links_scope,
      DROP CONSTRAINT ck_access_links_invite,
      DROP CONSTRAINT ck_access_links_role,
      DROP CONSTRAINT fk_access_links_team,
      DROP COLUMN role,
      DROP COLUMN team_id`);
  }
}
