import { operatorOfFile } from './operator-api.js';

const { api } = operatorOfFile();

const DEFAULTS_OF_RETENTION = { callRetentionDays: 395, eventRetentionDays: 7 };
const DEFAULTS = { paused: false, ...DEFAULTS_OF_RETENTION };

test('the settings of the platform are read and changed field by field', async () => {
  const read = await api.get('/platform');
  expect([read.status, read.body]).toEqual([200, DEFAULTS]);
  const changed = await api.patch('/platform', { callRetentionDays: 31 });
  expect([changed.status, changed.body]).toEqual([200, { ...DEFAULTS, callRetentionDays: 31 }]);
  const kept = await api.patch('/platform', { callRetentionDays: null, eventRetentionDays: 1 });
  expect(kept.body).toEqual({ ...DEFAULTS, callRetentionDays: null, eventRetentionDays: 1 });
  expect((await api.patch('/platform', {})).body).toEqual(kept.body);
  expect((await api.get('/platform')).body).toEqual(kept.body);
  expect((await api.patch('/platform', DEFAULTS_OF_RETENTION)).body).toEqual(DEFAULTS);
});

test.each([
  [{ callRetentionDays: 30 }, 'callRetentionDays must be null or a whole number from 31 to 36500'],
  [{ callRetentionDays: 31.5 }, 'callRetentionDays'],
  [{ callRetentionDays: 'platform' }, 'callRetentionDays'],
  [{ eventRetentionDays: 0 }, 'eventRetentionDays must be null or a whole number from 1 to 36500'],
  [{ paused: true }, 'paused is not a field'],
])('PATCH %j is 400', async (body, message) => {
  const response = await api.patch('/platform', body);
  expect([response.status, response.body]).toEqual([
    400,
    { error: expect.stringContaining(message) as string },
  ]);
});

test('a team without days of its own has the platform’s, also after a change', async () => {
  const following = await api.created('/teams', { name: 'Following' });
  const own = await api.created('/teams', { name: 'Own', callRetentionDays: 90, eventRetentionDays: null });
  const daysOf = async (id: string) => {
    const { callRetentionDays, eventRetentionDays } = (await api.get(`/teams/${id}`)).body as Record<
      string,
      unknown
    >;
    return [callRetentionDays, eventRetentionDays];
  };
  await api.patch('/platform', { callRetentionDays: null, eventRetentionDays: 30 });
  expect(await daysOf(following.id)).toEqual([null, 30]);
  expect(await daysOf(own.id)).toEqual([90, null]);
  const answer = await api.patch(`/teams/${own.id}`, { callRetentionDays: 'platform' });
  expect(answer.body).toMatchObject({ callRetentionDays: null, eventRetentionDays: null });
  await api.patch('/platform', DEFAULTS_OF_RETENTION);
  expect(await daysOf(following.id)).toEqual([395, 7]);
  expect(await daysOf(own.id)).toEqual([395, null]);
});
