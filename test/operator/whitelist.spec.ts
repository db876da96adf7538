import { buildTeam, nextNumber } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID } from './operator-api.js';

const { world, api } = operatorOfFile();
let team: string;
let whitelist: string;

beforeEach(async () => {
  team = (await buildTeam(world.db, { default_country: 'US' })).id;
  whitelist = `/teams/${team}/whitelist`;
});

const createdAt = expect.stringMatching(ISO_INSTANT) as string;

describe('the whitelist', () => {
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
