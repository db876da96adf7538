import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { OperationsClient, section, textOf } from '../operations/operations-client.js';
import { fresh } from '../operations/samples.js';

const NOW = '2026-11-20T15:00:00.000Z';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  await stopClock(world.db, NOW);
  pages = await OperationsClient.signedIn(app);
});
afterAll(() => world.close());

const minutesAgo = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000);

async function campaignDue(
  name: string,
  minutes: number[],
  row: Record<string, unknown> = {},
): Promise<string> {
  const { teamId } = await buildCaller(world.db, { name: `Team of ${name}` });
  const campaign = await buildCampaign(world.db, teamId, { name, ...row });
  for (const ago of minutes) {
    const { id: contact } = await buildContact(world.db, teamId);
    const keys = { team_id: teamId, campaign_id: campaign.id, contact_id: contact };
    await buildEnrollment(
      world.db,
      { ...keys, version_id: campaign.current_version_id },
      { look_at: minutesAgo(ago), waiting_for: 'concurrency' },
    );
  }
  return campaign.id;
}

test('people due in campaigns are shown with their lateness, and a campaign that calls none of them stands out', async () => {
  expect(section(await pages.page('/platform'), 'tile-campaigns')).toMatch(/Due in campaigns.* None/);
  const stalled = await campaignDue('Reminders', [25, 5, -10]);
  await campaignDue('Surveys', [2]);
  await campaignDue('Held', [90], { status: 'paused' });
  const page = await pages.page('/platform');
  expect(section(page, 'tile-campaigns')).toContain('Due in campaigns, the first for 25 min 3');
  const campaigns = section(page, 'campaigns');
  expect(campaigns).toMatch(/Reminders No call for 10 minutes Team of Reminders 2 25 min 0 – Surveys/);
  expect(campaigns).not.toContain('Held');
  expect(page).toContain(`data-campaign="${stalled}"`);
  expect(textOf(page)).toContain('People due');
  expect(await fresh(app)).toMatchObject({
    outdial_campaign_due_enrollments: 3,
    outdial_campaign_overdue_seconds: 25 * 60,
    outdial_campaigns_stalled: 1,
  });
});
