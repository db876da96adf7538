import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When a voice agent was deleted: the row stays for the calls that name it. Added without a rewrite. */
export class DeletedAgents1764110000000 implements MigrationInterface {
  name = 'DeletedAgents1764110000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE voice_agents ADD COLUMN deleted_at timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE voice_agents DROP COLUMN deleted_at');
  }
}
