import { Redis } from 'ioredis';
import { CarrierReportsService } from '../../src/calls/dial/carrier-reports.service.js';
import { engineChannel } from '../../src/queue/engine-channel.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { type EnrollmentRow, PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * The engine of these workers runs only when a test calls it, or when it is woken: its interval is longer
 * than any test.
 */

const calling = Calling.ofFile();
let campaign: PlayedCampaign;

beforeEach(async () => {
  const caller = await buildCaller(calling.db);
  campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'PT0S' }] });
});

const ended = (id: string): Promise<EnrollmentRow> =>
  eventually(
    () => campaign.row(id),
    ({ status }) => status === 'completed',
  );

async function callOf(id: string): Promise<string> {
  const [dial] = await calling.db.query<{ call_request_id: string }[]>(
    'SELECT call_request_id FROM enrollment_dials WHERE enrollment_id = $1',
    [id],
  );
  return dial?.call_request_id ?? '';
}

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
  const callRequestId = await callOf(id);
  const reports = calling.api.get(CarrierReportsService, { strict: false });
  const [dial] = calling.dials(to);
  const event = {
    callRequestId,
    carrierCallId: dial?.carrierCallId ?? '',
    status: 'completed',
    at: new Date(),
  } as const;
  expect(await reports.record('simulator', event)).toBe('moved');
  expect(await ended(id)).toMatchObject({ end_reason: 'reached' });
  await worker.close();
});
