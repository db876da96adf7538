import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { buildCampaign, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';

// No worker runs here: what is accepted stays as it was accepted.
const calling = Calling.ofFile();

type Warnings = { warnings?: { key: string; text: string }[] };

const post = (apiKey: string, path: string, body: object, headers: Record<string, string> = {}) =>
  calling
    .http()
    .post(path)
    .set({ ...bearer(apiKey), ...headers })
    .send(body);

const keysOf = ({ body }: Response) => (body as Warnings).warnings?.map(({ key }) => key);

describe('keys that look like a field', () => {
  test('on the call endpoint: warned about, and passed on as variables all the same', async () => {
    const caller = await buildCaller(calling.db);
    const near = {
      timeZone: 'UTC',
      full_name: 'Ada',
      from: '+14155550100',
      scheduledAt: '2030-01-01T09:00:00Z',
    };
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber(), ...near, topic: 'x' });
    expect(answer.status).toBe(200);
    expect(keysOf(answer)).toEqual(Object.keys(near));
    const [row] = await calling.rows(caller.teamId);
    expect(row).toMatchObject({ status: 'queued', variables: { ...near, topic: 'x' } });
    const plain = await calling.trigger(caller, { phoneNumber: nextNumber(), topic: 'x' });
    expect(Object.keys(plain.body as object)).toEqual(['success', 'callRequestId', 'contactId']);
  });

  test('on the contact endpoints: warned about, and stored as custom properties all the same', async () => {
    const { apiKey } = await buildCaller(calling.db);
    const near = { campaign_id: randomUUID(), timeZone: 'UTC', fullName: 'Ada', phone_number: '1' };
    for (const path of ['/api/contacts', '/api/campaigns/contact-enrollments']) {
      const answer = await post(apiKey, path, { phoneNumber: nextNumber(), ...near, plan: 'gold' });
      expect(keysOf(answer)).toEqual(Object.keys(near));
      const { contactId } = answer.body as { contactId: string };
      const stored = await calling.http().get(`/api/contacts/${contactId}`).set(bearer(apiKey));
      expect(stored.body).toMatchObject({ name: null, customProperties: { ...near, plan: 'gold' } });
      const plain = await post(apiKey, path, { phoneNumber: nextNumber(), plan: 'gold' });
      expect(Object.keys(plain.body as object)).toEqual(['message', 'contactId']);
    }
  });

  test('on the enrollment endpoint', async () => {
    const { apiKey, teamId } = await buildCaller(calling.db);
    const { id: campaignId } = await buildCampaign(calling.db, teamId);
    const ids = async () => ({ contactId: (await buildContact(calling.db, teamId)).id, campaignId });
    const answer = await post(apiKey, '/api/campaigns/enrollments', {
      ...(await ids()),
      version_id: 'x',
      other: 1,
    });
    expect([answer.status, keysOf(answer)]).toEqual([201, ['version_id']]);
    const plain = await post(apiKey, '/api/campaigns/enrollments', { ...(await ids()), other: 1 });
    expect(Object.keys(plain.body as object)).toEqual(['message', 'enrollmentId']);
  });

  test('a refused body is warned about, too, because the field itself is missing', async () => {
    const { apiKey, agentId } = await buildCaller(calling.db);
    const call = await post(apiKey, `/api/voice-agents/${agentId}/calls`, { phone_number: nextNumber() });
    expect([call.status, (call.body as { message: string }).message, keysOf(call)]).toEqual([
      400,
      'phoneNumber is required',
      ['phone_number'],
    ]);
    const enrollment = await post(apiKey, '/api/campaigns/enrollments', {
      contact_id: 'x',
      campaignId: randomUUID(),
    });
    expect([enrollment.status, keysOf(enrollment)]).toEqual([400, ['contact_id']]);
  });

  test('an idempotent replay repeats them', async () => {
    const { apiKey, agentId, teamId } = await buildCaller(calling.db);
    const { id: campaignId } = await buildCampaign(calling.db, teamId);
    const contact = await buildContact(calling.db, teamId);
    const requests: [path: string, body: object][] = [
      [`/api/voice-agents/${agentId}/calls`, { phoneNumber: nextNumber(), timeZone: 'UTC' }],
      ['/api/contacts', { phoneNumber: nextNumber(), timeZone: 'UTC' }],
      ['/api/campaigns/contact-enrollments', { phoneNumber: nextNumber(), timeZone: 'UTC' }],
      ['/api/campaigns/enrollments', { contactId: contact.id, campaignId, contact_id: 'x' }],
    ];
    for (const [path, body] of requests) {
      const key = { 'Idempotency-Key': randomUUID() };
      const first = await post(apiKey, path, body, key);
      const second = await post(apiKey, path, body, key);
      expect(keysOf(first)).toHaveLength(1);
      expect([second.headers['idempotency-replayed'], second.body]).toEqual(['true', first.body]);
    }
  });
});

test('a dry run warns about keys, and about the agent’s templates for this contact', async () => {
  const { apiKey, agentId, teamId } = await buildCaller(
    calling.db,
    {},
    {
      prompt_template:
        '{{contact.name}} {{contact.nmae}} {{topic}} {{contact.email}} {{contact.companyName | it}}',
      first_message_template: 'Hello {{contact.name',
    },
  );
  const path = `/api/voice-agents/${agentId}/calls/explain`;
  const { phone_number: phoneNumber } = await buildContact(calling.db, teamId, { name: 'Ada', email: null });
  const answer = await post(apiKey, path, { phoneNumber, timeZone: 'UTC' });
  expect(answer.status).toBe(200);
  expect((answer.body as Warnings).warnings).toEqual([
    { key: 'timeZone', text: expect.any(String) as string },
    { key: 'promptTemplate', text: expect.stringContaining('{{contact.nmae}}') as string },
    { key: 'promptTemplate', text: expect.stringContaining('{{topic}} has no value') as string },
    { key: 'promptTemplate', text: expect.stringContaining('{{contact.email}} is empty') as string },
    { key: 'firstMessageTemplate', text: expect.stringContaining('is not closed') as string },
  ]);
  expect((answer.body as { prompt: string }).prompt).toBe('Ada    it');
});
