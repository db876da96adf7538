import { Ledger } from '../support/consent-ledger.js';
import { bearer, Calling } from '../support/calling.js';
import { buildCall, buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

const calling = Calling.ofFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

interface Export {
  exportedAt: string;
  contact: Record<string, unknown>;
  calls: Record<string, unknown>[];
  enrollments: Record<string, unknown>[];
  doNotCall: Record<string, unknown>[];
  whitelist: Record<string, unknown>[];
}

const exportOf = (by: Caller, contactId: string) =>
  calling.http().get(`/api/contacts/${contactId}/export`).set(bearer(by.apiKey));

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

async function calls(contact: { id: string; phone_number: string }, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, n));
    const call = await buildCall(
      calling.db,
      {
        team_id: caller.teamId,
        agent_id: caller.agentId,
        contact_id: contact.id,
        phone_number: contact.phone_number,
      },
      {
        status: 'completed',
        accepted_at: at,
        claimed_at: at,
        processed_at: at,
        ended_at: at,
        caller_id: caller.callerNumber,
        prompt: `Say ${n}`,
        variables: { order: n, big: 'x'.repeat(1_000) },
      },
    );
    ids.push(call.id);
  }
  return ids;
}

test('the export of a person is JSON with all of their data', async () => {
  const contact = await buildContact(calling.db, caller.teamId, {
    name: 'Ada "the first" Lovelace',
    email: 'ada@example.com',
    custom_properties: { plan: 'gold', weight: 1.5, nothing: null },
  });
  // More than two pages.
  const ids = await calls(contact, 60);
  const campaign = await buildCampaign(calling.db, caller.teamId, { name: 'Autumn' });
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, contact_id: contact.id };
  const enrollment = await buildEnrollment(calling.db, keys, {
    version_id: campaign.current_version_id,
    source: 'crm',
  });
  const ledger = new Ledger(calling);
  const consent = await ledger.recorded(caller, contact.phone_number, { evidence: 'folder 7' });
  await ledger.revoke(caller, consent.id, { reason: 'asked' }).expect(200);
  const list = { phoneNumbers: [contact.phone_number] };
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { ...list, reason: 'asked' });
  await calling.operated('post', `/teams/${caller.teamId}/whitelist`, list);

  const answer = await exportOf(caller, contact.id).expect(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = answer.body as Export;
  expect(body).toMatchObject({
    exportedAt: INSTANT,
    contact: {
      contactId: contact.id,
      phoneNumber: contact.phone_number,
      name: 'Ada "the first" Lovelace',
      email: 'ada@example.com',
      customProperties: { plan: 'gold', weight: 1.5, nothing: null },
      createdAt: INSTANT,
    },
    enrollments: [{ enrollmentId: enrollment.id, campaign: 'Autumn', status: 'exited', source: 'crm' }],
    doNotCall: [{ phoneNumber: contact.phone_number, reason: 'asked', createdAt: INSTANT }],
    consents: [
      {
        id: consent.id,
        phoneNumber: contact.phone_number,
        level: 'express',
        source: 'letter',
        evidence: 'folder 7',
        expiresAt: null,
      },
    ],
    consentEndings: [
      { consentId: consent.id, reason: 'asked', endedAt: INSTANT },
      { consentId: null, reason: null, endedAt: INSTANT },
    ],
    whitelist: [{ phoneNumber: contact.phone_number, createdAt: INSTANT }],
  });
  expect(body.calls.map(({ callRequestId }) => callRequestId)).toEqual(ids);
  expect(body.calls[7]).toMatchObject({
    status: 'completed',
    acceptedAt: '2026-01-01T00:07:00.000Z',
    prompt: 'Say 7',
    variables: { order: 7 },
    history: [{ to: 'queued' }],
  });
});

test('the export of a person with little data', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  const body = (await exportOf(caller, contact.id).expect(200)).body as unknown;
  expect(body).toMatchObject({ calls: [], enrollments: [], doNotCall: [], whitelist: [], consents: [] });
});

test('404 for another team’s contact and for what is none', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  const other = await buildCaller(calling.db);
  await exportOf(other, contact.id).expect(404, { error: 'Contact not found' });
  await exportOf(caller, 'none').expect(404);
  await calling.http().get(`/api/contacts/${contact.id}/export`).expect(401);
});
