import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A transaction may be about requests of several teams. See docs/decisions/row-level-security.md. */
export class PoliciesOfSeveralTeams1763841000000 implements MigrationInterface {
  name = 'PoliciesOfSeveralTeams1763841000000';

  /**
   * Each statement commits by itself: together they would lock every table, one after the other, under the
   * processes that are at work. For one team both policies say the same, so that half of them is no harm, nor
   * is a second time.
   */
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [table, team] of Object.entries(TABLES)) {
      await db.query(`ALTER POLICY own_team ON ${table} USING (${team} = ANY ((SELECT ${TEAMS})::uuid[]))`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [table, team] of Object.entries(TABLES)) {
      await db.query(`ALTER POLICY own_team ON ${table} USING (${team} = (SELECT ${TEAM}))`);
    }
  }
}

const TEAM = `nullif(current_setting('outdial.team_id', true), '')::uuid`;
const TEAMS = `string_to_array(current_setting('outdial.team_id', true), ',')::uuid[]`;

/** Every table with the policy, and the column that says whose a row is. */
const TABLES = {
  teams: 'id',
  api_keys: 'team_id',
  phone_numbers: 'team_id',
  number_pools: 'team_id',
  number_pool_members: 'team_id',
  voice_agents: 'team_id',
  contacts: 'team_id',
  campaigns: 'team_id',
  campaign_versions: 'team_id',
  enrollments: 'team_id',
  do_not_call: 'team_id',
  whitelist: 'team_id',
  plan_usage: 'team_id',
  call_requests: 'team_id',
  idempotency_keys: 'team_id',
};
