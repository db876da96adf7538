import { Calling, reasonOf } from '../support/calling.js';
import { buildContact, insertRow, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

// No worker runs here: what is accepted stays as it was accepted.
const calling = Calling.ofFile();

async function contactOf(caller: Caller, phoneNumber: string): Promise<Row> {
  const rows = await calling.db.query<Row[]>(
    `SELECT name, email, company_name, company_website, timezone, custom_properties, id FROM contacts
     WHERE team_id = $1 AND phone_number = $2`,
    [caller.teamId, phoneNumber],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as Row;
}

const FIELDS = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  companyName: 'Analytical Engines',
  companyWebsite: 'https://engines.example',
  timezone: 'Europe/London',
};
const STORED = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  company_name: 'Analytical Engines',
  company_website: 'https://engines.example',
  timezone: 'Europe/London',
};

describe('contract rule 1: the contact', () => {
  test('is created with every field before the dial', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, ...FIELDS, teamId: caller.teamId, topic: 'x' });
    const contact = await contactOf(caller, phoneNumber);
    expect(contact).toMatchObject({ ...STORED, custom_properties: {} });
    expect(await calling.row(id)).toMatchObject({
      contact_id: contact.id,
      phone_number: phoneNumber,
      timezone: 'Europe/London',
      variables: { topic: 'x' },
    });
  });

  test('is created from only the number', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    await calling.accepted(caller, { phoneNumber });
    expect(await contactOf(caller, phoneNumber)).toMatchObject({
      name: null,
      email: null,
      company_name: null,
      company_website: null,
      timezone: null,
      custom_properties: {},
    });
  });

  test.each([null, '', ' ', '\u00A0\u200B'])(
    'keeps fields that were %j or not sent, and its custom properties',
    async (absent) => {
      const caller = await buildCaller(calling.db);
      const { id, phone_number } = await buildContact(calling.db, caller.teamId, {
        ...STORED,
        custom_properties: { vip: true },
      });
      const unsent = Object.fromEntries(Object.keys(FIELDS).map((key) => [key, absent]));
      const phoneNumber = phone_number;
      await calling.accepted(caller, {
        phoneNumber,
        ...unsent,
        name: absent,
        companyName: 'Difference Engines',
      });
      expect(await contactOf(caller, phoneNumber)).toEqual({
        ...STORED,
        company_name: 'Difference Engines',
        custom_properties: { vip: true },
        id,
      });
    },
  );

  test.each(['fullName', 'email', 'companyName', 'companyWebsite', 'timezone'] as const)(
    'takes only a new %s',
    async (field) => {
      const caller = await buildCaller(calling.db);
      const { phone_number } = await buildContact(calling.db, caller.teamId, STORED);
      const sent = {
        fullName: 'B',
        email: 'b@example.com',
        companyName: 'B',
        companyWebsite: 'b',
        timezone: 'UTC',
      };
      const column = { fullName: 'name', companyName: 'company_name', companyWebsite: 'company_website' };
      await calling.accepted(caller, { phoneNumber: phone_number, [field]: sent[field] });
      expect(await contactOf(caller, phone_number)).toMatchObject({
        ...STORED,
        [Object.hasOwn(column, field) ? column[field as keyof typeof column] : field]: sent[field],
      });
    },
  );

  test('of another team is unchanged', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const { phone_number } = await buildContact(calling.db, other.teamId, STORED);
    await calling.accepted(caller, { phoneNumber: phone_number, fullName: 'B' });
    expect(await contactOf(caller, phone_number)).toMatchObject({ name: 'B', email: null });
    expect(await contactOf(other, phone_number)).toMatchObject(STORED);
  });

  test.each<[object, string]>([
    [{ name: 'Ada' }, 'Ada'],
    [{ fullName: 'Ada' }, 'Ada'],
    [{ name: 'alias', fullName: 'Ada' }, 'Ada'],
    [{ fullName: 'Ada', name: 'alias' }, 'Ada'],
    [{ fullName: null, name: 'Ada' }, 'Ada'],
    [{ fullName: '', name: 'Ada' }, 'Ada'],
  ])('name is an alias that fullName beats: %j', async (names, name) => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, ...names });
    expect(await contactOf(caller, phoneNumber)).toMatchObject({ name });
    expect(await calling.row(id)).toMatchObject({ variables: {} });
  });
});

test.each([null, ''])(
  '%j in a field counts as not sent, and is stored under any other key',
  async (absent) => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    await calling.accepted(caller, { phoneNumber, fullName: 'Ada', email: 'ada@example.com' });
    const before = await contactOf(caller, phoneNumber);
    const other = nextNumber();
    const fields = ['fullName', 'name', 'email', 'companyName', 'companyWebsite', 'timezone'];
    const references = ['fromPhoneNumber', 'numberPoolId', 'teamId'];
    const empty = Object.fromEntries([...fields, ...references].map((field) => [field, absent]));
    const id = await calling.accepted(caller, { phoneNumber: other, ...empty, topic: absent });
    expect(await contactOf(caller, other)).toMatchObject({ name: null, email: null, timezone: null });
    expect(await calling.row(id)).toMatchObject({
      timezone: null,
      from_phone_number: null,
      number_pool_id: null,
      variables: { topic: absent },
    });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber, ...empty }))).toBe('ALREADY_SCHEDULED');
    expect(await contactOf(caller, phoneNumber)).toEqual(before);
  },
);

describe('the number', () => {
  test.each([
    '+1 (415) 555-2671',
    '+14155552671',
    '＋１４１５５５５２６７１',
    '+1.415.555.2671',
    '+١٤١٥٥٥٥٢٦٧١',
  ])('%s is one contact, and one number for the guardrails', async (spelling) => {
    const caller = await buildCaller(calling.db);
    await calling.accepted(caller, { phoneNumber: '+14155552671' });
    const again = await calling.trigger(caller, { phoneNumber: spelling, fullName: 'Ada' });
    expect(reasonOf(again)).toBe('ALREADY_SCHEDULED');
    expect(await contactOf(caller, '+14155552671')).toMatchObject({ name: 'Ada' });
  });

  test('in national form is read with the team’s default country, like fromPhoneNumber', async () => {
    const caller = await buildCaller(calling.db, { default_country: 'DE', allowed_countries: ['DE'] });
    await insertRow(calling.db, 'phone_numbers', { team_id: caller.teamId, phone_number: '+493090182099' });
    const id = await calling.accepted(caller, { phoneNumber: '030 901820', fromPhoneNumber: '030/90182099' });
    expect(await calling.row(id)).toMatchObject({
      phone_number: '+4930901820',
      from_phone_number: '+493090182099',
    });
    const international = await calling.trigger(caller, { phoneNumber: '+1 415 555 2671' });
    expect(reasonOf(international)).toBe('COUNTRY_NOT_ALLOWED');
  });

  test('a national fromPhoneNumber with an international number, with and without a default country', async () => {
    const phoneNumber = '+4930901820';
    const german = await buildCaller(calling.db, { default_country: 'DE' });
    await insertRow(calling.db, 'phone_numbers', { team_id: german.teamId, phone_number: '+493090182099' });
    const id = await calling.accepted(german, { phoneNumber, fromPhoneNumber: '030 90182099' });
    expect(await calling.row(id)).toMatchObject({ from_phone_number: '+493090182099' });
    const none = await buildCaller(calling.db);
    await insertRow(calling.db, 'phone_numbers', { team_id: none.teamId, phone_number: '+493090182099' });
    const refused = await calling.trigger(none, { phoneNumber, fromPhoneNumber: '030 90182099' });
    expect(reasonOf(refused)).toBe('FROM_NUMBER_INVALID');
  });

  test('in national form is refused without a default country, or if it is not a number of that country', async () => {
    const none = await buildCaller(calling.db);
    const german = await buildCaller(calling.db, { default_country: 'DE' });
    for (const [caller, phoneNumber] of [
      [none, '030 901820'],
      [german, '0000'],
    ] as const) {
      const answer = await calling.trigger(caller, { phoneNumber });
      expect([answer.status, reasonOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
      expect((answer.body as { message: string }).message).toMatch(/^phoneNumber /);
      expect(await calling.rows(caller.teamId)).toEqual([]);
    }
  });
});
