import { buildPhoneNumber, buildPool, buildTeam } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID, UUID } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let agents: string;

beforeEach(async () => {
  team = (await buildTeam(world.db, { default_country: 'US' })).id;
  agents = `/teams/${team}/voice-agents`;
});

const LEAST = { name: 'Ada', timezone: 'America/New_York', callingHours: null };
const DEFAULTS = {
  id: expect.stringMatching(UUID) as string,
  closedDates: [],
  promptTemplate: '',
  firstMessageTemplate: '',
  outboundPhoneNumber: null,
  numberPoolId: null,
  carrier: null,
  carrierAccountId: null,
  carrierSettings: {},
  purpose: null,
  createdAt: expect.stringMatching(ISO_INSTANT) as string,
};
const HOURS = {
  monday: [
    { start: '09:00', end: '12:00' },
    { start: '13:00', end: '24:00' },
  ],
  sunday: [{ start: '22:00', end: '02:00' }],
};

describe('voice agents', () => {
  test('POST returns the whole resource, and GET returns the same', async () => {
    const response = await api.post(agents, LEAST);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ ...DEFAULTS, ...LEAST });
    const path = `${agents}/${(response.body as { id: string }).id}`;
    expect((await api.get(path)).body).toEqual(response.body);
    expect((await api.get(agents)).body).toEqual({ items: [response.body], nextCursor: null });
  });

  test('every field can be sent, and nullable ones cleared', async () => {
    const number = (await buildPhoneNumber(world.db, team, { phone_number: '+14155552671' })).phone_number;
    const { id: numberPoolId } = await buildPool(world.db, team);
    const full = {
      name: 'Full',
      timezone: 'UTC',
      callingHours: HOURS,
      closedDates: ['2026-12-25', '2026-01-01', '2026-12-25'],
      promptTemplate: 'Hello {{contact.name}}',
      firstMessageTemplate: '{{greeting}}',
      outboundPhoneNumber: '(415) 555-2671',
      numberPoolId: numberPoolId.toUpperCase(),
      carrier: 'simulator',
      carrierSettings: { line: { id: 7 }, tags: ['a'] },
      purpose: 'survey',
    };
    const response = await api.post(agents, full);
    expect(response.status).toBe(201);
    const stored = {
      ...DEFAULTS,
      ...full,
      closedDates: ['2026-01-01', '2026-12-25'],
      outboundPhoneNumber: number,
      numberPoolId,
    };
    expect(response.body).toEqual(stored);

    const path = `${agents}/${(response.body as { id: string }).id}`;
    const cleared = { callingHours: null, outboundPhoneNumber: null, numberPoolId: null, carrier: null };
    const patched = await api.patch(path, { ...cleared, closedDates: [] });
    expect(patched.status).toBe(200);
    expect(patched.body).toEqual({ ...stored, ...cleared, closedDates: [] });
    const again = await api.patch(path, { callingHours: HOURS, outboundPhoneNumber: number, numberPoolId });
    expect(again.body).toEqual({ ...stored, closedDates: [], carrier: null });
  });

  test.each([
    [{ name: undefined }, 'name is required'],
    [{ timezone: undefined }, 'timezone is required'],
    [{ timezone: 'Nowhere' }, 'timezone'],
    [{ callingHours: undefined }, 'callingHours is required'],
    [{ callingHours: 'always' }, 'callingHours must be null or an object'],
    [{ callingHours: {} }, 'callingHours never open'],
    [{ callingHours: { mon: [] } }, 'callingHours has an unknown weekday'],
    [{ callingHours: { monday: [{ start: '9:00', end: '17:00' }] } }, 'callingHours.monday[0].start'],
    [{ callingHours: { monday: [{ start: '09:00', end: '09:00' }] } }, 'callingHours.monday[0].end'],
    [{ closedDates: ['2026-02-30'] }, 'closedDates[0]'],
    [{ closedDates: null }, 'closedDates'],
    [{ promptTemplate: 7 }, 'promptTemplate must be a string'],
    [{ promptTemplate: 'x'.repeat(65_537) }, 'promptTemplate must be at most 65536 characters'],
    [{ firstMessageTemplate: null }, 'firstMessageTemplate'],
    [{ outboundPhoneNumber: '' }, 'outboundPhoneNumber'],
    [{ outboundPhoneNumber: 'abc' }, 'outboundPhoneNumber'],
    [{ outboundPhoneNumber: '+14155550100' }, 'outboundPhoneNumber is not a phone number of the team'],
    [{ numberPoolId: 'x' }, 'numberPoolId must be a UUID'],
    [{ numberPoolId: UNKNOWN_ID }, 'numberPoolId is not a number pool of the team'],
    [{ carrierSettings: null }, 'carrierSettings must be an object'],
    [{ carrierSettings: [] }, 'carrierSettings must be an object'],
    [{ carrierSettings: { x: 'x'.repeat(16_384) } }, 'carrierSettings must be at most 16 KB of JSON'],
    [{ carrier: 'pigeon' }, 'carrier must be one of simulator, http'],
    [{ carrier: 'http' }, 'carrier is not configured here: http needs HTTP_CARRIER_SECRET, PUBLIC_URL'],
    [{ callinghours: null }, 'callinghours is not a field'],
  ])('%j is 400: %s', async (change, message) => {
    const response = await api.post(agents, { ...LEAST, ...change });
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.stringContaining(message) as string });
    if (Object.values(change).includes(undefined)) return;
    const { id } = await api.created(agents, LEAST);
    const patched = await api.patch(`${agents}/${id}`, change);
    expect([patched.status, patched.body]).toEqual([400, response.body]);
    expect((await api.get(`${agents}/${id}`)).body).toEqual({ ...DEFAULTS, ...LEAST });
  });

  test('another team’s number or pool is 400 naming the field', async () => {
    const { id: other } = await buildTeam(world.db);
    const { phone_number: outboundPhoneNumber } = await buildPhoneNumber(world.db, other);
    const { id: numberPoolId } = await buildPool(world.db, other);
    const { id } = await api.created(agents, LEAST);
    for (const [field, change] of Object.entries({
      outboundPhoneNumber: { outboundPhoneNumber },
      numberPoolId: { numberPoolId },
    })) {
      for (const response of [
        await api.post(agents, { ...LEAST, ...change }),
        await api.patch(`${agents}/${id}`, change),
      ]) {
        expect(response.status).toBe(400);
        expect((response.body as { error: string }).error).toContain(field);
      }
    }
  });

  test('of another team or an unknown one are 404', async () => {
    const { id } = await api.created(agents, LEAST);
    const others = `/teams/${(await buildTeam(world.db)).id}/voice-agents`;
    for (const path of [`${others}/${id}`, `${agents}/${UNKNOWN_ID}`, `${agents}/x`]) {
      expect((await api.get(path)).body).toEqual({ error: 'Voice agent not found' });
      expect((await api.patch(path, { name: 'B' })).status).toBe(404);
      expect((await api.patch(path, {})).status).toBe(404);
    }
    expect((await api.post(`/teams/${UNKNOWN_ID}/voice-agents`, LEAST)).status).toBe(404);
    expect((await api.get(`/teams/${UNKNOWN_ID}/voice-agents`)).status).toBe(404);
  });
});
