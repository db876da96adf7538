import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { miscounted } from '../campaigns/support/recount.js';
import { buildCampaign, buildContact, buildEnrollment, buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildDials } from '../support/enrollment-builders.js';

const MIGRATION = 'CampaignCounts1764110100000';

let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('the migration counts existing enrollments once, also those that are written meanwhile', async () => {
  const { id: team } = await buildTeam(db);
  const campaign = await buildCampaign(db, team);
  const enroll = async (row: object = {}) => {
    const { id: contactId } = await buildContact(db, team);
    const version = campaign.current_version_id;
    const keys = { team_id: team, campaign_id: campaign.id, contact_id: contactId, version_id: version };
    const { id } = await buildEnrollment(db, keys, { ...row });
    return { id, team, campaignId: campaign.id, contactId };
  };
  await enroll({ status: 'active', waiting_for: 'retry' });
  await buildDials(db, await enroll({ status: 'completed', end_reason: 'reached' }), ['busy', 'completed']);
  await buildDials(db, await enroll({ status: 'active', waiting_for: 'outcome' }), ['dial_unknown']);
  for (let reverted: string[] = []; !reverted.includes(MIGRATION);) {
    reverted = await migrate(database.url, 'revert');
    if (reverted.length === 0) throw new Error('never reverted');
  }

  let migrating = true;
  let written = 0;
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (migrating) {
        const { id } = await enroll();
        await db.query(`UPDATE enrollments SET waiting_for = 'after' WHERE id = $1`, [id]);
        written += 1;
      }
    }),
  );
  expect(await migrate(database.url)).toContain(MIGRATION);
  migrating = false;
  await writing;
  expect(written).toBeGreaterThan(0);
  expect(await miscounted(db)).toEqual([]);
});
