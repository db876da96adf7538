import { type Caller, buildCaller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { buildAgent, buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { moveClock } from '../support/clock.js';
import { HOUR, PlayedCampaign, runDue } from '../campaigns/support/played-campaign.js';
import { UNKNOWN_ID } from './operator-api.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let caller: Caller;
let agents: string;

beforeEach(async () => {
  calling.setRules();
  await moveClock(calling.db, '0 seconds');
  caller = await buildCaller(calling.db);
  agents = `/teams/${caller.teamId}/voice-agents`;
});

const remove = (id = caller.agentId) => calling.operator('delete', `${agents}/${id}`);
const first = (agentId: string) => ({ steps: [{ key: 'first', agentId }] });

/** A campaign with a definition as its draft, published or not. */
async function campaignWith(definition: object, publish: boolean) {
  const campaigns = `/teams/${caller.teamId}/campaigns`;
  const made = await calling.operated('post', campaigns, { name: 'Spring', status: 'active' });
  const { id } = made.body as { id: string };
  const draft = await calling.operated('post', `${campaigns}/${id}/versions`, { definition });
  const { id: versionId } = draft.body as { id: string };
  if (publish) await calling.operated('post', `${campaigns}/${id}/versions/${versionId}/publish`);
  return { id, versionId, path: `${campaigns}/${id}` };
}

async function refusedFor(...campaigns: string[]): Promise<void> {
  const answer = await remove();
  expect([answer.status, answer.body]).toEqual([
    409,
    { error: expect.stringContaining(campaigns[0] ?? '') as string, reason: 'AGENT_IN_USE', campaigns },
  ]);
}

describe('DELETE of a voice agent', () => {
  test('is 204; the agent is not listed, 404 to the operator, and unknown to a trigger', async () => {
    const { id: other } = await buildAgent(calling.db, caller.teamId);
    expect((await remove()).status).toBe(204);
    const list = (await calling.operator('get', agents)).body as { items: { id: string }[] };
    expect(list.items.map(({ id }) => id)).toEqual([other]);
    const path = `${agents}/${caller.agentId}`;
    const answers = [
      await calling.operator('get', path),
      await calling.operator('patch', path, { name: 'Back' }),
      await remove(),
      await remove(UNKNOWN_ID),
      await remove('x'),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { error: 'Voice agent not found' }]);
    }
    const body = { phoneNumber: '+14155550199' };
    const deleted = await calling.trigger(caller, body);
    const unknown = await calling.trigger({ ...caller, agentId: UNKNOWN_ID }, body);
    expect(deleted.status).toBe(500);
    expect(deleted.body).toMatchObject({ reason: 'AGENT_NOT_FOUND' });
    expect([deleted.status, deleted.body]).toEqual([unknown.status, unknown.body]);
    const malformed = await calling.trigger(caller, {});
    expect(malformed.body).toMatchObject({ reason: 'AGENT_NOT_FOUND' });
  });

  test('keeps the row: accepted calls are placed, and can be read', async () => {
    const id = await calling.accepted(caller, { phoneNumber: '+14155550198' });
    await remove();
    await worker.fire(id);
    expect(calling.dials('+14155550198')).toHaveLength(1);
    expect((await calling.get(caller, id)).body).toMatchObject({ callRequestId: id });
    expect((await calling.operator('get', `/teams/${caller.teamId}/calls/${id}`)).status).toBe(200);
  });

  test('of another team is 404', async () => {
    const other = await buildCaller(calling.db);
    expect((await remove(other.agentId)).status).toBe(404);
    expect((await calling.trigger(other, { phoneNumber: '+14155550197' })).status).toBe(200);
  });

  test('is 409 AGENT_IN_USE while a current version or a draft names the agent', async () => {
    const current = await campaignWith(first(caller.agentId), true);
    const draft = await campaignWith(first(caller.agentId.toUpperCase()), false);
    await refusedFor(current.id, draft.id);
    await calling.operated('post', `${current.path}/archive`);
    await refusedFor(draft.id);
    await calling.operated('patch', `${draft.path}/versions/${draft.versionId}`, { definition: {} });
    expect((await remove()).status).toBe(204);
  });

  test('is 409 while enrollments live on an older version, and 204 after they have ended', async () => {
    const { id, versionId, path } = await campaignWith(first(caller.agentId), true);
    const next = await calling.operated('post', `${path}/versions`, { definition: {} });
    await calling.operated('post', `${path}/versions/${(next.body as { id: string }).id}/publish`);
    const { id: contact } = await buildContact(calling.db, caller.teamId);
    const enrollment = await buildEnrollment(
      calling.db,
      { team_id: caller.teamId, campaign_id: id, contact_id: contact, version_id: versionId },
      { status: 'paused' },
    );
    await refusedFor(id);
    await calling.operated('post', `${path}/enrollments/${enrollment.id}/exit`);
    expect((await remove()).status).toBe(204);
  });

  test('a definition cannot name a deleted agent', async () => {
    await remove();
    const { id } = await buildCampaign(calling.db, caller.teamId);
    const versions = `/teams/${caller.teamId}/campaigns/${id}/versions`;
    const answer = await calling.operator('post', versions, { definition: first(caller.agentId) });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'definition.steps[0].agentId is not a voice agent of the team' },
    ]);
  });

  test('parallel drafts and deletions leave no draft with a deleted agent', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id: agentId } = await buildAgent(calling.db, caller.teamId);
      const { id } = await buildCampaign(calling.db, caller.teamId);
      const versions = `/teams/${caller.teamId}/campaigns/${id}/versions`;
      const [written, removed] = await Promise.all([
        calling.operator('post', versions, { definition: first(agentId) }),
        remove(agentId),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([written.status, removed.status]);
    }
  });

  test('is 409 while enrollments are being moved to an older version', async () => {
    const { id: agentId } = await buildAgent(calling.db, caller.teamId);
    const { id, versionId, path } = await campaignWith(first(caller.agentId), true);
    const next = await calling.operated('post', `${path}/versions`, { definition: first(agentId) });
    const { id: nextId } = next.body as { id: string };
    await calling.operated('post', `${path}/versions/${nextId}/publish`);
    const body = { fromVersionId: nextId };
    await calling.operated('post', `${path}/versions/${versionId}/migrate`, body);
    await refusedFor(id);
  });

  test('a contact that is enrolled later on an older version ends failed/not_dialable', async () => {
    const { id, versionId, path } = await campaignWith(first(caller.agentId), true);
    const next = await calling.operated('post', `${path}/versions`, { definition: {} });
    await calling.operated('post', `${path}/versions/${(next.body as { id: string }).id}/publish`);
    expect((await remove()).status).toBe(204);
    const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
    const answer = await calling
      .http()
      .post('/api/campaigns/enrollments')
      .set(bearer(caller.apiKey))
      .send({ contactId, campaignId: id, version: versionId });
    expect(answer.status).toBe(201);
    await runDue(worker.app);
    const { enrollmentId } = answer.body as { enrollmentId: string };
    const shown = await calling.operator('get', `${path}/enrollments/${enrollmentId}`);
    expect(shown.body).toMatchObject({
      status: 'failed',
      endReason: 'not_dialable',
      waitingFor: null,
      whyNot: null,
      timeline: [{ kind: 'ended', status: 'failed', endReason: 'not_dialable' }],
    });
    expect(calling.dials(to)).toEqual([]);
  });

  test('of enrollments on an older version and a deletion at the same time, none stays active without an agent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const numbered = { outbound_phone_number: caller.callerNumber };
      const { id: agentId } = await buildAgent(calling.db, caller.teamId, numbered);
      const { id, versionId, path } = await campaignWith(first(agentId), true);
      const next = await calling.operated('post', `${path}/versions`, { definition: {} });
      await calling.operated('post', `${path}/versions/${(next.body as { id: string }).id}/publish`);
      const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
      const body = { contactId, campaignId: id, version: versionId };
      const [, removed] = await Promise.all([
        calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey)).send(body).expect(201),
        remove(agentId),
      ]);
      await runDue(worker.app);
      const list = (await calling.operator('get', `${path}/enrollments`)).body as { items: object[] };
      if (removed.status === 204) expect(list.items).toMatchObject([{ endReason: 'not_dialable' }]);
      else expect(removed.status).toBe(409);
      expect(calling.dials(to)).toHaveLength(removed.status === 204 ? 0 : 1);
    }
  });

  test('a step whose agent was deleted: the outcome of the call before counts, then failed/not_dialable', async () => {
    const { id: agentId } = await buildAgent(calling.db, caller.teamId);
    const steps = [{ key: 'first' }, { key: 'second', agentId, after: 'PT13H' }];
    const campaign = await PlayedCampaign.build(calling, caller, { steps });
    const [reached, missed] = [await campaign.enroll(), await campaign.enroll()];
    calling.setRules({ match: missed.to, outcome: 'no_answer' });
    // As a release before refused no deletion for it.
    await calling.db.query('UPDATE voice_agents SET deleted_at = now() WHERE id = $1', [agentId]);
    await campaign.played(worker.app, 0);
    expect(await campaign.row(reached.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect(await campaign.row(missed.id)).toMatchObject({
      status: 'failed',
      end_reason: 'not_dialable',
      step: 'second',
      look_at: null,
    });
    await campaign.played(worker.app, 14 * HOUR);
    expect(calling.dials(missed.to)).toHaveLength(1);
  });
});
