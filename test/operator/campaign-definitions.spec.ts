import { buildAgent, buildTeam, buildVersion } from '../support/builders.js';
import { operatorOfFile } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let campaigns: string;

beforeEach(async () => {
  team = (await buildTeam(world.db)).id;
  campaigns = `/teams/${team}/campaigns`;
});

interface Version {
  id: string;
  definition: Record<string, unknown>;
  warnings?: { code: string; path: string; message: string }[];
}

describe('the definitions of their versions', () => {
  let campaignId: string;
  let versions: string;
  let agentId: string;

  beforeEach(async () => {
    agentId = (await buildAgent(world.db, team)).id;
    const made = await api.created<{ id: string }>(campaigns, { name: 'Spring', status: 'active' });
    campaignId = made.id;
    versions = `${campaigns}/${campaignId}/versions`;
  });

  const marker = async (id: string) => {
    const rows = await world.db.query<{ definition_format: number | null }[]>(
      'SELECT definition_format FROM campaign_versions WHERE id = $1',
      [id],
    );
    return rows[0]?.definition_format;
  };

  test('a draft is validated when it is written: 400 naming the path', async () => {
    const steps = [
      { key: 'first', agentId },
      { key: 'second', agentId, retry: { unknown: ['PT1H'] } },
    ];
    const refused = await api.post(versions, { definition: { steps } });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: expect.stringContaining('steps[1].retry.unknown') as unknown,
    });
    const draft = await api.created<Version>(versions, { definition: { note: 'kept' } });
    const change = await api.patch(`${versions}/${draft.id}`, { definition: { greeting: 'hi' } });
    expect([change.status, change.body]).toEqual([
      400,
      {
        error:
          'definition.greeting is not known here; known are note, steps, variables, hours, closedDates, caps',
      },
    ]);
    expect((await api.get(`${versions}/${draft.id}`)).body).toMatchObject({ definition: { note: 'kept' } });
  });

  test('the agents of steps must exist in the team', async () => {
    const other = (await buildTeam(world.db)).id;
    const foreign = (await buildAgent(world.db, other)).id;
    const steps = [
      { key: 'first', agentId: agentId.toUpperCase() },
      { key: 'second', agentId: foreign },
    ];
    const refused = await api.post(versions, { definition: { steps } });
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'definition.steps[1].agentId is not a voice agent of the team' },
    ]);
    const draft = await api.created<Version>(versions, { definition: { steps: steps.slice(0, 1) } });
    expect(draft.definition).toEqual({ steps: steps.slice(0, 1) });
    const change = await api.patch(`${versions}/${draft.id}`, { definition: { steps } });
    expect(change.status).toBe(400);
  });

  test('publishing answers the version with warnings', async () => {
    const steps = [
      {
        key: 'first',
        agentId,
        retry: { busy: ['P1D', 'PT15M'] },
        on: [{ outcome: 'no_response', end: 'reached' }],
      },
      { key: 'second', agentId, after: 'P3D' },
    ];
    const draft = await api.created<Version>(versions, { definition: { steps } });
    expect(draft.warnings).toBeUndefined();
    const published = (await api.post(`${versions}/${draft.id}/publish`)).body as Version;
    expect(published).toMatchObject({ id: draft.id, status: 'published', definition: { steps } });
    expect(published.warnings?.map(({ code, path }) => [code, path])).toEqual([
      ['DELAY_SHORTER_THAN_REDIAL_WINDOW', 'steps[0].retry.busy[1]'],
      ['STEP_UNREACHABLE', 'steps[1]'],
      ['WORST_CASE_DIALS', 'steps'],
    ]);
    expect((await api.get(`${versions}/${draft.id}`)).body).not.toHaveProperty('warnings');
  });

  test('an older version without a validated definition is read and published, and places no calls', async () => {
    const definition = { steps: [{ agent: 'reminder', afterDays: 2 }], greeting: 'hi' };
    const { id } = await buildVersion(world.db, team, campaignId, { definition });
    expect((await api.get(`${versions}/${id}`)).body).toMatchObject({ definition });
    expect((await api.patch(`${versions}/${id}`, {})).status).toBe(200);
    const published = await api.post(`${versions}/${id}/publish`);
    expect(published.status).toBe(201);
    expect(published.body).toMatchObject({ definition, warnings: [{ code: 'CALLS_NOBODY', path: '' }] });
    expect(await marker(id)).toBeNull();
  });

  test('an older version that looks like a valid definition places no calls until it is written again', async () => {
    const definition = { steps: [{ key: 'first', agentId }] };
    const { id } = await buildVersion(world.db, team, campaignId, { definition });
    await api.patch(`${versions}/${id}`, {});
    expect(await marker(id)).toBeNull();
    await api.patch(`${versions}/${id}`, { definition });
    expect(await marker(id)).toBe(1);
    const published = (await api.post(`${versions}/${id}/publish`)).body as Version;
    expect(published.warnings?.map(({ code }) => code)).toEqual(['WORST_CASE_DIALS']);
  });
});
