import { buildAgent, buildCall, buildContact, buildTeam } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID, UUID } from './operator-api.js';

const { world, api } = operatorOfFile();

const DEFAULTS = {
  id: expect.stringMatching(UUID) as string,
  timezone: 'UTC',
  defaultCountry: null,
  allowedCountries: null,
  allowedCarriers: null,
  whitelistOnly: false,
  monthlyCallLimit: null,
  numberDailyLimit: null,
  numberWeeklyLimit: null,
  numberMonthlyLimit: null,
  maxConcurrentCalls: 10,
  retryWithinRedialWindow: false,
  acceptUnknownRanges: false,
  doNotCallByPurpose: false,
  callRetentionDays: 395,
  eventRetentionDays: 7,
  paused: false,
  compliance: {
    mode: 'warn',
    packs: 'auto',
    purpose: null,
    voice: null,
    regionProperty: null,
    consentProperty: null,
    kinds: {},
  },
  createdAt: expect.stringMatching(ISO_INSTANT) as string,
};

const FULL = {
  name: 'Everything',
  timezone: 'Europe/Berlin',
  defaultCountry: 'DE',
  allowedCountries: ['DE', 'AT'],
  allowedCarriers: ['simulator', 'http'],
  whitelistOnly: true,
  monthlyCallLimit: 1000,
  numberDailyLimit: 1,
  numberWeeklyLimit: 3,
  numberMonthlyLimit: 0,
  maxConcurrentCalls: 1,
  retryWithinRedialWindow: true,
  acceptUnknownRanges: true,
  doNotCallByPurpose: true,
  callRetentionDays: 90,
  eventRetentionDays: null,
  compliance: {
    mode: 'enforce',
    packs: ['us', 'us-fl'],
    purpose: 'debt',
    voice: 'ai',
    regionProperty: 'state',
    consentProperty: 'consent',
    kinds: { consentRequired: 'warn' },
  },
};

describe('teams', () => {
  test('POST returns 201 with the whole resource, and GET returns the same', async () => {
    const response = await api.post('/teams', { name: 'Acme' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ ...DEFAULTS, name: 'Acme' });
    const { id } = response.body as { id: string };
    const read = await api.get(`/teams/${id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(response.body);
  });

  test('a new team has 10 concurrent calls, unless its request says otherwise; a change keeps what it does not name', async () => {
    for (const [sent, maxConcurrentCalls] of [
      [{}, 10],
      [{ maxConcurrentCalls: null }, null],
      [{ maxConcurrentCalls: 3 }, 3],
    ] as const) {
      const team = await api.created('/teams', { name: 'Careful', ...sent });
      expect(team).toMatchObject({ maxConcurrentCalls });
      const path = `/teams/${team.id}`;
      expect((await api.patch(path, { name: 'B' })).body).toMatchObject({ maxConcurrentCalls });
      expect((await api.get(path)).body).toMatchObject({ name: 'B', maxConcurrentCalls });
    }
  });

  test('every field can be sent', async () => {
    const response = await api.post('/teams', FULL);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ ...DEFAULTS, ...FULL });
  });

  test('PATCH changes sent fields, clears null ones, and keeps the others', async () => {
    const { id } = await api.created('/teams', FULL);
    const changed = await api.patch(`/teams/${id}`, {
      name: 'New',
      allowedCountries: null,
      monthlyCallLimit: null,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...DEFAULTS,
      ...FULL,
      name: 'New',
      allowedCountries: null,
      monthlyCallLimit: null,
    });
    expect((await api.get(`/teams/${id}`)).body).toEqual(changed.body);
    const untouched = await api.patch(`/teams/${id}`, {});
    expect([untouched.status, untouched.body]).toEqual([200, changed.body]);
  });

  test('a change of compliance keeps the keys that it does not name', async () => {
    const { id } = await api.created('/teams', { name: 'A', compliance: { purpose: 'survey' } });
    const changed = await api.patch(`/teams/${id}`, { compliance: { mode: 'enforce' } });
    expect(changed.body).toMatchObject({ compliance: { mode: 'enforce', purpose: 'survey', packs: 'auto' } });
  });

  test.each([
    [{}, 'name is required'],
    [{ name: 'A', compliance: { mode: 'on' } }, 'compliance.mode must be one of off, warn, enforce'],
    [
      { name: 'A', compliance: { packs: ['us', 'atlantis'] } },
      'compliance.packs[1] must be the name of a pack',
    ],
    [{ name: '  ' }, 'name must not be empty'],
    [{ name: null }, 'name must be a string'],
    [{ name: 'x'.repeat(201) }, 'name must be at most 200 characters'],
    [{ name: 'A', timezone: 'Mars/Olympus' }, 'timezone'],
    [{ name: 'A', timezone: null }, 'timezone'],
    [{ name: 'A', defaultCountry: 'us' }, 'defaultCountry'],
    [{ name: 'A', allowedCountries: ['US', 'XX'] }, 'allowedCountries'],
    [{ name: 'A', allowedCountries: 'US' }, 'allowedCountries'],
    [
      { name: 'A', allowedCarriers: ['simulator', 'pigeon'] },
      'allowedCarriers must hold names of simulator, http',
    ],
    [{ name: 'A', allowedCarriers: ['http', 'http'] }, 'allowedCarriers must not repeat a name'],
    [{ name: 'A', allowedCarriers: 'http' }, 'allowedCarriers must be an array of names'],
    [{ name: 'A', whitelistOnly: 'yes' }, 'whitelistOnly must be true or false'],
    [{ name: 'A', whitelistOnly: null }, 'whitelistOnly'],
    [{ name: 'A', monthlyCallLimit: -1 }, 'monthlyCallLimit'],
    [{ name: 'A', monthlyCallLimit: 1.5 }, 'monthlyCallLimit'],
    [{ name: 'A', numberDailyLimit: '3' }, 'numberDailyLimit'],
    [{ name: 'A', numberWeeklyLimit: 1e12 }, 'numberWeeklyLimit'],
    [{ name: 'A', maxConcurrentCalls: 0 }, 'maxConcurrentCalls must be a whole number from 1'],
    [
      { name: 'A', callRetentionDays: 30 },
      'callRetentionDays must be null, "platform" or a whole number from 31',
    ],
    [{ name: 'A', callRetentionDays: 36_501 }, 'callRetentionDays'],
    [{ name: 'A', callRetentionDays: '90' }, 'callRetentionDays'],
    [
      { name: 'A', eventRetentionDays: 0 },
      'eventRetentionDays must be null, "platform" or a whole number from 1',
    ],
    [{ name: 'A', paused: 'yes' }, 'paused'],
    [{ name: 'A', nmae: 'B' }, 'nmae is not a field'],
    [{ name: 'A', constructor: 1 }, 'constructor is not a field'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post('/teams', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.stringContaining(message) as string });
  });

  test('PATCH refuses the same', async () => {
    const { id } = await api.created('/teams', { name: 'A' });
    for (const body of [{ name: null }, { maxConcurrentCalls: 0 }, { id }, { timezone: 'x' }]) {
      const response = await api.patch(`/teams/${id}`, body);
      expect(response.status).toBe(400);
      expect((response.body as { error: string }).error).toContain(Object.keys(body)[0]);
    }
  });

  test('an unknown or malformed id is 404', async () => {
    for (const id of [UNKNOWN_ID, 'nonsense', '%2e%2e']) {
      for (const attempt of [
        api.get(`/teams/${id}`),
        api.patch(`/teams/${id}`, { name: 'B' }),
        api.patch(`/teams/${id}`, { monthlyCallLimit: 5 }),
        api.post(`/teams/${id}/pause`),
        api.post(`/teams/${id}/resume`),
      ]) {
        const response = await attempt;
        expect([response.status, response.body]).toEqual([404, { error: 'Team not found' }]);
      }
    }
  });
});

describe('pausing and resuming', () => {
  test('a team', async () => {
    const team = await api.created('/teams', { name: 'Pausing' });
    const paused = await api.post(`/teams/${team.id}/pause`);
    expect([paused.status, paused.body]).toEqual([201, { ...team, paused: true }]);
    const again = await api.post(`/teams/${team.id}/pause`);
    expect([again.status, again.body]).toEqual([201, { ...team, paused: true }]);
    const resumed = await api.post(`/teams/${team.id}/resume`);
    expect([resumed.status, resumed.body]).toEqual([201, team]);
  });

  test('the platform', async () => {
    const setting = async () =>
      (await world.db.query<{ paused: boolean }[]>('SELECT paused FROM platform_settings'))[0]?.paused;
    const paused = await api.post('/pause');
    expect([paused.status, paused.body, await setting()]).toEqual([201, { paused: true }, true]);
    const resumed = await api.post('/resume');
    expect([resumed.status, resumed.body, await setting()]).toEqual([201, { paused: false }, false]);
  });
});

describe('a monthly limit that is set', () => {
  async function usage(teamId: string): Promise<number | undefined> {
    const rows = await world.db.query<{ used: number }[]>(
      `SELECT sum(used)::integer AS used FROM plan_usage
       WHERE team_id = $1 AND month = date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date`,
      [teamId],
    );
    return rows[0]?.used;
  }

  async function countedCalls(teamId: string, count: number, month: string | null): Promise<void> {
    const { id: agentId } = await buildAgent(world.db, teamId);
    for (let index = 0; index < count; index += 1) {
      const contact = await buildContact(world.db, teamId);
      await buildCall(
        world.db,
        { team_id: teamId, agent_id: agentId, contact_id: contact.id, phone_number: contact.phone_number },
        { counted_month: month },
      );
    }
  }

  const thisMonth = `${new Date().toISOString().slice(0, 7)}-01`;

  test('counts the calls of the month so far', async () => {
    const { id } = await buildTeam(world.db);
    await countedCalls(id, 3, thisMonth);
    await countedCalls(id, 2, '2020-01-01');
    await countedCalls(id, 1, null);
    await countedCalls((await buildTeam(world.db)).id, 4, thisMonth);
    expect((await api.patch(`/teams/${id}`, { monthlyCallLimit: 10 })).status).toBe(200);
    expect(await usage(id)).toBe(3);
  });

  test('corrects counts from before the earlier limit was removed', async () => {
    const { id } = await buildTeam(world.db, { monthly_call_limit: 5 });
    await world.db.query('INSERT INTO plan_usage (team_id, month, used) VALUES ($1, $2, 99)', [
      id,
      thisMonth,
    ]);
    await api.patch(`/teams/${id}`, { monthlyCallLimit: null });
    await api.patch(`/teams/${id}`, { monthlyCallLimit: 5 });
    expect(await usage(id)).toBe(0);
  });

  test('waits for a trigger without a count, and counts its call', async () => {
    const { id } = await buildTeam(world.db);
    const trigger = world.db.createQueryRunner();
    await trigger.startTransaction();
    await trigger.query('SELECT pg_advisory_xact_lock_shared(team_lock_key($1))', [id]);
    const patch = api.patch(`/teams/${id}`, { monthlyCallLimit: 10 }).then((response) => response.status);
    const first = await Promise.race([patch, new Promise((resolve) => setTimeout(resolve, 300, 'waiting'))]);
    expect(first).toBe('waiting');
    await countedCalls(id, 1, thisMonth);
    await trigger.commitTransaction();
    await trigger.release();
    expect(await patch).toBe(200);
    expect(await usage(id)).toBe(1);
  });
});
