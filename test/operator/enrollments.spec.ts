import { cursorParameters } from '../../src/campaigns/enrollment/enrollment-order.js';
import { enrollmentsByStatus, enrollmentsThatWait } from '../../src/campaigns/records/enrollment-list.sql.js';
import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildTeam,
  buildVersion,
} from '../support/builders.js';
import { buildDials } from '../support/enrollment-builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let campaignId: string;
let versionId: string;
let enrollments: string;

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

const ACTIONS = { pause: 'paused', resume: 'active', exit: 'exited' } as const;
const ALLOWED: Record<string, readonly string[]> = { active: ['pause', 'exit'], paused: ['resume', 'exit'] };

describe('enrollments', () => {
  test('GET returns the whole resource, and lists it', async () => {
    const { id, contactId } = await enroll('active');
    const resource = {
      id,
      enrollmentId: id,
      campaignId,
      contactId,
      externalId: null,
      versionId,
      entry: 1,
      status: 'active',
      endReason: null,
      step: null,
      nextAttemptAt: null,
      waitingFor: null,
      source: 'crm',
      createdAt: expect.stringMatching(ISO_INSTANT) as string,
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const one = await api.get(`${enrollments}/${id}`);
    // The version was stored before campaigns placed calls.
    const evidence = { storedUnvalidated: true, versionId };
    expect([one.status, one.body]).toEqual([
      200,
      {
        ...resource,
        waitingFor: 'no_steps',
        attempts: 0,
        timeline: [],
        whyNot: { rule: 'no_steps', evidence, retryAt: null },
      },
    ]);
    expect((await api.get(enrollments)).body).toEqual({ items: [resource], nextCursor: null });
  });

  test('GET shows step, wait and timeline, and counts processed dials', async () => {
    const { id, contactId } = await enroll('active');
    const timeline = [
      { at: '2026-01-02T10:00:00.000Z', kind: 'held', until: null, waitingFor: 'PLAN_LIMIT' },
    ];
    await world.db.query(
      `UPDATE enrollments SET step = 'first', waiting_for = 'retry', next_attempt_at = '2026-01-02T12:00:00Z',
         timeline = $2 WHERE id = $1`,
      [id, JSON.stringify(timeline)],
    );
    await buildDials(world.db, { id, team, campaignId, contactId }, ['no_answer', 'refused', 'in_progress']);
    const waiting = { step: 'first', waitingFor: 'retry', nextAttemptAt: '2026-01-02T12:00:00.000Z' };
    expect((await api.get(`${enrollments}/${id}`)).body).toMatchObject({
      ...waiting,
      // The rule as of now: the version has no steps.
      waitingFor: 'no_steps',
      attempts: 2,
      timeline,
    });
    const list = (await api.get(enrollments)).body as { items: object[] };
    expect(list.items).toMatchObject([waiting]);
    expect(list.items[0]).not.toHaveProperty('timeline');
  });

  for (const from of ['active', 'paused', 'completed', 'exited', 'failed']) {
    test.each(Object.entries(ACTIONS))(`of an enrollment that is ${from}: POST %s`, async (action, to) => {
      const { id } = await enroll(from);
      const before = (await api.get(`${enrollments}/${id}`)).body as Enrollment;
      const response = await api.post(`${enrollments}/${id}/${action}`);
      if (ALLOWED[from]?.includes(action)) {
        expect(response.status).toBe(201);
        expect(response.body).toEqual({
          ...before,
          status: to,
          ...(to === 'exited' ? { endReason: 'manual', waitingFor: null, whyNot: null } : {}),
          timeline: [expect.objectContaining({ at: expect.stringMatching(ISO_INSTANT) as string }) as object],
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

  test('one of parallel transitions to one state succeeds', async () => {
    const { id } = await enroll('active');
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`${enrollments}/${id}/exit`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('can be filtered by version and state, and paged', async () => {
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
    expect(await ids(`versionId=${draft}&version=draft`)).toHaveLength(2);
    expect(await ids(`versionId=${draft}&version=current`)).toEqual([]);
    expect(await ids('status=active')).toHaveLength(3);
    expect(await ids(`status=active&versionId=${versionId.toUpperCase()}`)).toHaveLength(2);
    expect(await ids('status=failed')).toEqual([]);
    expect(await ids(`versionId=${UNKNOWN_ID}`)).toEqual([]);

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

  test('can be filtered by wait and by current version or draft, with an index', async () => {
    const wait = async (waitingFor: string | null, version?: string) => {
      const { id } = await enroll(waitingFor === null ? 'exited' : 'active', version);
      await world.db.query('UPDATE enrollments SET waiting_for = $2 WHERE id = $1', [id, waitingFor]);
      return id;
    };
    const ids = async (query: string) => {
      const { body } = (await api.get(`${enrollments}?${query}`)) as { body: { items: { id: string }[] } };
      return body.items.map((item) => item.id).sort();
    };
    const [hours, retry, ended] = [await wait('hours'), await wait('retry'), await wait(null)];
    expect(await ids('version=draft')).toEqual([]);
    const { id: draft } = await buildVersion(world.db, team, campaignId);
    const held = await wait('PLAN_LIMIT', draft);
    expect(await ids('waitingFor=retry')).toEqual([retry]);
    expect(await ids('waitingFor=PLAN_LIMIT&status=active')).toEqual([held]);
    expect(await ids('waitingFor=retry&version=draft')).toEqual([]);
    expect(await ids('version=draft')).toEqual([held]);
    expect(await ids(`version=${draft.toUpperCase()}`)).toEqual([held]);
    expect(await ids('version=current')).toEqual([hours, retry, ended].sort());

    const first = [team, campaignId, ...cursorParameters(null), 50];
    for (const [text, values, index] of [
      [
        enrollmentsThatWait(false),
        [...first, ['active', 'paused'], 'retry'],
        'ix_enrollments_newest_waiting',
      ],
      [enrollmentsByStatus(false), [...first, ['active', 'paused']], 'ix_enrollments_newest'],
    ] as const) {
      const plan = await world.db.transaction(async (manager) => {
        await manager.query('SET LOCAL enable_seqscan = off');
        await manager.query('SET LOCAL enable_bitmapscan = off');
        return JSON.stringify(await manager.query<object[]>(`EXPLAIN ${text}`, [...values]));
      });
      expect(plan).toContain(`using ${index} `);
    }
  });

  test.each([
    ['waitingFor=godot', 'waitingFor must be one of COUNTRY_NOT_ALLOWED'],
    ['version=newest', 'version must be current, draft or the id of a campaign version'],
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

  test('of another campaign, another team or unknown ones are 404', async () => {
    const { id } = await enroll('active');
    const { id: sibling } = await buildCampaign(world.db, team);
    const { id: other } = await buildTeam(world.db);
    for (const [path, what] of [
      [`/teams/${team}/campaigns/${sibling}/enrollments/${id}`, 'Enrollment'],
      [`${enrollments}/${UNKNOWN_ID}`, 'Enrollment'],
      [`${enrollments}/x`, 'Enrollment'],
      [`/teams/${other}/campaigns/${campaignId}/enrollments/${id}`, 'Campaign'],
      [`/teams/${UNKNOWN_ID}/campaigns/${campaignId}/enrollments/${id}`, 'Team'],
    ] as const) {
      for (const attempt of [
        api.get(path),
        ...Object.keys(ACTIONS).map((action) => api.post(`${path}/${action}`)),
      ]) {
        const response = await attempt;
        expect([response.status, response.body]).toEqual([404, { error: `${what} not found` }]);
      }
    }
    expect((await api.get(`/teams/${other}/campaigns/${campaignId}/enrollments`)).status).toBe(404);
    expect((await api.get(`${enrollments}/${id}`)).body).toMatchObject({ status: 'active' });
  });
});
