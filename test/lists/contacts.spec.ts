import { randomUUID } from 'node:crypto';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { expect400By, getBy, pageBy, walkBy } from './list-client.js';

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
let caller: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const contact = (row: Record<string, unknown> = {}) => buildContact(calling.db, caller.teamId, row);
const idsOf = async (query: string, by = caller) =>
  (await pageBy(calling, by, `/api/contacts?${query}`)).items.map(({ contactId }) => contactId);
const patch = (id: string, body: object, { apiKey } = caller) =>
  calling.http().patch(`/api/contacts/${id}`).set(bearer(apiKey)).send(body);

describe('GET /api/contacts', () => {
  test('shows each as it is read by itself, the newest first', async () => {
    const first = await contact({ name: 'Ada', custom_properties: { plan: 'gold' } });
    const second = await contact();
    const { items, nextCursor } = await pageBy(calling, caller, '/api/contacts');
    const single = async (id: string) => (await getBy(calling, caller, `/api/contacts/${id}`)).body as object;
    expect(items).toEqual([await single(second.id), await single(first.id)]);
    expect(nextCursor).toBeNull();
  });

  test('pages contain each contact once, also during additions', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      ids.push((await contact({ created_at: `2026-01-01T00:00:00.00000${Math.floor(n / 3)}Z` })).id);
    }
    const { items, sizes } = await walkBy(calling, caller, '/api/contacts', 4, () => contact());
    expect(sizes).toEqual([4, 4, 1]);
    expect(new Set(items.map(({ contactId }) => contactId))).toEqual(new Set(ids));
  });

  test('by number in any spelling, by e-mail address, and by change', async () => {
    const ada = await contact({
      phone_number: '+14155552671',
      email: 'ada@example.com',
      updated_at: '2026-01-01',
    });
    const alan = await contact({ email: 'ada@example.com', updated_at: '2026-03-01' });
    for (const spelling of ['%2B14155552671', '+14155552671', '415-555-2671']) {
      expect(await idsOf(`phoneNumber=${spelling}`)).toEqual([ada.id]);
    }
    expect(await idsOf('email=ada@example.com')).toEqual([alan.id, ada.id]);
    expect(await idsOf('updatedSince=2026-02-01T00:00:00Z')).toEqual([alan.id]);
    expect(await idsOf('email=ada@example.com&updatedSince=2026-02-01T00:00:00Z')).toEqual([alan.id]);
    expect(await idsOf('phoneNumber=%2B14155552671&email=alan@example.com')).toEqual([]);
  });

  test('an erased contact is in no list', async () => {
    const { id, phone_number: number } = await contact({ email: 'ada@example.com' });
    await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
    for (const query of ['', 'email=ada@example.com', `phoneNumber=${encodeURIComponent(number)}`]) {
      expect(await idsOf(query)).toEqual([]);
    }
  });

  test('another team’s contacts are in no list', async () => {
    const { phone_number: number } = await contact({ email: 'ada@example.com' });
    const stranger = await buildCaller(calling.db);
    for (const query of ['', 'email=ada@example.com', `phoneNumber=${encodeURIComponent(number)}`]) {
      expect(await idsOf(query, stranger)).toEqual([]);
    }
  });

  test.each([
    ['phoneNumber=x', 'phoneNumber must be one phone number'],
    ['email=', 'email must be a text of 1 to 254 characters'],
    ['updatedSince=x', 'updatedSince must be a date-time with an offset'],
    ['name=Ada', 'name is not a parameter of this list'],
  ])('?%s is 400', (query, message) => expect400By(calling, caller, `/api/contacts?${query}`, message));

  test('a page ends early where properties are large', async () => {
    for (let n = 0; n < 20; n += 1) await contact({ custom_properties: { note: 'x'.repeat(60_000) } });
    const { items, sizes } = await walkBy(calling, caller, '/api/contacts', 200);
    expect([items.length, sizes.length]).toEqual([20, 2]);
  });
});

describe('PATCH /api/contacts/{contactId}', () => {
  const GOLD = { plan: 'gold', seats: 2, note: 'x' };

  test('changes what was sent; null clears a field and removes a property', async () => {
    const { id, phone_number: phoneNumber } = await contact({
      name: 'Ada',
      email: 'ada@example.com',
      company_name: 'Engines',
      custom_properties: GOLD,
    });
    const answer = await patch(id, {
      name: 'Ada King',
      email: null,
      timezone: 'Europe/London',
      companyName: '',
      seats: 3,
      note: null,
      tags: ['a', null],
    });
    const changed = {
      contactId: id,
      phoneNumber,
      externalId: null,
      name: 'Ada King',
      email: null,
      companyName: 'Engines',
      companyWebsite: null,
      timezone: 'Europe/London',
      customProperties: { plan: 'gold', seats: 3, tags: ['a', null] },
    };
    expect([answer.status, answer.body]).toEqual([200, changed]);
    expect((await getBy(calling, caller, `/api/contacts/${id}`)).body).toEqual(changed);
    const nested = await patch(id, { customProperties: { plan: null, seats: 4 } });
    expect(nested.body).toEqual({ ...changed, customProperties: { seats: 4, tags: ['a', null] } });
    expect((await patch(id, {})).body).toEqual(nested.body);
  });

  test('a change is found by updatedSince', async () => {
    const { id } = await contact({ updated_at: '2026-01-01' });
    await patch(id, { name: 'Ada' }).expect(200);
    expect(await idsOf(`updatedSince=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([id]);
  });

  test.each([
    [{ phoneNumber: '+14155552671' }, 'phoneNumber cannot be changed'],
    [{ email: 'x', timezone: 'Mars' }, 'email must be an email address; timezone must be an IANA'],
    [{ customProperties: [] }, 'customProperties must be an object'],
    [{ customProperties: null }, 'customProperties must be an object'],
    [{ campaignId: randomUUID() }, 'campaignId cannot be changed'],
    [{ note: 'x'.repeat(70_000) }, 'The custom properties of a contact must be at most'],
  ])('%j is 400', async (body, message) => {
    const { id } = await contact();
    const answer = await patch(id, body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(message);
  });

  test('an older, larger contact may shrink, and not grow', async () => {
    const { id } = await contact({ custom_properties: { old: 'x'.repeat(80_000), plan: 'gold' } });
    expect((await patch(id, { plan: 'platinum' })).status).toBe(400);
    expect((await patch(id, { plan: 'tin' })).status).toBe(200);
    expect((await patch(id, { old: null })).status).toBe(200);
  });

  test('teamId must be the key’s own; another team’s, unknown and erased contacts are 404', async () => {
    const { id } = await contact({ name: 'Ada' });
    const stranger = await buildCaller(calling.db);
    expect((await patch(id, { teamId: stranger.teamId, name: 'x' })).status).toBe(403);
    expect((await patch(id, { teamId: caller.teamId, name: 'Ada King' })).status).toBe(200);
    for (const [unknown, by] of [
      [id, stranger],
      [randomUUID(), caller],
      ['x', caller],
    ] as const) {
      for (const body of [{ name: 'Mallory' }, {}]) {
        const answer = await patch(unknown, body, by);
        expect([answer.status, answer.body]).toEqual([404, { error: 'Contact not found' }]);
      }
    }
    await calling.http().delete(`/api/contacts/${id}`).set(bearer(caller.apiKey)).expect(204);
    expect((await patch(id, { name: 'x' })).status).toBe(404);
  });

  test('a zone that is changed holds for calls that wait', async () => {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const row = await calling.row(id);
    await patch(String(row.contact_id), { timezone: 'Asia/Tokyo' }).expect(200);
    const [stored] = await calling.db.query<{ timezone: string }[]>(
      'SELECT timezone FROM contacts WHERE id = $1',
      [row.contact_id],
    );
    expect(stored?.timezone).toBe('Asia/Tokyo');
  });
});
