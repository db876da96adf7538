import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildTeam,
  buildVersion,
} from '../support/builders.js';
import {
  createOperatorWorld,
  ISO_INSTANT,
  NOBODY,
  type OperatorApi,
  type OperatorWorld,
} from './operator-api.js';

let world: OperatorWorld;
let api: OperatorApi;
let team: string;
let campaignId: string;
let versionId: string;
let enrollments: string;

beforeAll(async () => {
  world = await createOperatorWorld();
  api = world.api;
});
afterAll(() => world.close());
beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  ({ id: campaignId, current_version_id: versionId } = await buildCampaign(world.db, team));
  enrollments = `/teams/${team}/campaigns/${campaignId}/enrollments`;
});

interface Enrollment {
  id: string;
  status: string;
  updatedAt: string;
}

async function enroll(status: string, version_id = versionId): Promise<{ id: string; contactId: string }> {
  const { id: contactId } = await buildContact(world.db, team);
  const keys = { team_id: team, campaign_id: campaignId, contact_id: contactId, version_id };
  const { id } = await buildEnrollment(world.db, keys, {
    status,
    source: 'crm',
    updated_at: new Date('2026-01-01'),
  });
  return { id, contactId };
}

const MOVES = { pause: 'paused', resume: 'active', exit: 'exited' } as const;
const ALLOWED: Record<string, readonly string[]> = { active: ['pause', 'exit'], paused: ['resume', 'exit'] };

describe('enrollments', () => {
  test('GET answers the whole resource, and lists it', async () => {
    const { id, contactId } = await enroll('active');
    const resource = {
      id,
      campaignId,
      contactId,
      versionId,
      status: 'active',
      source: 'crm',
      createdAt: expect.stringMatching(ISO_INSTANT) as string,
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const one = await api.get(`${enrollments}/${id}`);
    expect([one.status, one.body]).toEqual([200, resource]);
    expect((await api.get(enrollments)).body).toEqual({ items: [resource], nextCursor: null });
  });

  for (const from of ['active', 'paused', 'completed', 'exited', 'failed']) {
    test.each(Object.entries(MOVES))(`of one that is ${from}: POST %s`, async (move, to) => {
      const { id } = await enroll(from);
      const before = (await api.get(`${enrollments}/${id}`)).body as Enrollment;
      const response = await api.post(`${enrollments}/${id}/${move}`);
      if (ALLOWED[from]?.includes(move)) {
        expect(response.status).toBe(201);
        expect(response.body).toEqual({
          ...before,
          status: to,
          updatedAt: expect.stringMatching(ISO_INSTANT) as string,
        });
        expect((response.body as Enrollment).updatedAt > before.updatedAt).toBe(true);
        expect((await api.get(`${enrollments}/${id}`)).body).toEqual(response.body);
      } else {
        expect(response.status).toBe(409);
        expect(response.body).toEqual({ error: `The enrollment is ${from} and cannot become ${to}` });
        expect((await api.get(`${enrollments}/${id}`)).body).toEqual(before);
      }
    });
  }

  test('of parallel moves to one state, one happens', async () => {
    const { id } = await enroll('active');
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`${enrollments}/${id}/exit`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('can be narrowed to a version and a state, and paged', async () => {
    const { id: draft } = await buildVersion(world.db, team, campaignId);
    for (const [status, version] of [
      ['active', versionId],
      ['active', versionId],
      ['paused', versionId],
      ['active', draft],
      ['exited', draft],
    ] as const) {
      await enroll(status, version);
    }
    const ids = async (query: string) => {
      const response = await api.get(`${enrollments}?${query}`);
      expect(response.status).toBe(200);
      return (response.body as { items: { id: string }[] }).items.map((item) => item.id);
    };
    expect(await ids('')).toHaveLength(5);
    expect(await ids(`versionId=${draft}`)).toHaveLength(2);
    expect(await ids('status=active')).toHaveLength(3);
    expect(await ids(`status=active&versionId=${versionId.toUpperCase()}`)).toHaveLength(2);
    expect(await ids('status=failed')).toEqual([]);
    expect(await ids(`versionId=${NOBODY}`)).toEqual([]);

    const walked: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = (await api.get(`${enrollments}?status=active&limit=1${cursor}`)) as {
        body: { items: { id: string }[]; nextCursor: string | null };
      };
      walked.push(...body.items.map((item) => item.id));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(walked).toEqual(await ids('status=active'));
  });

  test.each([
    ['versionId=x', 'versionId must be a UUID'],
    ['status=gone', 'status must be one of active, paused, completed, exited, failed'],
    ['status=active&status=paused', 'status must be sent once'],
    ['state=active', 'state is not a parameter of this list'],
    ['cursor=WyJ4Il0', 'cursor'],
  ])('?%s is 400: %s', async (query, message) => {
    const response = await api.get(`${enrollments}?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
  });

  test('of another campaign, another team, or of none, are 404', async () => {
    const { id } = await enroll('active');
    const { id: sibling } = await buildCampaign(world.db, team);
    const { id: other } = await buildTeam(world.db);
    for (const [path, what] of [
      [`/teams/${team}/campaigns/${sibling}/enrollments/${id}`, 'Enrollment'],
      [`${enrollments}/${NOBODY}`, 'Enrollment'],
      [`${enrollments}/x`, 'Enrollment'],
      [`/teams/${other}/campaigns/${campaignId}/enrollments/${id}`, 'Campaign'],
      [`/teams/${NOBODY}/campaigns/${campaignId}/enrollments/${id}`, 'Team'],
    ] as const) {
      for (const attempt of [
        api.get(path),
        ...Object.keys(MOVES).map((move) => api.post(`${path}/${move}`)),
      ]) {
        const response = await attempt;
        expect([response.status, response.body]).toEqual([404, { error: `${what} not found` }]);
      }
    }
    expect((await api.get(`/teams/${other}/campaigns/${campaignId}/enrollments`)).status).toBe(404);
    expect((await api.get(`${enrollments}/${id}`)).body).toMatchObject({ status: 'active' });
  });
});
