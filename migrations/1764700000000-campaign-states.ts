import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What campaigns have come to, for the events `campaign.finished` and `campaign.stalled`. */
export class CampaignStates1764700000000 implements MigrationInterface {
  name = 'CampaignStates1764700000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE campaign_states (
        campaign_id uuid NOT NULL,
        team_id uuid NOT NULL,
        state text,
        rule text,
        enrolled integer NOT NULL,
        since timestamptz NOT NULL,
        told_at timestamptz,
        CONSTRAINT pk_campaign_states PRIMARY KEY (campaign_id),
        CONSTRAINT ck_campaign_states_state CHECK (state IN ('finished', 'stalled')),
        CONSTRAINT fk_campaign_states_campaign FOREIGN KEY (team_id, campaign_id)
          REFERENCES campaigns (team_id, id)
      )`);
    await db.query('GRANT SELECT ON campaign_states TO outdial_app');
    // Campaigns that finished before this version get no event.
    await db.query(`
      INSERT INTO campaign_states (campaign_id, team_id, state, enrolled, since, told_at)
      SELECT c.campaign_id, c.team_id, 'finished', sum(c.n), now(), now()
      FROM (
        SELECT campaign_id, team_id, kind, n FROM campaign_counts WHERE kind IN ('live', 'ended')
        UNION ALL
        SELECT campaign_id, team_id, kind, n FROM campaign_count_changes WHERE kind IN ('live', 'ended')) c
      GROUP BY c.campaign_id, c.team_id
      HAVING sum(c.n) > 0 AND coalesce(sum(c.n) FILTER (WHERE c.kind = 'live'), 0) = 0`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS tell_campaign_states');
    await db.query('DROP TABLE campaign_states');
  }
}
