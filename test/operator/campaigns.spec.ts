import {
  buildAgent,
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildTeam,
  buildVersion,
} from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID, UUID } from './operator-api.js';

const NO_PACING = { maxConcurrentCalls: null, callsPerMinute: null, weight: 1 };
const NO_STEPS = {
  code: 'NO_STEPS',
  path: 'steps',
  message: 'The version has no steps, so its enrollments are not called.',
};
const ONE_ENTRY = { maxEntries: 1, minInterval: null };

const { world, api } = operatorOfFile();
let team: string;
let campaigns: string;

beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  campaigns = `/teams/${team}/campaigns`;
});

describe('campaigns', () => {
  test.each(['draft', 'active', 'paused', 'archived'])(
    'are created %s, with an empty current version',
    async (status) => {
      const response = await api.post(campaigns, { name: 'Spring', status });
      expect(response.status).toBe(201);
      const { warnings, ...body } = response.body as {
        warnings?: object[];
        id: string;
        currentVersionId: string;
      };
      expect(warnings).toEqual(status === 'active' ? [NO_STEPS] : undefined);
      expect(body).toEqual({
        id: expect.stringMatching(UUID) as string,
        name: 'Spring',
        status,
        currentVersionId: expect.stringMatching(UUID) as string,
        draftVersionId: null,
        pacing: { ...NO_PACING, callsPerMinute: 60 },
        reentry: ONE_ENTRY,
        purpose: null,
        createdAt: expect.stringMatching(ISO_INSTANT) as string,
      });
      const made = body;
      expect((await api.get(`${campaigns}/${made.id}`)).body).toEqual(made);
      expect((await api.get(campaigns)).body).toEqual({ items: [made], nextCursor: null });
      const versions = await world.db.query<object[]>(
        'SELECT id, number, status, definition FROM campaign_versions WHERE campaign_id = $1',
        [made.id],
      );
      expect(versions).toEqual([
        { id: made.currentVersionId, number: 1, status: 'published', definition: {} },
      ]);
    },
  );

  test('are drafts unless a status is sent', async () => {
    expect(await api.created(campaigns, { name: 'Spring' })).toMatchObject({ status: 'draft' });
  });

  test('that become active say if their current version places no calls, and name a draft that does', async () => {
    const { id } = await api.created<{ id: string }>(campaigns, { name: 'Spring' });
    const agent = await buildAgent(world.db, team);
    const definition = { steps: [{ key: 'first', agentId: agent.id }] };
    const draft = await api.created<{ id: string }>(`${campaigns}/${id}/versions`, { definition });
    const early = await api.patch(`${campaigns}/${id}`, { status: 'active' });
    const message = `${NO_STEPS.message} Publish the draft, which has steps.`;
    expect(early.body).toMatchObject({ status: 'active', warnings: [{ ...NO_STEPS, message }] });
    const published = await api.post(`${campaigns}/${id}/versions/${draft.id}/publish`);
    expect(published.body).toMatchObject({ warnings: [{ code: 'WORST_CASE_DIALS' }] });
    expect((await api.patch(`${campaigns}/${id}`, { status: 'active' })).body).toMatchObject({
      warnings: [],
    });
  });

  test('PATCH changes only sent fields', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'draft' });
    const active = await api.patch(`${campaigns}/${made.id}`, { status: 'active' });
    expect([active.status, active.body]).toEqual([200, { ...made, status: 'active', warnings: [NO_STEPS] }]);
    const renamed = await api.patch(`${campaigns}/${made.id}`, { name: 'Summer' });
    expect(renamed.body).toEqual({ ...made, name: 'Summer', status: 'active' });
  });

  test('a new campaign starts 60 calls a minute, unless its request says otherwise', async () => {
    for (const [pacing, callsPerMinute] of [
      [undefined, 60],
      [{}, 60],
      [{ weight: 3 }, 60],
      [null, null],
      [{ callsPerMinute: null }, null],
      [{ callsPerMinute: 7 }, 7],
    ] as const) {
      const made = await api.created(campaigns, { name: 'Careful', pacing });
      expect(made).toMatchObject({ pacing: { callsPerMinute } });
      expect((await api.get(`${campaigns}/${made.id}`)).body).toEqual(expect.objectContaining(made));
    }
  });

  test('PATCH keeps the fields of `pacing` that it does not name, and replaces `reentry`; null is no limit', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'paused' });
    const path = `${campaigns}/${made.id}`;
    const pacing = { maxConcurrentCalls: 10, callsPerMinute: 60, weight: 5 };
    const reentry = { maxEntries: 3, minInterval: 'P30D' };
    const changed = await api.patch(path, { pacing, reentry });
    expect([changed.status, changed.body]).toEqual([200, { ...made, pacing, reentry }]);
    expect((await api.get(path)).body).toEqual({ ...made, pacing, reentry });
    expect((await api.get(campaigns)).body).toEqual({
      items: [{ ...made, pacing, reentry }],
      nextCursor: null,
    });

    const renamed = await api.patch(path, { name: 'Summer' });
    expect(renamed.body).toMatchObject({ name: 'Summer', pacing, reentry });
    const less = await api.patch(path, { pacing: { callsPerMinute: 5, weight: null }, reentry: {} });
    expect(less.body).toMatchObject({
      pacing: { maxConcurrentCalls: 10, callsPerMinute: 5, weight: 1 },
      reentry: { maxEntries: null, minInterval: null },
    });
    const unpaced = await api.patch(path, { pacing: { callsPerMinute: null } });
    expect(unpaced.body).toMatchObject({ pacing: { ...NO_PACING, maxConcurrentCalls: 10 } });
    const reset = await api.patch(path, { pacing: null, reentry: null });
    expect(reset.body).toMatchObject({ pacing: NO_PACING, reentry: ONE_ENTRY });
    const weighed = await api.patch(path, { pacing: { weight: 7 } });
    expect(weighed.body).toMatchObject({ pacing: { ...NO_PACING, weight: 7 } });
  });

  test('POST accepts `pacing` and `reentry`', async () => {
    const settings = { pacing: { weight: 100 }, reentry: { maxEntries: null, minInterval: 'P1W' } };
    expect(await api.created(campaigns, { name: 'Spring', status: 'draft', ...settings })).toMatchObject({
      pacing: { maxConcurrentCalls: null, callsPerMinute: 60, weight: 100 },
      reentry: { maxEntries: null, minInterval: 'P1W' },
    });
  });

  test.each([
    [{ pacing: [] }, 'pacing must be an object'],
    [{ pacing: { callsPerMinute: 0 } }, 'pacing.callsPerMinute must be a whole number from 1'],
    [{ pacing: { maxConcurrentCalls: 1.5 } }, 'pacing.maxConcurrentCalls must be a whole number'],
    [{ pacing: { weight: 101 } }, 'pacing.weight must be a whole number from 1 to 100'],
    [{ pacing: { perSecond: 1 } }, 'pacing.perSecond is not known here'],
    [{ reentry: { maxEntries: 0 } }, 'reentry.maxEntries must be a whole number'],
    [{ reentry: { minInterval: 'P1M' } }, 'reentry.minInterval must be an ISO 8601 duration'],
  ])('PATCH %j is 400: %s', async (body, message) => {
    const made = await api.created(campaigns, { name: 'Spring' });
    const response = await api.patch(`${campaigns}/${made.id}`, body);
    expect([response.status, response.body]).toEqual([
      400,
      { error: expect.stringContaining(message) as string },
    ]);
    expect((await api.get(`${campaigns}/${made.id}`)).body).toEqual(made);
  });

  test('POST …/archive archives, and is repeatable', async () => {
    const made = await api.created(campaigns, { name: 'Spring' });
    for (let time = 0; time < 2; time += 1) {
      const archived = await api.post(`${campaigns}/${made.id}/archive`);
      expect([archived.status, archived.body]).toEqual([201, { ...made, status: 'archived' }]);
    }
    expect((await api.get(`${campaigns}/${made.id}`)).body).toMatchObject({ status: 'archived' });
    expect((await api.post(`${campaigns}/${UNKNOWN_ID}/archive`)).status).toBe(404);
  });

  test('that are archived can be given another status; enrollments that were live before end first', async () => {
    const { id: campaign, current_version_id: version } = await buildCampaign(world.db, team);
    const path = `${campaigns}/${campaign}`;
    const { id: contact } = await buildContact(world.db, team);
    const keys = { team_id: team, campaign_id: campaign, contact_id: contact, version_id: version };
    const { id } = await buildEnrollment(world.db, keys);
    expect((await api.post(`${path}/archive`)).status).toBe(201);
    const active = await api.patch(path, { status: 'active' });
    expect([active.status, active.body]).toMatchObject([200, { status: 'active' }]);
    expect((await api.get(`${path}/enrollments/${id}`)).body).toMatchObject({
      status: 'exited',
      endReason: 'archived',
    });
  });

  test('show their draft', async () => {
    // Only the answer that activates a campaign has warnings.
    const { warnings, ...made } = await api.created<{ id: string; warnings: object[] }>(campaigns, {
      name: 'Spring',
      status: 'active',
    });
    expect(warnings).toMatchObject([{ code: 'NO_STEPS' }]);
    const { id: draftVersionId } = await buildVersion(world.db, team, made.id);
    expect((await api.get(`${campaigns}/${made.id}`)).body).toEqual({ ...made, draftVersionId });
    expect((await api.get(campaigns)).body).toMatchObject({ items: [{ draftVersionId }] });
  });

  test.each([
    [{ status: 'active' }, 'name is required'],
    [{ name: 'A', status: 'running' }, 'status must be one of draft, active, paused, archived'],
    [{ name: 'A', status: null }, 'status'],
    [{ name: '', status: 'active' }, 'name'],
    [{ name: 'A', status: 'active', currentVersionId: UNKNOWN_ID }, 'currentVersionId is not a field'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post(campaigns, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
  });

  test('of another team or unknown ones are 404', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'active' });
    const { id: other } = await buildTeam(world.db);
    for (const path of [
      `/teams/${other}/campaigns/${made.id}`,
      `${campaigns}/${UNKNOWN_ID}`,
      `${campaigns}/x`,
    ]) {
      expect((await api.get(path)).body).toEqual({ error: 'Campaign not found' });
      expect((await api.patch(path, { name: 'B' })).status).toBe(404);
    }
    expect((await api.get(`/teams/${UNKNOWN_ID}/campaigns`)).status).toBe(404);
    expect((await api.post(`/teams/${UNKNOWN_ID}/campaigns`, { name: 'A', status: 'active' })).status).toBe(
      404,
    );
  });
});
