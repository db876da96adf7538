import { buildAgent, buildContact, buildEnrollment, buildTeam } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID, UUID } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let campaign: string;
let versions: string;
let first: string;

interface Campaign {
  id: string;
  currentVersionId: string;
  draftVersionId: string | null;
}

interface Version {
  id: string;
  number: number;
  status: string;
  enrolled: number;
}

beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  const made = await api.created<Campaign>(`/teams/${team}/campaigns`, { name: 'Spring', status: 'active' });
  campaign = `/teams/${team}/campaigns/${made.id}`;
  versions = `${campaign}/versions`;
  first = made.currentVersionId;
});

const readCampaign = async () => (await api.get(campaign)).body as Campaign;

describe('campaign versions', () => {
  test('the first is published, current and empty', async () => {
    const response = await api.get(versions);
    expect(response.status).toBe(200);
    const version = {
      id: first,
      campaignId: (await readCampaign()).id,
      number: 1,
      status: 'published',
      definition: {},
      enrolled: 0,
      createdAt: expect.stringMatching(ISO_INSTANT) as string,
      publishedAt: expect.stringMatching(ISO_INSTANT) as string,
    };
    expect(response.body).toEqual({ items: [version], nextCursor: null });
    expect((await api.get(`${versions}/${first}`)).body).toEqual(version);
  });

  test('POST creates the one draft, with its definition unchanged', async () => {
    const definition = { note: { wait: 1.5, steps: null, constructor: { name: 'x' }, '': [] } };
    const response = await api.post(versions, { definition });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(UUID) as string,
      campaignId: (await readCampaign()).id,
      number: 2,
      status: 'draft',
      definition,
      enrolled: 0,
      createdAt: expect.stringMatching(ISO_INSTANT) as string,
      publishedAt: null,
    });
    const { id } = response.body as Version;
    expect(await readCampaign()).toMatchObject({ currentVersionId: first, draftVersionId: id });
    const second = await api.post(versions, { definition: {} });
    expect([second.status, second.body]).toEqual([409, { error: 'The campaign already has a draft' }]);
  });

  test('PATCH changes a draft, and no published version', async () => {
    const draft = await api.created<Version>(versions, { definition: { note: 'a', steps: [] } });
    const changed = await api.patch(`${versions}/${draft.id}`, { definition: { note: 'b' } });
    expect([changed.status, changed.body]).toEqual([200, { ...draft, definition: { note: 'b' } }]);
    expect((await api.patch(`${versions}/${draft.id}`, {})).body).toEqual(changed.body);
    for (const body of [{ definition: { note: 'c' } }, {}]) {
      const refused = await api.patch(`${versions}/${first}`, body);
      expect([refused.status, refused.body]).toEqual([409, { error: 'Only a draft can be changed' }]);
    }
    expect((await api.get(`${versions}/${first}`)).body).toMatchObject({ definition: {} });
  });

  test('a draft must keep the steps of its live enrollments: 409, and nothing changes', async () => {
    const { id: agentId } = await buildAgent(world.db, team);
    const steps = (...keys: string[]) => ({ steps: keys.map((key) => ({ key, agentId })) });
    const draft = await api.created<Version>(versions, { definition: steps('first', 'second') });
    const { id: campaign_id } = await readCampaign();
    const enroll = async (row: object) => {
      const { id: contact_id } = await buildContact(world.db, team);
      const keys = { team_id: team, campaign_id, contact_id, version_id: draft.id };
      return (await buildEnrollment(world.db, keys, { ...row })).id;
    };
    await enroll({ status: 'exited', step: 'first' });
    await enroll({ status: 'active', step: null });
    const occupant = await enroll({ status: 'paused', step: 'second' });
    const path = `${versions}/${draft.id}`;
    for (const definition of [steps('first', 'third'), {}]) {
      const refused = await api.patch(path, { definition });
      const error = 'Live enrollments of the draft are at the step second, so it must stay';
      expect([refused.status, refused.body]).toEqual([409, { error }]);
    }
    expect((await api.get(path)).body).toMatchObject({ definition: steps('first', 'second') });
    expect((await api.patch(path, { definition: steps('new', 'second') })).status).toBe(200);
    await api.post(`${campaign}/enrollments/${occupant}/exit`);
    expect((await api.patch(path, { definition: steps('new') })).status).toBe(200);
  });

  test('publishing makes the draft current, and is not repeatable', async () => {
    const draft = await api.created<Version>(versions, { definition: { note: 'a' } });
    const response = await api.post(`${versions}/${draft.id}/publish`);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      ...draft,
      status: 'published',
      publishedAt: expect.stringMatching(ISO_INSTANT) as string,
      warnings: [{ code: 'NO_STEPS', path: 'steps', message: expect.any(String) as string }],
    });
    expect(await readCampaign()).toMatchObject({ currentVersionId: draft.id, draftVersionId: null });
    for (const id of [draft.id, first]) {
      const again = await api.post(`${versions}/${id}/publish`);
      expect([again.status, again.body]).toEqual([409, { error: 'Only a draft can be published' }]);
    }
    const next = await api.created<Version>(versions, { definition: {} });
    expect(next.number).toBe(3);
    const { items } = (await api.get(`${versions}?limit=2`)).body as { items: Version[] };
    expect(items.map((version) => [version.number, version.status])).toEqual([
      [1, 'published'],
      [2, 'published'],
    ]);
  });

  test('earlier enrollments stay on their version, and are counted there', async () => {
    const { id: campaign_id } = await readCampaign();
    const enroll = async (version_id: string, status: string) => {
      const { id: contact_id } = await buildContact(world.db, team);
      await buildEnrollment(world.db, { team_id: team, campaign_id, contact_id, version_id }, { status });
    };
    await enroll(first, 'active');
    await enroll(first, 'exited');
    const draft = await api.created<Version>(versions, { definition: {} });
    await enroll(draft.id, 'active');
    await api.post(`${versions}/${draft.id}/publish`);
    const { items } = (await api.get(versions)).body as { items: Version[] };
    expect(items.map((version) => [version.id, version.enrolled])).toEqual([
      [first, 2],
      [draft.id, 1],
    ]);
    expect((await api.get(`${versions}/${first}`)).body).toMatchObject({ enrolled: 2 });
  });

  test('parallel requests create one draft; parallel publications publish once', async () => {
    const drafts = await Promise.all(Array.from({ length: 8 }, () => api.post(versions, { definition: {} })));
    expect(drafts.map((response) => response.status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    const { draftVersionId } = await readCampaign();
    const published = await Promise.all(
      Array.from({ length: 8 }, () => api.post(`${versions}/${draftVersionId}/publish`)),
    );
    expect(published.map((response) => response.status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await readCampaign()).toMatchObject({ currentVersionId: draftVersionId, draftVersionId: null });
  });

  test('a change during the publication is included or refused', async () => {
    const draft = await api.created<Version>(versions, { definition: { note: { n: 0 } } });
    const path = `${versions}/${draft.id}`;
    const [published, ...changes] = await Promise.all([
      api.post(`${path}/publish`),
      ...[1, 2, 3, 4].map((n) => api.patch(path, { definition: { note: { n } } })),
    ]);
    expect(published.status).toBe(201);
    for (const change of changes) expect([200, 409]).toContain(change.status);
    const { body } = (await api.get(path)) as { body: { definition: { note: { n: number } } } };
    const accepted = [0, ...[1, 2, 3, 4].filter((_, index) => changes[index]?.status === 200)];
    expect(accepted).toContain(body.definition.note.n);
  });

  test.each([[{}], [{ definition: null }], [{ definition: [] }], [{ definition: 'x' }]])(
    'POST %j is 400 naming definition',
    async (body) => {
      const response = await api.post(versions, body);
      expect(response.status).toBe(400);
      expect((response.body as { error: string }).error).toMatch(/^definition /);
      expect((await api.post(versions, { definition: {}, status: 'published' })).status).toBe(400);
    },
  );

  test('a definition is at most 65,536 bytes of JSON', async () => {
    const definition = { note: 'x'.repeat(65_536 - '{"note":""}'.length) };
    const draft = await api.created<Version>(versions, { definition });
    const larger = { definition: { note: `${definition.note}x` } };
    const refusal = [400, { error: 'definition must be at most 65536 bytes of JSON' }];
    for (const response of [
      await api.post(versions, larger),
      await api.patch(`${versions}/${draft.id}`, larger),
    ]) {
      expect([response.status, response.body]).toEqual(refusal);
    }
    expect((await api.get(`${versions}/${draft.id}`)).body).toEqual(draft);
  });

  test('of another campaign, another team or unknown ones are 404', async () => {
    const draft = await api.created<Version>(versions, { definition: {} });
    const sibling = await api.created<Campaign>(`/teams/${team}/campaigns`, { name: 'B', status: 'active' });
    const { id: other } = await buildTeam(world.db);
    const { id: campaignId } = await readCampaign();
    for (const [path, what] of [
      [`/teams/${team}/campaigns/${sibling.id}/versions/${draft.id}`, 'Campaign version'],
      [`${versions}/${UNKNOWN_ID}`, 'Campaign version'],
      [`${versions}/x`, 'Campaign version'],
      [`/teams/${other}/campaigns/${campaignId}/versions/${draft.id}`, 'Campaign'],
      [`/teams/${UNKNOWN_ID}/campaigns/${campaignId}/versions/${draft.id}`, 'Team'],
    ] as const) {
      for (const attempt of [
        api.get(path),
        api.patch(path, { definition: { note: 'stolen' } }),
        api.patch(path, {}),
        api.post(`${path}/publish`),
      ]) {
        const response = await attempt;
        expect([response.status, response.body]).toEqual([404, { error: `${what} not found` }]);
      }
    }
    const collection = `/teams/${other}/campaigns/${campaignId}/versions`;
    expect((await api.get(collection)).status).toBe(404);
    expect((await api.post(collection, { definition: {} })).status).toBe(404);
    expect((await api.get(`${versions}/${draft.id}`)).body).toEqual(draft);
  });
});
