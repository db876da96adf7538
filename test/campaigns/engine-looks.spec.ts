import { Redis } from 'ioredis';
import { engineChannel } from '../../src/queue/engine-channel.js';
import { buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { type EnrollmentRow, PlayedCampaign, runDue } from './support/played-campaign.js';
import { reportEnd } from './support/report-end.js';
import { eventually } from '../support/eventually.js';

/*
 * When the engine decides an enrollment: the first time, whatever statement enrolled, and at the end
 * of its call.
 */

/** Names none of the engine's columns; $1 team, $2 campaign, $3 contact, $4 version. */
const ENROLL = `
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
async function enrolled(campaign: PlayedCampaign) {
  const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
  const [row] = await calling.db.query<{ id: string }[]>(ENROLL, [
    caller.teamId,
    campaign.id,
    contactId,
    campaign.versionId,
  ]);
  return { id: row?.id ?? '', to };
}

test('an enrollment by a statement that does not know the engine is called', async () => {
  const campaign = await campaignOf();
  const { id, to } = await enrolled(campaign);
  await campaign.played(worker.app, 0);
  expect(calling.dials(to)).toHaveLength(1);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
});

test('such an enrollment in a version without steps: no call, and `look_at` stays null', async () => {
  const campaign = await campaignOf(null);
  const { id, to } = await enrolled(campaign);
  await campaign.played(worker.app, 0);
  expect(calling.dials(to)).toEqual([]);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', look_at: null, timeline: [] });
});

describe('the end of a call', () => {
  // The engine of these workers runs only when a test calls it, or when it is woken: its interval is longer than
  // any test.
  let campaign: PlayedCampaign;

  // It subscribes, too, and would be counted.
  beforeAll(() => worker.app.close());
  beforeEach(async () => {
    campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'PT0S' }] });
  });

  const ended = (id: string): Promise<EnrollmentRow> =>
    eventually(
      () => campaign.row(id),
      ({ status }) => status === 'completed',
    );

  test('the worker that records the end of a call decides its enrollment at once', async () => {
    const worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
    const { id } = await campaign.enroll();
    await runDue(worker);
    expect(await ended(id)).toMatchObject({ end_reason: 'reached' });
    await worker.close();
  });

  test('if the API records the end of a call, a worker decides its enrollment at once', async () => {
    const worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
    const redis = calling.api.get(Redis, { strict: false });
    await eventually(
      () => redis.pubsub('NUMSUB', engineChannel(calling.world.config)),
      ([, subscribers]) => subscribers === 1,
    );
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'completed', reports: 'none' });
    await runDue(worker);
    await reportEnd(calling, to);
    expect(await ended(id)).toMatchObject({ end_reason: 'reached' });
    await worker.close();
  });
});
