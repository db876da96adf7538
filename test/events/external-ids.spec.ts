import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { pageBy } from '../lists/list-client.js';
import { buildCall, buildCampaign, buildContact, buildEnrollment, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { FeedReader } from './feed-client.js';

/* Calls, enrollments and their events show the external id of the contact, and the campaign. */

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  worker = await calling.startIdleWorker();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

const events = async () => new FeedReader(calling, caller).news();
const patch = (contactId: string, body: object) =>
  calling.http().patch(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).send(body).expect(200);

/** A call of an enrollment, which has ended. */
async function calledByCampaign() {
  const contact = await buildContact(calling.db, caller.teamId, { external_id: 'crm-4711' });
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, contact_id: contact.id };
  const enrollment = await buildEnrollment(calling.db, {
    ...keys,
    version_id: campaign.current_version_id,
  });
  const now = new Date();
  const call = await buildCall(
    calling.db,
    {
      team_id: caller.teamId,
      agent_id: caller.agentId,
      contact_id: contact.id,
      phone_number: contact.phone_number,
    },
    {
      enrollment_id: enrollment.id,
      status: 'in_progress',
      claimed_at: now,
      processed_at: now,
      caller_id: caller.callerNumber,
    },
  );
  const outcome = { to: 'completed', cause: 'carrier_report', answeredAt: now } as const;
  await worker.app.get(OutcomeService).apply(call.id, outcome);
  return {
    contactId: contact.id,
    enrollmentId: enrollment.id,
    campaignId: campaign.id,
    callRequestId: call.id,
    phoneNumber: contact.phone_number,
  };
}

test('a call of a campaign: its list, its export, its event, and those of its enrollment', async () => {
  const { callRequestId, phoneNumber, ...ids } = await calledByCampaign();
  const shown = { ...ids, externalId: 'crm-4711' };
  const call = { callRequestId, phoneNumber, ...shown };
  expect((await calling.get(caller, callRequestId)).body).toMatchObject(call);
  expect((await pageBy(calling, caller, '/api/calls')).items).toMatchObject([call]);
  const list = `/api/campaigns/enrollments?contactId=${ids.contactId}`;
  expect((await pageBy(calling, caller, list)).items).toMatchObject([shown]);
  const ofCampaign = `/api/campaigns/${ids.campaignId}/enrollments`;
  expect((await pageBy(calling, caller, ofCampaign)).items).toMatchObject([shown]);
  const one = await calling
    .http()
    .get(`/api/campaigns/enrollments/${ids.enrollmentId}`)
    .set(bearer(caller.apiKey));
  expect(one.body).toMatchObject(shown);
  const csv = await calling.http().get('/api/calls/export').set(bearer(caller.apiKey)).expect(200);
  const [header, row] = csv.text.split('\r\n').map((line) => line.split(','));
  expect(Object.fromEntries(header!.map((name, n) => [name, row?.[n]]))).toMatchObject(call);
  const told = await events();
  expect(told.find(({ type }) => type === 'enrollment.created')?.data).toMatchObject(shown);
  expect(told.find(({ type }) => type === 'call.ended')?.data).toMatchObject(call);
});

test('the operator’s lists show both, too', async () => {
  const { callRequestId, contactId, enrollmentId, campaignId } = await calledByCampaign();
  const shown = { contactId, enrollmentId, campaignId, externalId: 'crm-4711' };
  const path = `/teams/${caller.teamId}`;
  const calls = await calling.operator('get', `${path}/calls`).expect(200);
  expect(calls.body).toMatchObject({ items: [{ callRequestId, ...shown }] });
  const one = await calling.operator('get', `${path}/calls/${callRequestId}`).expect(200);
  expect(one.body).toMatchObject(shown);
});

test('a triggered call has no campaign, and null without an external id', async () => {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  expect((await calling.get(caller, id)).body).toMatchObject({
    externalId: null,
    enrollmentId: null,
    campaignId: null,
  });
});

test('an opt-out has the external id', async () => {
  const contact = await buildContact(calling.db, caller.teamId, { external_id: 'crm-4711' });
  const body = { phoneNumbers: [contact.phone_number] };
  await calling.http().post('/api/do-not-call').set(bearer(caller.apiKey)).send(body).expect(201);
  expect((await events()).at(-1)?.data).toMatchObject({ contactId: contact.id, externalId: 'crm-4711' });
});

test('events show the external id that the contact has now, and none after its erasure', async () => {
  const { contactId, phoneNumber } = await calledByCampaign();
  const body = { phoneNumbers: [phoneNumber] };
  await calling.http().post('/api/do-not-call').set(bearer(caller.apiKey)).send(body).expect(201);
  await patch(contactId, { externalId: 'crm-4712' });
  const shown = async () =>
    Object.fromEntries((await events()).map(({ type, data }) => [type, data.externalId]));
  expect(await shown()).toMatchObject({ 'call.ended': 'crm-4712', 'enrollment.created': 'crm-4712' });
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  expect(new Set(Object.values(await shown()))).toEqual(new Set([null]));
  expect(JSON.stringify(await events())).not.toContain('crm-471');
});
