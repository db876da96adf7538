import { randomBytes } from 'node:crypto';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { buildProcessedCall, contactIdOf } from '../support/number-history.js';
import { PlayedCampaign } from './support/played-campaign.js';

/* Caps of campaigns count the calls of a contact that was erased and came back, also those beyond 30 days. */

const calling = Calling.ofFile({ erasureKey: randomBytes(16).toString('hex') });
const worker = calling.idleWorkerOfFile();

beforeEach(() => moveClock(calling.db, '0 seconds'));

const DAY_MS = 86_400_000;

test.each([
  ['perNumber', { perNumber: [{ count: 1, per: 'P90D' }] }],
  ['afterConversation', { afterConversation: 'P90D' }],
])('%s counts the calls of an erased contact that was stored again', async (_, caps) => {
  const caller = await buildCaller(calling.db);
  const campaign = await PlayedCampaign.build(calling, caller, {
    steps: [{ key: 'first', after: 'PT0S' }],
    caps,
  });
  const to = nextNumber();
  await buildProcessedCall(calling.db, caller, to, '60 days');
  const contactId = await contactIdOf(calling.db, caller.teamId, to);
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  const { id } = await campaign.enroll({ phone_number: to });
  await campaign.at(worker.app, 0);
  expect(calling.dials(to)).toEqual([]);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'active', waiting_for: 'caps' });
  const until = Date.now() + 30 * DAY_MS;
  expect(Math.abs((row.next_attempt_at?.getTime() ?? 0) - until)).toBeLessThan(DAY_MS);
});
