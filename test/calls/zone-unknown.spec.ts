import { HealthService } from '../../src/operations/health.service.js';
import { type UnknownZones } from '../../src/platform/unknown-zones.js';
import { MINUTE, PlayedCampaign } from '../campaigns/support/played-campaign.js';
import { OperationsClient } from '../operations/operations-client.js';
import { buildAgent, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { SweeperService } from '../../src/calls/recovery/sweeper.service.js';
import { zoneData } from '../../src/domain/zones/time-zone.js';

/*
 * Names such as BST were once accepted, and Intl takes BST for Dhaka. A person with such a zone is not called
 * by another clock.
 */

const calling = Calling.ofFile();
let worker: IdleWorker;
beforeAll(async () => {
  worker = await calling.startIdleWorker({ sweeperIntervalMs: NEVER_MS });
});

test('a trigger to a contact with an unknown zone is refused unless it names a zone', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber, timezone: 'BST' });
  const refused = await calling.trigger(caller, { phoneNumber });
  expect([refused.status, refused.body]).toMatchObject([400, { reason: 'ZONE_UNKNOWN' }]);
  const [call] = await calling.rows(caller.teamId);
  expect(call?.decisions[0]?.rules).toContainEqual({
    reason: 'ZONE_UNKNOWN',
    allow: false,
    evidence: { zone: 'BST', zoneSource: 'contact', tzdata: zoneData().version },
  });
  const accepted = await calling.trigger(caller, { phoneNumber, timezone: 'Europe/London' });
  expect(accepted.status).toBe(200);
});

test('explain says it', async () => {
  const caller = await buildCaller(calling.db, {}, { timezone: 'BST' });
  const answer = await calling
    .http()
    .post(`/api/voice-agents/${caller.agentId}/calls/explain`)
    .set(bearer(caller.apiKey))
    .send({ phoneNumber: nextNumber() });
  expect(answer.body).toMatchObject({
    wouldBe: 'refused',
    reason: 'ZONE_UNKNOWN',
    zones: ['BST'],
    zoneSource: 'agent',
    firstAllowedAt: null,
  });
});

test('a pending call waits until the zone is corrected', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber });
  await calling.db.query(`UPDATE voice_agents SET timezone = 'BST' WHERE id = $1`, [caller.agentId]);
  expect(await worker.fire(id)).toEqual({ kind: 'put_off', delayMs: 60_000 });
  expect(await calling.row(id)).toMatchObject({ status: 'queued', claimed_at: null });
  await calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
    timezone: 'UTC',
  });
  expect((await worker.fire(id)).kind).toBe('claimed');
});

test('a pending call whose zone is not corrected expires', async () => {
  const caller = await buildCaller(calling.db);
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.db.query(`UPDATE voice_agents SET timezone = 'EST' WHERE id = $1`, [caller.agentId]);
  expect((await worker.fire(id)).kind).toBe('put_off');
  await moveClock(calling.db, '25 hours');
  await worker.app.get(SweeperService).sweep();
  expect((await calling.row(id)).status).toBe('expired');
});

test('readiness and the page of the system count what has or waits for an unknown zone', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  const { id } = await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber });
  await calling.accepted(caller, { phoneNumber });
  // A probe keeps its answer for seconds, so the answers are those of two processes.
  const before = await unknownZones();
  await calling.db.query(`UPDATE contacts SET timezone = 'BST' WHERE id = $1`, [id]);
  await buildAgent(calling.db, caller.teamId, { timezone: 'BST' });
  const after = await unknownZones();
  expect(after).toEqual({
    ...before,
    agents: before.agents + 1,
    contacts: before.contacts + 1,
    calls: before.calls + 1,
  });
  const page = await (await OperationsClient.signedIn(calling.api)).page('/platform/health');
  expect(page).toContain(`Zone data ${zoneData().version}`);
  expect(page).toContain('They are not called until the zone is corrected');
});

test('readiness counts the enrollments that are held by an unknown zone, until it is corrected', async () => {
  const caller = await buildCaller(calling.db);
  const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
  await moveClock(calling.db, '0');
  const before = await unknownZones();
  const held = await campaign.enroll({ timezone: 'BST' });
  const other = await campaign.enroll({ timezone: 'Europe/London' });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(held.id)).toMatchObject({ status: 'active', waiting_for: 'zone' });
  expect(calling.dials(held.to)).toEqual([]);
  expect(calling.dials(other.to)).toHaveLength(1);
  expect(await unknownZones()).toEqual({
    ...before,
    contacts: before.contacts + 1,
    enrollments: before.enrollments + 1,
  });
  await calling
    .http()
    .patch(`/api/contacts/${held.contactId}`)
    .set(bearer(caller.apiKey))
    .send({ timezone: 'Europe/London' })
    .expect(200);
  await campaign.at(worker.app, 2 * MINUTE);
  expect(calling.dials(held.to)).toHaveLength(1);
  expect(await unknownZones()).toEqual(before);
});

async function unknownZones(): Promise<UnknownZones> {
  const process = await calling.startIdleWorker({ sweeperIntervalMs: NEVER_MS });
  const health = process.app.get(HealthService);
  const counted = await eventually(
    async () => (await health.readiness()).zoneData.unknown,
    // The count may take longer than readiness waits for it.
    (unknown) => unknown !== null,
  );
  return counted!;
}
