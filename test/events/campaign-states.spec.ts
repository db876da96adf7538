import { CampaignStatesService } from '../../src/events/outbox/campaign-states.service.js';
import { buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { stopClock } from '../support/clock.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { FeedReader } from './feed-client.js';

/* The events of campaigns that have finished or stalled. Each test has a team, whose events alone it reads. */

const START = Date.parse('2026-11-20T14:00:00Z');

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;
let reader: FeedReader;
let campaign: { id: string; current_version_id: string };
let now = START;

beforeAll(async () => {
  calling = await Calling.start();
  worker = await calling.startIdleWorker();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
  campaign = await buildCampaign(calling.db, caller.teamId, { status: 'active' });
  reader = new FeedReader(calling, caller);
  await after(0);
});

/** Looks at the campaigns some seconds later. */
async function after(seconds: number): Promise<void> {
  now += seconds * 1000;
  await stopClock(calling.db, new Date(now).toISOString());
  await worker.app.get(CampaignStatesService, { strict: false }).tell();
}

/** The new events about campaigns. */
async function told(): Promise<[string, string | undefined][]> {
  const events = await reader.news();
  return events
    .filter(({ type }) => type.startsWith('campaign.'))
    .map(({ type, data }) => [type, (data as { rule?: string }).rule]);
}

async function enroll(waitingFor: string | null): Promise<string> {
  const { id: contact_id } = await buildContact(calling.db, caller.teamId);
  const keys = {
    team_id: caller.teamId,
    campaign_id: campaign.id,
    contact_id,
    version_id: campaign.current_version_id,
  };
  const row = { waiting_for: waitingFor, look_at: null };
  return (await buildEnrollment(calling.db, keys, row)).id;
}

const set = (column: 'waiting_for' | 'status', value: string) =>
  calling.db.query(`UPDATE enrollments SET ${column} = $2 WHERE campaign_id = $1`, [campaign.id, value]);

test('a campaign has finished when no enrollment was live for a minute, once', async () => {
  await after(600);
  expect(await told()).toEqual([]);
  await enroll('retry');
  await after(600);
  expect(await told()).toEqual([]);
  await set('status', 'completed');
  await after(10);
  await after(59);
  expect(await told()).toEqual([]);
  await after(1);
  expect(await told()).toEqual([['campaign.finished', undefined]]);
  await after(600);
  expect(await told()).toEqual([]);
});

test('after further enrollments it finishes again, even if none was seen live', async () => {
  await enroll('retry');
  await set('status', 'completed');
  await after(1);
  await after(60);
  await enroll('retry');
  await set('status', 'exited');
  await after(1);
  await after(60);
  expect(await told()).toEqual([
    ['campaign.finished', undefined],
    ['campaign.finished', undefined],
  ]);
});

test('a new enrollment restarts the 60 seconds before campaign.finished', async () => {
  await enroll('retry');
  await set('status', 'completed');
  await after(1);
  await enroll('retry');
  await after(58);
  await set('status', 'completed');
  await after(3);
  await after(59);
  expect(await told()).toEqual([]);
});

test('a campaign has stalled when only a change helps all its enrollments for five minutes, once for each rule', async () => {
  await enroll('caller_id');
  await after(1);
  await after(299);
  expect(await told()).toEqual([]);
  await after(1);
  expect(await told()).toEqual([['campaign.stalled', 'caller_id']]);
  await enroll('caller_id');
  await after(600);
  expect(await told()).toEqual([]);
  await set('waiting_for', 'PLAN_LIMIT');
  await after(1);
  await after(300);
  expect(await told()).toEqual([['campaign.stalled', 'PLAN_LIMIT']]);
});

test.each(['hours', 'retry', 'after', 'RECENTLY_CALLED', 'concurrency', 'in_call', null])(
  'an enrollment that waits for %s does not let a campaign stall',
  async (waitingFor) => {
    await enroll('zone');
    await enroll(waitingFor);
    await after(1);
    await after(43_200);
    expect(await told()).toEqual([]);
  },
);

test('a pause of the team stalls its campaigns, and a pause of the campaign itself does not', async () => {
  await enroll('hours');
  const pause = (paused: boolean) =>
    calling.db.query('UPDATE teams SET paused = $2 WHERE id = $1', [caller.teamId, paused]);
  await pause(true);
  await after(1);
  await after(300);
  expect(await told()).toEqual([['campaign.stalled', 'paused']]);
  await pause(false);
  await after(1);
  await calling.db.query(`UPDATE campaigns SET status = 'paused' WHERE id = $1`, [campaign.id]);
  await after(1);
  await after(600);
  expect(await told()).toEqual([['campaign.paused', undefined]]);
});
