import { buildTeam, insertRow, nextNumber, type Row } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID } from './operator-api.js';
import { storeCall, storedCall } from './stored-calls.js';

const { world, api } = operatorOfFile();
let team: string;
let list: string;

beforeEach(async () => {
  team = (await buildTeam(world.db, { default_country: 'US' })).id;
  list = `/teams/${team}/do-not-call`;
});

const createdAt = expect.stringMatching(ISO_INSTANT) as string;

const callTo = (teamId: string, phoneNumber: string, row: Row = {}) =>
  storeCall(world.db, teamId, phoneNumber, row);
const call = (id: string) => storedCall(world.db, id);

describe('do not call', () => {
  test('POST adds each number once, GET lists them, and DELETE removes them', async () => {
    const response = await api.post(list, {
      phoneNumbers: ['+14155550122', '415 555 0111', '(415) 555-0122'],
      reason: 'asked us to stop',
    });
    expect([response.status, response.body]).toEqual([
      201,
      {
        added: 2,
        listed: [
          { given: '+14155550122', phoneNumbers: ['+14155550122'] },
          { given: '415 555 0111', phoneNumbers: ['+14155550111'] },
          { given: '(415) 555-0122', phoneNumbers: ['+14155550122'] },
        ],
        rejected: [],
      },
    ]);
    const entry = (phoneNumber: string) => ({ phoneNumber, reason: 'asked us to stop', createdAt });
    expect((await api.get(list)).body).toEqual({
      items: [entry('+14155550111'), entry('+14155550122')],
      nextCursor: null,
    });
    expect((await api.get(`${list}/%2B14155550111`)).body).toEqual(entry('+14155550111'));
    const removed = await api.delete(`${list}/%2B14155550111`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await api.delete(`${list}/%2B14155550111`)).status).toBe(404);
    expect((await api.get(`${list}/%2B14155550111`)).status).toBe(404);
    expect((await api.delete(`${list}/+14155550122`)).status).toBe(204);
    expect((await api.get(list)).body).toEqual({ items: [], nextCursor: null });
  });

  test('a listed number is not added again, and keeps its reason', async () => {
    const phoneNumbers = [nextNumber()];
    expect((await api.post(list, { phoneNumbers })).body).toMatchObject({ added: 1, rejected: [] });
    const again = await api.post(list, { phoneNumbers: [...phoneNumbers, nextNumber()], reason: 'later' });
    expect([again.status, again.body]).toMatchObject([201, { added: 1, rejected: [] }]);
    expect((await api.get(`${list}/${encodeURIComponent(phoneNumbers[0] ?? '')}`)).body).toMatchObject({
      reason: null,
    });
  });

  test('invalid items are rejected, and the others are added', async () => {
    const long = `+1${'5'.repeat(300)}`;
    const phoneNumbers = ['+14155550111', 'x', '+1415555', '4155550112', null, { no: long }, 4, long];
    const response = await api.post(list, { phoneNumbers });
    expect([response.status, response.body]).toMatchObject([
      201,
      {
        added: 2,
        rejected: [
          { phoneNumber: 'x', error: 'phoneNumbers[1] is not a phone number' },
          { phoneNumber: '+1415555', error: 'phoneNumbers[2] is not a phone number' },
          { phoneNumber: 'null', error: 'phoneNumbers[4] must be a string' },
          { phoneNumber: `{"no":"+1${'5'.repeat(55)}…`, error: 'phoneNumbers[5] must be a string' },
          { phoneNumber: '4', error: 'phoneNumbers[6] must be a string' },
          { phoneNumber: `+1${'5'.repeat(62)}…`, error: 'phoneNumbers[7] is not a phone number' },
        ],
      },
    ]);
    expect((await api.get(list)).body).toMatchObject({
      items: [{ phoneNumber: '+14155550111' }, { phoneNumber: '+14155550112' }],
    });
  });

  test('accepts numbers of undialable types, and the legacy form of Mexican ones', async () => {
    const response = await api.post(list, { phoneNumbers: ['900 555 1234', '+52 1 55 1234 5678'] });
    expect([response.status, response.body]).toMatchObject([201, { added: 2, rejected: [] }]);
    for (const spelling of ['+19005551234', '900 555 1234', '+525512345678', '+5215512345678']) {
      const read = await api.get(`${list}/${encodeURIComponent(spelling)}`);
      expect([spelling, read.status]).toEqual([spelling, 200]);
    }
    expect((await api.delete(`${list}/${encodeURIComponent('+52 1 55 1234 5678')}`)).status).toBe(204);
  });

  test('of a number in doubt all readings are listed, and a removal needs one', async () => {
    await api.patch(`/teams/${team}`, { defaultCountry: 'DE' });
    const response = await api.post(list, {
      phoneNumbers: ['4915112345678', '1711234567.0', '+881612345678'],
    });
    const both = ['+494915112345678', '+4915112345678'];
    expect([response.status, response.body]).toEqual([
      201,
      {
        added: 4,
        listed: [
          { given: '4915112345678', phoneNumbers: both },
          { given: '1711234567.0', phoneNumbers: ['+491711234567'] },
          { given: '+881612345678', phoneNumbers: ['+881612345678'] },
        ],
        rejected: [],
      },
    ]);
    const doubtful = await api.delete(`${list}/4915112345678`);
    expect([doubtful.status, (doubtful.body as { error: string }).error]).toEqual([
      400,
      `phoneNumber can be ${both.join(' or ')}: it must begin with + and the country code`,
    ]);
    for (const number of both) expect((await api.delete(`${list}/${number}`)).status).toBe(204);
    // The lists of what may be dialed and from where take one number only.
    expect((await api.post(`/teams/${team}/whitelist`, { phoneNumbers: ['4915112345678'] })).status).toBe(
      400,
    );
  });

  test('Argentinian numbers with and without the 9 are one entry of the list', async () => {
    const [fixed, mobile] = ['+541157447711', '+5491157447711'];
    expect((await api.post(list, { phoneNumbers: [mobile] })).body).toMatchObject({ added: 1 });
    expect((await api.get(`${list}/${fixed}`)).body).toMatchObject({ phoneNumber: mobile });
    await api.post(list, { phoneNumbers: [fixed] });
    expect((await api.delete(`${list}/${fixed}`)).status).toBe(204);
    expect((await api.get(`${list}/${mobile}`)).status).toBe(404);
  });

  test('ends the numbers’ pending calls as blocked, and no others', async () => {
    const phoneNumber = nextNumber();
    const { id: stranger } = await buildTeam(world.db);
    const scheduled = await callTo(team, phoneNumber, { status: 'scheduled' });
    const queued = await callTo(team, phoneNumber);
    const claimed = { claimed_at: new Date(), processed_at: new Date(), caller_id: nextNumber() };
    const others = [
      await callTo(team, phoneNumber, { status: 'dialing', ...claimed }),
      await callTo(team, phoneNumber, { status: 'completed', ...claimed }),
      await callTo(team, nextNumber()),
      await callTo(stranger, phoneNumber),
    ];
    const before = await Promise.all(others.map(call));
    expect((await api.post(list, { phoneNumbers: [phoneNumber] })).status).toBe(201);
    for (const [id, from] of [
      [scheduled, 'scheduled'],
      [queued, 'queued'],
    ] as const) {
      const ended = await call(id);
      expect(ended).toMatchObject({
        status: 'blocked',
        reason: 'DO_NOT_CALL',
        ended_at: expect.any(Date) as Date,
      });
      expect(ended.history).toHaveLength(2);
      expect(ended.history[1]).toEqual({ at: createdAt, from, to: 'blocked', cause: 'do_not_call' });
    }
    expect(await Promise.all(others.map(call))).toEqual(before);
  });

  test('releases the counts of the plan limit, month by month', async () => {
    const [first, second] = [nextNumber(), nextNumber()];
    const ids = [
      await callTo(team, first, { counted_month: '2026-10-01' }),
      await callTo(team, first, { counted_month: '2026-11-01' }),
      await callTo(team, second, { counted_month: '2026-11-01' }),
      await callTo(team, second, { counted_month: '2026-12-01' }),
      await callTo(team, second, { status: 'scheduled' }),
    ];
    await world.db.query('UPDATE teams SET monthly_call_limit = 100 WHERE id = $1', [team]);
    for (const [month, used] of Object.entries({ '2026-10-01': 4, '2026-11-01': 7, '2026-12-01': 1 }))
      await insertRow(world.db, 'plan_usage', { team_id: team, month, used });
    expect((await api.post(list, { phoneNumbers: [second, first] })).body).toMatchObject({
      added: 2,
      rejected: [],
    });
    const usage = await world.db.query<object[]>(
      'SELECT month::text, sum(used)::integer AS used FROM plan_usage WHERE team_id = $1 GROUP BY 1 ORDER BY 1',
      [team],
    );
    expect(usage).toEqual([
      { month: '2026-10-01', used: 3 },
      { month: '2026-11-01', used: 5 },
      { month: '2026-12-01', used: 0 },
    ]);
    for (const id of ids) expect(await call(id)).toMatchObject({ status: 'blocked', counted_month: null });
  });

  test('is one transaction: if calls cannot be ended, no number is added', async () => {
    const phoneNumber = nextNumber();
    await callTo(team, phoneNumber);
    await world.db.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON call_requests FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      expect((await api.post(list, { phoneNumbers: [phoneNumber] })).status).toBe(500);
    } finally {
      await world.db.query('DROP FUNCTION refuse() CASCADE');
    }
    expect((await api.get(list)).body).toEqual({ items: [], nextCursor: null });
  });

  test('waits for decisions about a number, and then sees the decided call', async () => {
    const phoneNumber = nextNumber();
    const trigger = world.db.createQueryRunner();
    await trigger.startTransaction();
    await trigger.query('SELECT pg_advisory_xact_lock(number_lock_key($1, $2))', [team, phoneNumber]);
    const adding = api
      .post(list, { phoneNumbers: [nextNumber(), phoneNumber] })
      .then((response) => response.status);
    expect(await Promise.race([adding, new Promise((resolve) => setTimeout(resolve, 300, 'waiting'))])).toBe(
      'waiting',
    );
    const id = await callTo(team, phoneNumber);
    await trigger.commitTransaction();
    await trigger.release();
    expect(await adding).toBe(201);
    expect((await call(id)).status).toBe('blocked');
  });

  test('accepts ten thousand numbers in one request; overlapping requests do not deadlock', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => `+1415${2_000_000 + index * 7}`);
    const pending = await callTo(team, numbers[9_999] as string);
    const half = numbers.slice(5_000).reverse();
    const [all, some] = await Promise.all([
      api.post(list, { phoneNumbers: numbers }),
      api.post(list, { phoneNumbers: half }),
    ]);
    expect([all.status, some.status]).toEqual([201, 201]);
    const added = [all, some].map((response) => (response.body as { added: number }).added);
    expect((added[0] ?? 0) + (added[1] ?? 0)).toBe(10_000);
    expect((await call(pending)).status).toBe('blocked');
    const tooMany = await api.post(list, { phoneNumbers: [...numbers, nextNumber()] });
    expect(tooMany.status).toBe(400);
  });

  test.each([
    [{}, 'phoneNumbers is required'],
    [{ phoneNumbers: [] }, 'phoneNumbers must hold 1 to 10000 phone numbers'],
    [{ phoneNumbers: '+14155550111' }, 'phoneNumbers must be an array'],
    [{ phoneNumbers: ['x', '+1415555'] }, 'phoneNumbers[0] is not a phone number'],
    [{ phoneNumbers: [null] }, 'phoneNumbers[0] must be a string'],
    [{ phoneNumbers: ['+14155550111'], reason: 7 }, 'reason must be a string'],
    [{ phoneNumber: '+14155550111' }, 'phoneNumber is not a field'],
  ])('POST %j is 400: %s', async (body, message) => {
    const response = await api.post(list, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(message);
    expect((await api.get(list)).body).toEqual({ items: [], nextCursor: null });
  });

  test('of another team or an unknown one are 404', async () => {
    const phoneNumber = nextNumber();
    await api.created(list, { phoneNumbers: [phoneNumber] });
    const { id: other } = await buildTeam(world.db);
    for (const path of [
      `/teams/${other}/do-not-call/${phoneNumber}`,
      `${list}/%2B14155559999`,
      `${list}/junk`,
    ]) {
      expect((await api.delete(path)).body).toEqual({ error: 'Phone number not found' });
      expect((await api.get(path)).status).toBe(404);
    }
    expect((await api.post(`/teams/${UNKNOWN_ID}/do-not-call`, { phoneNumbers: [phoneNumber] })).status).toBe(
      404,
    );
    expect((await api.get(`/teams/${UNKNOWN_ID}/do-not-call`)).status).toBe(404);
    expect((await api.delete(`/teams/${UNKNOWN_ID}/do-not-call/${phoneNumber}`)).status).toBe(404);
    expect((await api.get(`${list}/${phoneNumber}`)).status).toBe(200);
  });
});
