import { type NestExpressApplication } from '@nestjs/platform-express';
import {
  anyUuid,
  type Body,
  buildClient,
  countStatements,
  ENROLLMENTS,
  UNKNOWN_ID,
  parallel,
  type TeamClient,
} from '../contacts/team-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildVersion } from '../support/builders.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  team = await buildClient(world.db, api);
});
afterAll(() => world.close());

/** A contact, an active campaign, and the ids of the campaign's versions. */
async function build(status = 'active') {
  const contact = await buildContact(world.db, team.teamId);
  const campaign = await buildCampaign(world.db, team.teamId, { status });
  return { body: { contactId: contact.id, campaignId: campaign.id }, current: campaign.current_version_id };
}

async function enrolled(body: Body): Promise<Body> {
  const [status, answer] = await team.post(ENROLLMENTS, body);
  expect([status, answer]).toEqual([
    201,
    { message: 'Contact enrolled successfully', enrollmentId: anyUuid },
  ]);
  const [enrollment] = await team.enrollments(body.contactId);
  expect(enrollment).toMatchObject({ enrollmentId: answer.enrollmentId });
  return enrollment as Body;
}

describe('4.3 Enroll a contact in a campaign', () => {
  test('success: `message` is `Contact enrolled successfully`, and `enrollmentId`', async () => {
    const { body, current } = await build();
    expect(await enrolled({ ...body, teamId: team.teamId })).toMatchObject({
      enrollmentId: anyUuid,
      status: 'active',
      ...body,
      externalId: null,
      versionId: current,
      source: null,
    });
  });

  test('ids may be in upper case', async () => {
    const { body } = await build();
    const upper = { contactId: body.contactId.toUpperCase(), campaignId: body.campaignId.toUpperCase() };
    await enrolled({ ...upper, teamId: team.teamId.toUpperCase() });
  });

  test('source: free text, recorded on the enrollment', async () => {
    const { body } = await build();
    const source = 'CRM – "Spring" 2026 🌱';
    expect(await enrolled({ ...body, source })).toMatchObject({ source });
  });

  test.each([null, '', ' '])(
    'keys that are not known are ignored, and %j counts as not sent',
    async (absent) => {
      const { body, current } = await build();
      const extra = {
        teamId: absent,
        source: absent,
        version: absent,
        status: 'exited',
        enrollmentId: UNKNOWN_ID,
        x: [],
      };
      expect(await enrolled({ ...body, ...extra })).toMatchObject({
        status: 'active',
        versionId: current,
        source: null,
      });
    },
  );

  test('is one statement, so one round trip', async () => {
    const { body } = await build();
    const act = async () => expect((await team.post(ENROLLMENTS, body))[0]).toBe(201);
    expect(await countStatements(api, act)).toBe(1);
  });
});

describe('version (4.3, section 9.2): the allowed values', () => {
  test('`current` is the default: the version that is current now', async () => {
    for (const version of [undefined, 'current']) {
      const { body } = await build();
      const published = await buildVersion(world.db, team.teamId, body.campaignId, { status: 'published' });
      await world.db.query('UPDATE campaigns SET current_version_id = $2 WHERE id = $1', [
        body.campaignId,
        published.id,
      ]);
      expect(await enrolled({ ...body, version })).toMatchObject({ versionId: published.id });
    }
  });

  test('`draft` is the one draft of the campaign', async () => {
    const { body } = await build();
    const draft = await buildVersion(world.db, team.teamId, body.campaignId);
    expect(await enrolled({ ...body, version: 'draft' })).toMatchObject({ versionId: draft.id });
  });

  test('`draft` is 404 where there is none', async () => {
    const { body } = await build();
    await buildVersion(world.db, team.teamId, (await build()).body.campaignId);
    const answer = await team.post(ENROLLMENTS, { ...body, version: 'draft' });
    expect(answer).toEqual([404, { error: 'Campaign version not found' }]);
  });

  test('the id of a version: also an older one, and the draft', async () => {
    const { body, current } = await build();
    const draft = await buildVersion(world.db, team.teamId, body.campaignId);
    expect(await enrolled({ ...body, version: draft.id.toUpperCase() })).toMatchObject({
      versionId: draft.id,
    });
    const contactId = (await buildContact(world.db, team.teamId)).id;
    await world.db.query(`UPDATE campaign_versions SET status = 'published' WHERE id = $1`, [draft.id]);
    await world.db.query('UPDATE campaigns SET current_version_id = $2 WHERE id = $1', [
      body.campaignId,
      draft.id,
    ]);
    expect(await enrolled({ ...body, contactId, version: current })).toMatchObject({ versionId: current });
  });

  test("the id of another campaign's version, and one that nothing has, are 404", async () => {
    const { body } = await build();
    const other = await build();
    for (const version of [other.current, UNKNOWN_ID]) {
      const answer = await team.post(ENROLLMENTS, { ...body, version });
      expect(answer).toEqual([404, { error: 'Campaign version not found' }]);
    }
    expect(await team.enrollments(body.contactId)).toEqual([]);
  });
});

describe('section 7, "Enroll contact": other failures', () => {
  test('404 for a contact or a campaign that is unknown', async () => {
    const { body } = await build();
    const noContact = await team.post(ENROLLMENTS, { ...body, contactId: UNKNOWN_ID });
    expect(noContact).toEqual([404, { error: 'Contact not found' }]);
    const noCampaign = await team.post(ENROLLMENTS, { ...body, campaignId: UNKNOWN_ID });
    expect(noCampaign).toEqual([404, { error: 'Campaign not found' }]);
  });

  test.each(['draft', 'paused', 'archived'])('422 for a campaign that is %s', async (status) => {
    const { body } = await build(status);
    expect(await team.post(ENROLLMENTS, body)).toEqual([422, { error: 'The campaign is not active' }]);
    expect(await team.enrollments(body.contactId)).toEqual([]);
  });
});

describe('section 7, "Enroll contact": already enrolled', () => {
  const error = 'Contact is already enrolled in this campaign';

  test.each(['active', 'paused', 'completed', 'exited', 'failed'])(
    '409 with `enrollmentId` and the `status` %s; the enrollment is unchanged',
    async (status) => {
      const { body } = await build();
      const { enrollmentId } = await enrolled({ ...body, source: 'first' });
      await world.db.query('UPDATE enrollments SET status = $2 WHERE id = $1', [enrollmentId, status]);
      const before = await team.enrollments(body.contactId);
      await buildVersion(world.db, team.teamId, body.campaignId);
      for (const again of [body, { ...body, source: 'second', version: 'draft' }]) {
        expect(await team.post(ENROLLMENTS, again)).toEqual([409, { error, enrollmentId, status }]);
      }
      expect(await team.enrollments(body.contactId)).toEqual(before);
    },
  );

  test.each(['draft', 'paused', 'archived'])('409 also after the campaign became %s', async (status) => {
    const { body } = await build();
    const { enrollmentId } = await enrolled(body);
    await world.db.query('UPDATE campaigns SET status = $2 WHERE id = $1', [body.campaignId, status]);
    const answer = await team.post(ENROLLMENTS, body);
    expect(answer).toEqual([409, { error, enrollmentId, status: 'active' }]);
  });

  test('409 for any requested version: unknown, of another campaign, or a missing draft', async () => {
    const { body } = await build();
    const { enrollmentId } = await enrolled(body);
    for (const version of [UNKNOWN_ID, (await build()).current, 'draft']) {
      const answer = await team.post(ENROLLMENTS, { ...body, version });
      expect(answer).toEqual([409, { error, enrollmentId, status: 'active' }]);
    }
  });

  test('400, 403 and 404 precede it', async () => {
    const { body } = await build();
    await enrolled(body);
    const stranger = await buildClient(world.db, api);
    expect((await team.post(ENROLLMENTS, { ...body, version: 'newest' }))[0]).toBe(400);
    expect((await team.post(ENROLLMENTS, { ...body, teamId: stranger.teamId }))[0]).toBe(403);
    expect(await stranger.post(ENROLLMENTS, body)).toEqual([404, { error: 'Contact not found' }]);
    const noCampaign = await team.post(ENROLLMENTS, { ...body, campaignId: UNKNOWN_ID });
    expect(noCampaign).toEqual([404, { error: 'Campaign not found' }]);
  });

  test('20 parallel enrollments: one succeeds, 19 return its enrollmentId', async () => {
    const { body } = await build();
    const answers = await parallel(20, (index) => team.post(ENROLLMENTS, { ...body, source: `${index}` }));
    const successes = answers.filter(([status]) => status === 201);
    expect(successes).toHaveLength(1);
    const enrollmentId = successes[0]?.[1].enrollmentId;
    const refusals = answers.filter(([status]) => status !== 201);
    expect(refusals).toEqual(Array(19).fill([409, { error, enrollmentId, status: 'active' }]));
    expect(await team.enrollments(body.contactId)).toHaveLength(1);
  });

  test('one contact can be enrolled in several campaigns, and several contacts in one', async () => {
    const { body } = await build();
    const other = await build();
    await team.post(ENROLLMENTS, body);
    for (const pair of [
      { ...body, campaignId: other.body.campaignId },
      { ...body, contactId: other.body.contactId },
    ]) {
      expect((await team.post(ENROLLMENTS, pair))[0]).toBe(201);
    }
  });
});
