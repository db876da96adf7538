import { buildTeam, buildVersion } from '../support/builders.js';
import {
  createOperatorWorld,
  ISO_INSTANT,
  NOBODY,
  type OperatorApi,
  type OperatorWorld,
  UUID,
} from './operator-api.js';

let world: OperatorWorld;
let api: OperatorApi;
let team: string;
let campaigns: string;

beforeAll(async () => {
  world = await createOperatorWorld();
  api = world.api;
});
afterAll(() => world.close());
beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  campaigns = `/teams/${team}/campaigns`;
});

describe('campaigns', () => {
  test.each(['draft', 'active', 'paused', 'archived'])(
    'are born %s, with an empty current version',
    async (status) => {
      const response = await api.post(campaigns, { name: 'Spring', status });
      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        id: expect.stringMatching(UUID) as string,
        name: 'Spring',
        status,
        currentVersionId: expect.stringMatching(UUID) as string,
        draftVersionId: null,
        createdAt: expect.stringMatching(ISO_INSTANT) as string,
      });
      const made = response.body as { id: string; currentVersionId: string };
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

  test('PATCH changes what was sent', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'draft' });
    const active = await api.patch(`${campaigns}/${made.id}`, { status: 'active' });
    expect([active.status, active.body]).toEqual([200, { ...made, status: 'active' }]);
    const renamed = await api.patch(`${campaigns}/${made.id}`, { name: 'Summer' });
    expect(renamed.body).toEqual({ ...made, name: 'Summer', status: 'active' });
  });

  test('show their draft', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'active' });
    const { id: draftVersionId } = await buildVersion(world.db, team, made.id);
    expect((await api.get(`${campaigns}/${made.id}`)).body).toEqual({ ...made, draftVersionId });
    expect((await api.get(campaigns)).body).toMatchObject({ items: [{ draftVersionId }] });
  });

  test.each([
    [{ status: 'active' }, 'name is required'],
    [{ name: 'A' }, 'status is required'],
    [{ name: 'A', status: 'running' }, 'status must be one of draft, active, paused, archived'],
    [{ name: 'A', status: null }, 'status'],
    [{ name: '', status: 'active' }, 'name'],
    [{ name: 'A', status: 'active', currentVersionId: NOBODY }, 'currentVersionId is not a field'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post(campaigns, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
  });

  test('of another team, or of none, are 404', async () => {
    const made = await api.created(campaigns, { name: 'Spring', status: 'active' });
    const { id: other } = await buildTeam(world.db);
    for (const path of [`/teams/${other}/campaigns/${made.id}`, `${campaigns}/${NOBODY}`, `${campaigns}/x`]) {
      expect((await api.get(path)).body).toEqual({ error: 'Campaign not found' });
      expect((await api.patch(path, { name: 'B' })).status).toBe(404);
    }
    expect((await api.get(`/teams/${NOBODY}/campaigns`)).status).toBe(404);
    expect((await api.post(`/teams/${NOBODY}/campaigns`, { name: 'A', status: 'active' })).status).toBe(404);
  });
});
