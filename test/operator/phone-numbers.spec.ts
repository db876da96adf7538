import { ISO_INSTANT, operatorOfFile, UNKNOWN_ID, UUID } from './operator-api.js';
import { buildTeam, nextNumber } from '../support/builders.js';

const { world, api } = operatorOfFile();
let team: string;
let numbers: string;
let pools: string;

beforeEach(async () => {
  team = (await buildTeam(world.db, { default_country: 'US' })).id;
  numbers = `/teams/${team}/phone-numbers`;
  pools = `/teams/${team}/number-pools`;
});

const createdAt = expect.stringMatching(ISO_INSTANT) as string;
const id = expect.stringMatching(UUID) as string;

describe('phone numbers', () => {
  test('POST returns the whole resource in E.164, and GET returns the same', async () => {
    const response = await api.post(numbers, { phoneNumber: '(415) 555-2671' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id,
      phoneNumber: '+14155552671',
      active: true,
      outboundEnabled: true,
      createdAt,
    });
    const path = `${numbers}/${(response.body as { id: string }).id}`;
    expect((await api.get(path)).body).toEqual(response.body);
    expect((await api.get(numbers)).body).toEqual({ items: [response.body], nextCursor: null });
  });

  test('PATCH changes only sent fields', async () => {
    const made = await api.created(numbers, { phoneNumber: nextNumber(), active: false });
    const response = await api.patch(`${numbers}/${made.id}`, { active: true, outboundEnabled: false });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...made, active: true, outboundEnabled: false });
    const renumbered = await api.patch(`${numbers}/${made.id}`, { phoneNumber: '415-555-0199' });
    expect(renumbered.body).toEqual({
      ...made,
      active: true,
      outboundEnabled: false,
      phoneNumber: '+14155550199',
    });
  });

  test('a number that the team has is 409 in any spelling; another team may have it', async () => {
    await api.created(numbers, { phoneNumber: '+14155552671' });
    const again = await api.post(numbers, { phoneNumber: '415 555 2671' });
    expect([again.status, again.body]).toEqual([409, { error: 'The team already has this phoneNumber' }]);
    const other = await api.created(numbers, { phoneNumber: nextNumber() });
    expect((await api.patch(`${numbers}/${other.id}`, { phoneNumber: '+14155552671' })).status).toBe(409);
    const others = `/teams/${(await buildTeam(world.db)).id}/phone-numbers`;
    expect((await api.post(others, { phoneNumber: '+14155552671' })).status).toBe(201);
  });

  test('a number in use cannot be changed', async () => {
    const phoneNumber = nextNumber();
    const made = await api.created(numbers, { phoneNumber });
    await api.created(pools, { name: 'P', phoneNumbers: [phoneNumber] });
    const response = await api.patch(`${numbers}/${made.id}`, { phoneNumber: nextNumber() });
    expect(response.status).toBe(409);
    expect((response.body as { error: string }).error).toContain('in use');
    expect((await api.patch(`${numbers}/${made.id}`, { active: false })).status).toBe(200);
  });

  test.each([
    [{}, 'phoneNumber is required'],
    [{ phoneNumber: 4155552671 }, 'phoneNumber must be a string'],
    [{ phoneNumber: '12' }, 'phoneNumber is not a valid phone number'],
    [{ phoneNumber: '+14155552671', active: 'no' }, 'active'],
    [{ phoneNumber: '+14155552671', outboundEnabled: null }, 'outboundEnabled'],
    [{ phoneNumber: '+14155552671', number: 1 }, 'number is not a field'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post(numbers, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
  });

  test('national form without a default country is 400', async () => {
    const { id: plain } = await buildTeam(world.db);
    const response = await api.post(`/teams/${plain}/phone-numbers`, { phoneNumber: '415 555 2671' });
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain('phoneNumber');
  });

  test('of another team or an unknown one are 404', async () => {
    const made = await api.created(numbers, { phoneNumber: nextNumber() });
    const others = `/teams/${(await buildTeam(world.db)).id}/phone-numbers`;
    for (const path of [
      `${others}/${made.id}`,
      `${numbers}/${UNKNOWN_ID}`,
      `${numbers}/x`,
      `/teams/x/phone-numbers/x`,
    ]) {
      expect((await api.get(path)).status).toBe(404);
      expect((await api.patch(path, { active: false })).status).toBe(404);
    }
    expect((await api.post(`/teams/${UNKNOWN_ID}/phone-numbers`, { phoneNumber: nextNumber() })).status).toBe(
      404,
    );
    expect((await api.get(`/teams/${UNKNOWN_ID}/phone-numbers`)).status).toBe(404);
  });
});

describe('number pools', () => {
  test('are created, read and changed by POST, GET and PATCH', async () => {
    const [a, b] = ['+14155550111', '+14155550122'];
    for (const phoneNumber of [a, b]) await api.created(numbers, { phoneNumber });
    const response = await api.post(pools, { name: 'West', phoneNumbers: [b, '415-555-0111', a] });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ id, name: 'West', phoneNumbers: [a, b], createdAt });
    const made = response.body as { id: string };
    expect((await api.get(`${pools}/${made.id}`)).body).toEqual(made);
    expect((await api.get(pools)).body).toEqual({ items: [made], nextCursor: null });

    const renamed = await api.patch(`${pools}/${made.id}`, { name: 'East' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...made, name: 'East' }]);
    const replaced = await api.patch(`${pools}/${made.id}`, { phoneNumbers: [b] });
    expect(replaced.body).toEqual({ ...made, name: 'East', phoneNumbers: [b] });
    const emptied = await api.patch(`${pools}/${made.id}`, { phoneNumbers: [] });
    expect(emptied.body).toEqual({ ...made, name: 'East', phoneNumbers: [] });
  });

  test('a number of another team is 400 naming it, and changes nothing', async () => {
    const own = nextNumber();
    const foreign = nextNumber();
    await api.created(numbers, { phoneNumber: own });
    await api.created(`/teams/${(await buildTeam(world.db)).id}/phone-numbers`, { phoneNumber: foreign });
    const refusal = { error: 'phoneNumbers[1] is not a phone number of the team' };
    const response = await api.post(pools, { name: 'P', phoneNumbers: [own, foreign] });
    expect([response.status, response.body]).toEqual([400, refusal]);
    expect((await api.get(pools)).body).toEqual({ items: [], nextCursor: null });
    const made = await api.created(pools, { name: 'P', phoneNumbers: [own] });
    const patched = await api.patch(`${pools}/${made.id}`, { name: 'Q', phoneNumbers: [own, foreign] });
    expect([patched.status, patched.body]).toEqual([400, refusal]);
    expect((await api.get(`${pools}/${made.id}`)).body).toEqual(made);
  });

  test.each([
    [{ phoneNumbers: [] }, 'name is required'],
    [{ name: 'P' }, 'phoneNumbers is required'],
    [{ name: 'P', phoneNumbers: '+14155552671' }, 'phoneNumbers must be an array'],
    [{ name: 'P', phoneNumbers: [7] }, 'phoneNumbers[0] must be a string'],
    [{ name: 'P', phoneNumbers: ['junk'] }, 'phoneNumbers[0]'],
    [{ name: 'P', phoneNumbers: null }, 'phoneNumbers'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post(pools, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
  });

  test('keep the members of one of several simultaneous replacements', async () => {
    const own = Array.from({ length: 6 }, nextNumber);
    for (const phoneNumber of own) await api.created(numbers, { phoneNumber });
    const made = await api.created(pools, { name: 'P', phoneNumbers: [] });
    const answers = await Promise.all(
      own.map((phoneNumber) => api.patch(`${pools}/${made.id}`, { phoneNumbers: [phoneNumber] })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(own.map(() => 200));
    const { phoneNumbers } = (await api.get(`${pools}/${made.id}`)).body as { phoneNumbers: string[] };
    expect(phoneNumbers).toHaveLength(1);
  });

  test('of another team or an unknown one are 404', async () => {
    const made = await api.created(pools, { name: 'P', phoneNumbers: [] });
    const others = `/teams/${(await buildTeam(world.db)).id}/number-pools`;
    for (const path of [`${others}/${made.id}`, `${pools}/${UNKNOWN_ID}`, `${pools}/x`]) {
      expect((await api.get(path)).body).toEqual({ error: 'Number pool not found' });
      expect((await api.patch(path, { name: 'Q' })).status).toBe(404);
      expect((await api.patch(path, { phoneNumbers: [] })).status).toBe(404);
    }
    expect((await api.get(`/teams/${UNKNOWN_ID}/number-pools`)).status).toBe(404);
  });
});

describe('the whitelist', () => {
  let whitelist: string;

  beforeEach(() => {
    whitelist = `/teams/${team}/whitelist`;
  });

  test('POST adds, GET lists, and DELETE removes', async () => {
    const response = await api.post(whitelist, {
      phoneNumbers: ['+14155550122', '415 555 0111', '+14155550111'],
    });
    expect([response.status, response.body]).toEqual([201, { added: 2, rejected: [] }]);
    expect((await api.post(whitelist, { phoneNumbers: ['+14155550122'] })).body).toEqual({
      added: 0,
      rejected: [],
    });
    const entry = (phoneNumber: string) => ({ phoneNumber, createdAt });
    expect((await api.get(whitelist)).body).toEqual({
      items: [entry('+14155550111'), entry('+14155550122')],
      nextCursor: null,
    });
    expect((await api.get(`${whitelist}/%2B14155550122`)).body).toEqual(entry('+14155550122'));
    expect((await api.delete(`${whitelist}/%2B14155550122`)).status).toBe(204);
    expect((await api.delete(`${whitelist}/%2B14155550122`)).status).toBe(404);
    expect((await api.get(`${whitelist}/%2B14155550122`)).status).toBe(404);
  });

  test('invalid and undialable items are rejected; the others are added', async () => {
    const response = await api.post(whitelist, { phoneNumbers: ['x', '+14155550122', '+1 900 555 1234'] });
    const neverDialed = 'phoneNumbers[2] is a premium-rate or shared-cost number, which is never dialed';
    expect([response.status, response.body]).toEqual([
      201,
      {
        added: 1,
        rejected: [
          { phoneNumber: 'x', error: 'phoneNumbers[0] must be one phone number and nothing else' },
          { phoneNumber: '+1 900 555 1234', error: neverDialed },
        ],
      },
    ]);
    expect((await api.get(whitelist)).body).toMatchObject({ items: [{ phoneNumber: '+14155550122' }] });
  });

  test('refuses malformed, unknown and other teams’ resources', async () => {
    const response = await api.post(whitelist, { phoneNumbers: ['x'] });
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain('phoneNumbers[0]');
    expect((await api.post(whitelist, { phoneNumbers: [nextNumber()], reason: 'x' })).status).toBe(400);
    const phoneNumber = nextNumber();
    await api.created(whitelist, { phoneNumbers: [phoneNumber] });
    const { id: other } = await buildTeam(world.db);
    expect((await api.delete(`/teams/${other}/whitelist/${phoneNumber}`)).status).toBe(404);
    expect((await api.get(`/teams/${UNKNOWN_ID}/whitelist`)).status).toBe(404);
    expect((await api.post(`/teams/${UNKNOWN_ID}/whitelist`, { phoneNumbers: [phoneNumber] })).status).toBe(
      404,
    );
  });
});
