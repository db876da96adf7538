import { randomUUID } from 'node:crypto';
import { bearer } from '../support/calling.js';
import { buildCaller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE, PlayedCampaign } from './support/played-campaign.js';

/*
 * An ended enrollment may be followed by a new one: `reentry` of the campaign. The simulator's dial log is
 * the witness of each entry.
 */

const { calling, worker } = useCampaigns();

const DAY = 24 * HOUR;
const once = { steps: [{ key: 'first' }] };

async function start(reentry: object | null, definition: object = once) {
  const { caller, campaign } = await startCampaign(calling, definition);
  await campaign.patch({ reentry });
  const first = await campaign.enroll();
  const enroll = (headers: Record<string, string> = {}) =>
    calling
      .http()
      .post('/api/campaigns/enrollments')
      .set({ ...bearer(caller.apiKey), ...headers })
      .send({ contactId: first.contactId, campaignId: campaign.id });
  const list = async (query: string) => {
    const answer = await calling.http().get(`/api/campaigns/enrollments?${query}`).set(bearer(caller.apiKey));
    return answer.body as {
      items: { enrollmentId: string; status: string; entry?: number }[];
      nextCursor?: string;
    };
  };
  return { caller, campaign, ...first, enroll, list };
}

const idOf = (answer: { body: unknown }) => (answer.body as { enrollmentId: string }).enrollmentId;

test('by default a contact has one entry; another request is 409 with the existing id', async () => {
  const { campaign, id, enroll } = await start(null);
  await campaign.played(worker.app, 0);
  const answer = await enroll();
  expect([answer.status, answer.body]).toMatchObject([409, { enrollmentId: id, status: 'completed' }]);
});

test('an ended enrollment may be followed by another after minInterval, up to maxEntries; each is called', async () => {
  const { campaign, id, to, enroll } = await start({ maxEntries: 3, minInterval: 'P2D' });
  // The live enrollment prevents another one.
  expect((await enroll()).body).toMatchObject({ enrollmentId: id, status: 'active' });
  await campaign.played(worker.app, 0);
  await moveClock(calling.db, '47 hours 55 minutes');
  const early = await enroll();
  expect([early.status, early.body]).toMatchObject([409, { enrollmentId: id, status: 'completed' }]);
  await moveClock(calling.db, '48 hours 5 minutes');
  const again = await enroll();
  expect([again.status, again.body]).toMatchObject([201, { message: 'Contact enrolled successfully' }]);
  expect(idOf(again)).not.toBe(id);
  expect((await enroll()).body).toMatchObject({ enrollmentId: idOf(again), status: 'active' });
  await campaign.played(worker.app, 2 * DAY + 6 * MINUTE);
  expect(calling.dials(to)).toHaveLength(2);
  expect(await campaign.row(idOf(again))).toMatchObject({ status: 'completed', entry: 2 });
  await moveClock(calling.db, '5 days');
  const third = await enroll();
  expect(third.status).toBe(201);
  await campaign.played(worker.app, 5 * DAY + MINUTE);
  await moveClock(calling.db, '30 days');
  const fourth = await enroll();
  expect([fourth.status, fourth.body]).toMatchObject([409, { enrollmentId: idOf(third) }]);
  expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached', entry: 1 });
});

test('minInterval uses the agent’s zone, also if the definition has the agent’s id in capitals', async () => {
  const caller = await buildCaller(calling.db, {}, { timezone: 'America/New_York' });
  const definition = { steps: [{ key: 'first', agentId: caller.agentId.toUpperCase() }] };
  const campaign = await PlayedCampaign.build(calling, caller, definition);
  await campaign.patch({ reentry: { minInterval: 'P1D' } });
  const { id, contactId } = await campaign.enroll();
  await campaign.move(id, 'exit');
  // Noon in New York; the next one is 23 hours later.
  await calling.db.query('UPDATE enrollments SET ended_at = $2 WHERE id = $1', [id, '2027-03-13T17:00:00Z']);
  await moveClock(
    calling.db,
    `${Math.round((Date.parse('2027-03-14T16:30:00Z') - Date.now()) / 1_000)} seconds`,
  );
  const again = await calling
    .http()
    .post('/api/campaigns/enrollments')
    .set(bearer(caller.apiKey))
    .send({ contactId, campaignId: campaign.id });
  expect(again.status).toBe(201);
});

test('lists show all entries, the newest first, also across pages, contacts and campaigns', async () => {
  const { caller, campaign, id, contactId, enroll, list } = await start({});
  const other = await campaign.enroll();
  const ids = [other.id, id];
  for (let n = 0; n < 2; n += 1) {
    await campaign.move(
      ids.find((one) => one !== other.id)!,
      'exit',
    );
    ids.unshift(idOf(await enroll()));
  }
  const own = ids.filter((one) => one !== other.id);
  const sibling = await PlayedCampaign.build(calling, caller, once);
  const body = { contactId, campaignId: sibling.id };
  const elsewhere = await calling
    .http()
    .post('/api/campaigns/enrollments')
    .set(bearer(caller.apiKey))
    .send(body);
  const newest = idOf(elsewhere);

  const both = (await list(`contactId=${contactId}&campaignId=${campaign.id}`)).items;
  expect(both.map(({ enrollmentId, entry }) => [enrollmentId, entry])).toEqual(
    own.map((one, index) => [one, own.length - index]),
  );
  type Page = { items: { enrollmentId: string }[]; nextCursor?: string | null };
  const walk = async (read: (cursor: string) => Promise<Page>) => {
    const walked: string[] = [];
    for (let cursor = ''; ;) {
      const { items, nextCursor } = await read(cursor);
      walked.push(...items.map(({ enrollmentId }) => enrollmentId));
      if (nextCursor == null) return walked;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  };
  const team = (query: string) => walk((cursor) => list(`${query}&limit=2${cursor}`));
  expect(await team(`contactId=${contactId}`)).toEqual([newest, ...own]);
  expect(await team(`campaignId=${campaign.id}`)).toEqual(ids);
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments?limit=1`;
  const operated = (query: string) =>
    walk(async (cursor) => (await calling.operator('get', `${path}${query}${cursor}`)).body as Page);
  expect(await operated('')).toEqual(ids);
  expect(await operated('&status=exited')).toEqual(own.slice(1));
});

test('a read shows the entry; 409 does so from the second one on', async () => {
  const { caller, campaign, id, enroll } = await start({});
  expect((await enroll()).body).toEqual({
    error: 'Contact is already enrolled in this campaign',
    enrollmentId: id,
    status: 'active',
  });
  await campaign.move(id, 'exit');
  const second = idOf(await enroll());
  expect((await enroll()).body).toEqual({
    error: 'Contact is already enrolled in this campaign',
    enrollmentId: second,
    status: 'active',
    entry: 2,
  });
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments`;
  for (const [one, entry] of [
    [id, 1],
    [second, 2],
  ] as const) {
    expect((await calling.operator('get', `${path}/${one}`)).body).toMatchObject({ entry });
    const own = await calling.http().get(`/api/campaigns/enrollments/${one}`).set(bearer(caller.apiKey));
    expect(own.body).toMatchObject({ entry });
  }
});

test('the database accepts an entry of a contact into a campaign once', async () => {
  const { campaign, id, enroll } = await start({});
  await campaign.move(id, 'exit');
  const second = idOf(await enroll());
  const copy = (entry: number) =>
    calling.db.query(
      `INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, entry)
       SELECT team_id, campaign_id, contact_id, version_id, $2 FROM enrollments WHERE id = $1`,
      [second, entry],
    );
  await expect(copy(2)).rejects.toThrow('uq_enrollments_entry');
  await copy(3);
});

test('caps are counted separately for each entry', async () => {
  const definition = {
    steps: [{ key: 'first', retry: { no_answer: ['PT13H', 'PT13H'] } }],
    caps: { maxAttempts: 1 },
  };
  const { campaign, id, to, enroll } = await start({}, definition);
  calling.setRules({ match: to, outcome: 'no_answer' });
  await campaign.played(worker.app, 0);
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'caps' });
  await moveClock(calling.db, '13 hours');
  const second = idOf(await enroll());
  await campaign.played(worker.app, 13 * HOUR + MINUTE);
  expect(calling.dials(to)).toHaveLength(2);
  expect(await campaign.row(second)).toMatchObject({ status: 'exited', end_reason: 'caps' });
});

test('one of many simultaneous requests enrolls; the others are 409 with its id', async () => {
  const { campaign, id, enroll } = await start({});
  await campaign.move(id, 'exit');
  const answers = await Promise.all(Array.from({ length: 12 }, () => enroll()));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(11);
  expect(new Set(refused.map(idOf))).toEqual(new Set([idOf(made[0]!)]));
});

test('with an Idempotency-Key, a repeated request gets the stored answer and enrolls nothing', async () => {
  const { campaign, id, contactId, enroll, list } = await start({});
  await campaign.move(id, 'exit');
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await enroll(headers);
  expect(first.status).toBe(201);
  const again = await enroll(headers);
  expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
    201,
    first.body,
    'true',
  ]);
  expect((await list(`contactId=${contactId}`)).items).toHaveLength(2);
});

test('POST /api/contacts with a campaign re-enrolls; a paused campaign enrolls no contact', async () => {
  const { caller, campaign, id, to, contactId, enroll, list } = await start({ maxEntries: 2 });
  await campaign.move(id, 'exit');
  await campaign.patch({ status: 'paused' });
  expect((await enroll()).status).toBe(422);
  await campaign.patch({ status: 'active' });
  const store = () =>
    calling
      .http()
      .post('/api/campaigns/contact-enrollments')
      .set(bearer(caller.apiKey))
      .send({ phoneNumber: to, campaignId: campaign.id });
  await store().expect(200);
  expect((await list(`contactId=${contactId}`)).items.map(({ status }) => status)).toEqual([
    'active',
    'exited',
  ]);
  await store().expect(200);
  expect((await list(`contactId=${contactId}`)).items).toHaveLength(2);
});
