import { type Row } from '../support/builders.js';
import { bearer, reasonOf } from '../support/calling.js';
import { buildAgent, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { useCampaigns } from '../campaigns/support/campaign-tests.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';

/* Do Not Call entries that hold only for a campaign, an agent, a purpose or a time. */

const { calling, worker } = useCampaigns();
let caller: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

const own = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
  calling.http()[method](`/api/do-not-call${path}`).set(bearer(caller.apiKey)).send(body);
const add = async (body: object): Promise<Row> => (await own('post', '', body).expect(201)).body as Row;

/** An agent of the caller's team, with the caller's number. */
async function another(): Promise<Caller> {
  const { id: agentId } = await buildAgent(calling.db, caller.teamId, {
    outbound_phone_number: caller.callerNumber,
  });
  return { ...caller, agentId };
}

describe('an entry for a campaign', () => {
  test('ends its live enrollments, and neither those of another campaign nor calls', async () => {
    const once = { steps: [{ key: 'first', after: 'PT1H' }] };
    const campaign = await PlayedCampaign.build(calling, caller, once);
    const other = await PlayedCampaign.build(calling, caller, once);
    const { id, to, contactId } = await campaign.enroll();
    const enrolling = calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey));
    const answer = await enrolling.send({ contactId, campaignId: other.id }).expect(201);
    const pending = await calling.accepted(caller, { phoneNumber: to });
    expect(await add({ phoneNumbers: [to], scope: 'campaign', campaignId: campaign.id })).toMatchObject({
      added: 1,
    });
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
    const { enrollmentId } = answer.body as { enrollmentId: string };
    expect(await other.row(enrollmentId)).toMatchObject({ status: 'active' });
    expect(await calling.row(pending)).toMatchObject({ status: 'queued' });
    expect(await worker.fire(pending)).toEqual({ kind: 'claimed' });
  });

  test('keeps a later enrollment of the number from being dialed, until the entry is removed', async () => {
    const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
    const other = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
    const phone_number = nextNumber();
    const { id: contactId } = await buildContact(calling.db, caller.teamId, { phone_number });
    await add({ phoneNumbers: [phone_number], scope: 'campaign', campaignId: campaign.id });
    const enroll = async (campaignId: string) => {
      const enrolling = calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey));
      return ((await enrolling.send({ contactId, campaignId }).expect(201)).body as { enrollmentId: string })
        .enrollmentId;
    };
    const id = await enroll(campaign.id);
    await campaign.at(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
    expect(calling.dials(phone_number)).toEqual([]);
    const ofOther = await enroll(other.id);
    await other.played(worker.app, 0);
    expect(await other.row(ofOther)).toMatchObject({ status: 'completed' });
    expect(calling.dials(phone_number)).toHaveLength(1);
  });
});

describe('an entry for an agent', () => {
  test('ends and refuses the calls of the agent, and none of another', async () => {
    const other = await another();
    const phoneNumber = nextNumber();
    const own = await calling.accepted(caller, { phoneNumber });
    const [of] = [{ scope: 'agent', agentId: caller.agentId }];
    await calling.db.query(
      'UPDATE call_requests SET not_before = now() + interval $$2 days$$ WHERE id = $1',
      [own],
    );
    const ofOther = await calling.accepted(other, { phoneNumber });
    await add({ phoneNumbers: [phoneNumber], ...of });
    expect(await calling.row(own)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    expect(await calling.row(ofOther)).toMatchObject({ status: 'queued' });
    const refused = await calling.trigger(caller, { phoneNumber });
    expect([refused.status, reasonOf(refused)]).toEqual([500, 'DO_NOT_CALL']);
    const last = await calling.latestRow(caller.teamId);
    expect(last).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    expect(last?.decisions[0]).toMatchObject({
      rules: expect.arrayContaining([
        { reason: 'DO_NOT_CALL', allow: false, evidence: { onDoNotCall: true, scope: 'agent' } },
      ]) as object[],
    });
    expect(await worker.fire(ofOther)).toEqual({ kind: 'claimed' });
  });

  test('is judged again at the claim', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await calling.db.query('UPDATE teams SET has_limited_do_not_call = true WHERE id = $1', [caller.teamId]);
    await calling.db.query(
      `INSERT INTO limited_do_not_call (team_id, phone_number, scope, agent_id, effective_from)
       VALUES ($1, $2, 'agent', $3, now())`,
      [caller.teamId, phoneNumber, caller.agentId],
    );
    expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });
});

describe('an entry with a time', () => {
  const hour = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

  test('holds from its beginning to its end', async () => {
    const phoneNumber = nextNumber();
    await add({ phoneNumbers: [phoneNumber], effectiveFrom: hour(2), expiresAt: hour(4) });
    const early = await calling.accepted(caller, { phoneNumber });
    await moveClock(calling.db, '3 hours');
    expect(await worker.fire(early)).toEqual({ kind: 'blocked' });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('DO_NOT_CALL');
    await moveClock(calling.db, '5 hours');
    const late = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(late)).toEqual({ kind: 'claimed' });
  });

  test('that holds now ends pending calls; a further one is added only if it holds longer', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    expect(await add({ phoneNumbers: [phoneNumber], expiresAt: hour(4) })).toMatchObject({ added: 1 });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked' });
    expect(await add({ phoneNumbers: [phoneNumber], expiresAt: hour(3) })).toMatchObject({ added: 0 });
    expect(await add({ phoneNumbers: [phoneNumber], expiresAt: hour(5) })).toMatchObject({ added: 1 });
    expect(await add({ phoneNumbers: [phoneNumber] })).toMatchObject({ added: 1 });
    expect(await add({ phoneNumbers: [phoneNumber], expiresAt: hour(9) })).toMatchObject({ added: 0 });
    await own('delete', `/${phoneNumber}`).expect(204);
    await calling.accepted(caller, { phoneNumber });
  });

  test('is listed until it has expired, and is not on the list of the others', async () => {
    const phoneNumber = nextNumber();
    const expiresAt = hour(4);
    await add({ phoneNumbers: [phoneNumber], reason: 'holidays', expiresAt });
    const limited = await own('get', '/limited').expect(200);
    expect((limited.body as { items: object[] }).items).toEqual([
      {
        phoneNumber,
        scope: 'team',
        campaignId: null,
        agentId: null,
        purpose: null,
        reason: 'holidays',
        effectiveFrom: expect.any(String) as string,
        expiresAt,
        createdAt: expect.any(String) as string,
      },
    ]);
    expect((await own('get', '')).body).toEqual({ items: [], nextCursor: null });
    await moveClock(calling.db, '5 hours');
    expect((await own('get', '/limited')).body).toEqual({ items: [], nextCursor: null });
  });
});

describe('a purpose', () => {
  test('is told, and limits nothing unless the team has set doNotCallByPurpose', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await add({ phoneNumbers: [phoneNumber], purpose: 'marketing' });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked' });
    const history = await own('get', `/history?phoneNumber=${encodeURIComponent(phoneNumber)}`);
    expect((history.body as { items: object[] }).items).toMatchObject([{ purpose: 'marketing' }]);
    expect((await own('get', '')).body).toMatchObject({ items: [{ phoneNumber }] });
  });

  test('of a team that has set it is an entry with a limit; a call of an unknown purpose is refused', async () => {
    await calling.operated('patch', `/teams/${caller.teamId}`, { doNotCallByPurpose: true });
    const phoneNumber = nextNumber();
    await add({ phoneNumbers: [phoneNumber], purpose: 'marketing' });
    expect((await own('get', '/limited')).body).toMatchObject({
      items: [{ phoneNumber, purpose: 'marketing', scope: 'team' }],
    });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('DO_NOT_CALL');
  });
});

describe('requests', () => {
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  test.each([
    [{ scope: 'platform' }, 'scope must be one of team, campaign, agent'],
    [{ scope: 'campaign' }, 'campaignId must be a UUID'],
    [{ scope: 'campaign', campaignId: UNKNOWN }, 'campaignId is not the id of a campaign of the team'],
    [{ scope: 'agent', agentId: UNKNOWN }, 'agentId is not the id of an agent of the team'],
    [{ agentId: UNKNOWN }, 'agentId is only for entries with scope agent'],
    [{ scope: 'agent', agentId: 'x' }, 'agentId must be a UUID'],
    [{ purpose: 'fun' }, 'purpose must be one of'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be after now'],
    [
      { effectiveFrom: '2030-01-02T00:00:00Z', expiresAt: '2030-01-01T00:00:00Z' },
      'expiresAt must be after effectiveFrom',
    ],
    [{ effectiveFrom: 'tomorrow' }, 'effectiveFrom must be a date-time with an offset'],
  ])('POST with %j is 400: %s', async (limits, message) => {
    const answer = await own('post', '', { phoneNumbers: [nextNumber()], ...limits });
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(message);
  });

  test('the agent or the campaign of another team is refused', async () => {
    const stranger = await buildCaller(calling.db);
    const body = { phoneNumbers: [nextNumber()], scope: 'agent', agentId: stranger.agentId };
    await own('post', '', body).expect(400);
  });

  test('DELETE removes the entries of its scope only', async () => {
    const phoneNumber = nextNumber();
    await add({ phoneNumbers: [phoneNumber] });
    await add({ phoneNumbers: [phoneNumber], scope: 'agent', agentId: caller.agentId });
    const ofAgent = `/${phoneNumber}?scope=agent&agentId=${caller.agentId}`;
    await own('delete', `/${phoneNumber}?scope=agent`).expect(400);
    await own('delete', `/${phoneNumber}`).expect(204);
    await own('delete', `/${phoneNumber}`).expect(404);
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('DO_NOT_CALL');
    await own('delete', ofAgent).expect(204);
    await own('delete', ofAgent).expect(404);
    await calling.accepted(caller, { phoneNumber });
    const history = await own('get', `/history?phoneNumber=${encodeURIComponent(phoneNumber)}`);
    expect(
      (history.body as { items: Row[] }).items.map(
        ({ action, scope }) => `${String(scope)} ${String(action)}`,
      ),
    ).toEqual(['agent removed', 'team removed', 'agent added', 'team added']);
  });
});
