import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The arguments of the audit log's triggers: columns whose change alone it does not tell. */
const BOOKKEEPING = [
  "'id,totp_last_step,last_sign_in_at'",
  "'id,totp_last_step,last_sign_in_at,last_team_id'",
];

/** The team whose pages a person saw last, where the person begins after the next sign-in. */
export class LastTeam1764908000000 implements MigrationInterface {
  name = 'LastTeam1764908000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE users ADD COLUMN last_team_id uuid');
    const [before = '', after = ''] = BOOKKEEPING;
    await replaceInTriggers(db, before, after);
  }

  async down(db: QueryRunner): Promise<void> {
    const [before = '', after = ''] = BOOKKEEPING;
    await replaceInTriggers(db, after, before);
    await db.query('ALTER TABLE users DROP COLUMN last_team_id');
  }
}

async function replaceInTriggers(db: QueryRunner, before: string, after: string): Promise<void> {
  const triggers = (await db.query(
    `SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger
     WHERE tgrelid = 'users'::regclass AND tgname IN ('audit_row', 'audit_changed_row')`,
  )) as { name: string; definition: string }[];
  for (const { name, definition } of triggers) {
    await db.query(`DROP TRIGGER ${name} ON users`);
    await db.query(definition.replace(before, after));
  }
}
