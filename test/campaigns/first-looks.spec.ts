import { FirstLooks1764100100000 } from '../../migrations/1764100100000-first-looks.js';
import { buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { PlayedCampaign } from './support/played-campaign.js';

/* The engine decides every enrollment of a version that places calls, by any build or statement. */

/** As builds enrolled that knew nothing of an engine; $1 team, $2 campaign, $3 contact, $4 version. */
const OLDER_ENROLL = `
  INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, source, created_at, updated_at)
  VALUES ($1, $2, $3, $4, NULL, now(), now()) RETURNING id`;

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

const campaignOf = (format?: null) =>
  PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'PT0S' }] }, { format });

/** An enrollment of a new contact, by a statement. */
async function enrolled(campaign: PlayedCampaign, statement = OLDER_ENROLL) {
  const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
  const [row] = await calling.db.query<{ id: string }[]>(statement, [
    caller.teamId,
    campaign.id,
    contactId,
    campaign.versionId,
  ]);
  return { id: row?.id ?? '', to };
}

test('an enrollment by an older build is called', async () => {
  const campaign = await campaignOf();
  const { id, to } = await enrolled(campaign);
  await campaign.played(worker.app, 0);
  expect(calling.dials(to)).toHaveLength(1);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
});

test('an enrollment of an older build in a version without steps: no call, and `look_at` stays null', async () => {
  const campaign = await campaignOf(null);
  const { id, to } = await enrolled(campaign);
  await campaign.played(worker.app, 0);
  expect(calling.dials(to)).toEqual([]);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', look_at: null, timeline: [] });
});

test('the migration sets a missing `look_at` where the version places calls', async () => {
  const [calls, withoutSteps] = [await campaignOf(), await campaignOf(null)];
  const unseen = OLDER_ENROLL.replace('source', 'look_at');
  const found = await enrolled(calls, unseen);
  const left = await enrolled(withoutSteps, unseen);
  await calls.played(worker.app, 0);
  expect(calling.dials(found.to)).toEqual([]);
  const runner = calling.db.createQueryRunner();
  await new FirstLooks1764100100000().up(runner).finally(() => runner.release());
  expect(await withoutSteps.row(left.id)).toMatchObject({ look_at: null });
  await calls.played(worker.app, 0);
  expect(calling.dials(found.to)).toHaveLength(1);
});
