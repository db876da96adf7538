import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, nextNumber } from '../support/builders.js';
import {
  anyUuid,
  type Body,
  buildClient,
  CONTACTS,
  countStatements,
  parallel,
  type TeamClient,
} from './team-client.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  team = await buildClient(world.db, api);
});
afterAll(() => world.close());

async function created(body: Body, client = team): Promise<string> {
  const [status, answer] = await client.post(CONTACTS, body);
  expect(status).toBe(201);
  return answer.contactId as string;
}

async function contactsOf(client: TeamClient): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM contacts WHERE team_id = $1';
  return (await world.db.query<{ count: number }[]>(sql, [client.teamId]))[0]?.count ?? 0;
}

describe('4.2 Create a contact', () => {
  test('success: `message` of the shape `Contact <contact_id> created successfully`, and `contactId`', async () => {
    const [status, body] = await team.post(CONTACTS, { phoneNumber: nextNumber() });
    expect(status).toBe(201);
    expect(body).toEqual({
      message: `Contact ${String(body.contactId)} created successfully`,
      contactId: anyUuid,
    });
  });

  test('every field is stored', async () => {
    const fields = {
      phoneNumber: nextNumber(),
      name: 'Ada Lovelace',
      email: 'Ada@Example.org',
      companyName: 'Analytical Engines',
      companyWebsite: 'https://engines.example',
      timezone: 'Europe/London',
    };
    const contactId = await created({ ...fields, teamId: team.teamId.toUpperCase() });
    expect(await team.contact(contactId)).toEqual({
      contactId,
      externalId: null,
      ...fields,
      customProperties: {},
    });
  });

  test.each([null, '', ' \u00A0'])('only phoneNumber is required; %j counts as not sent', async (absent) => {
    const phoneNumber = nextNumber();
    const nulls = { name: null, email: null, companyName: null, companyWebsite: null, timezone: null };
    const empty = Object.fromEntries(
      [...Object.keys(nulls), 'teamId', 'campaignId'].map((key) => [key, absent]),
    );
    const contactId = await created({ phoneNumber, ...empty });
    expect(await team.contact(contactId)).toEqual({
      contactId,
      phoneNumber,
      externalId: null,
      ...nulls,
      customProperties: {},
    });
  });

  test('any other key is stored as a custom contact property with its JSON value unchanged', async () => {
    const custom = {
      text: 'a "quoted" \\ line\n\u2028 and 🦉',
      empty: '',
      number: -1.5e-7,
      large: 9007199254740991,
      zero: 0,
      yes: true,
      no: false,
      nothing: null,
      list: [1, 'two', null, [], {}],
      object: { deep: { er: [{ nothing: null }] }, '': 'no name' },
      constructor: { name: 'not a class' },
      toString: 'not a function',
      hasOwnProperty: 1,
      fullName: 'a name on the call endpoint only',
      source: 'a field of enrollments only',
      contactId: 'not ours',
      'ключ with spaces': 'ok',
    };
    const contactId = await created({ phoneNumber: nextNumber(), ...custom });
    expect((await team.contact(contactId)).customProperties).toEqual(custom);
  });

  test('the last value of a key that was sent twice counts', async () => {
    const body = `{"phoneNumber":"${nextNumber()}","plan":"old","name":"Old","plan":"new","name":"New"}`;
    const [, { contactId }] = await team.post(CONTACTS, body);
    expect(await team.contact(contactId)).toMatchObject({ name: 'New', customProperties: { plan: 'new' } });
  });

  test('campaignId: the new contact is enrolled in the active campaign', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const contactId = await created({ phoneNumber: nextNumber(), campaignId: campaign.id });
    expect(await team.enrollments(contactId)).toMatchObject([
      {
        enrollmentId: anyUuid,
        status: 'active',
        contactId,
        externalId: null,
        campaignId: campaign.id,
        versionId: campaign.current_version_id,
        source: null,
      },
    ]);
  });

  test('is one statement, so one round trip', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const counted = await countStatements(api, () =>
      created({ phoneNumber: nextNumber(), campaignId: campaign.id }),
    );
    expect(counted).toBe(1);
  });
});

describe('duplicates (4.2 rule 1; section 7, "Create contact", 400 `Contact existed`)', () => {
  test('any spelling of a number is the same contact', async () => {
    const phoneNumber = '+14155552671';
    const contactId = await created({ phoneNumber, name: 'First', plan: 'gold' });
    for (const spelling of [
      '+14155552671',
      '+1 (415) 555-2671',
      ' +1.415.555.2671 ',
      '＋１４１５５５５２６７１',
      '+١٤١٥٥٥٥٢٦٧١',
    ]) {
      const answer = await team.post(CONTACTS, { phoneNumber: spelling, name: 'Second', plan: 'none' });
      expect(answer).toEqual([400, { error: 'Contact existed', contactId }]);
    }
    expect(await team.contact(contactId)).toMatchObject({
      name: 'First',
      customProperties: { plan: 'gold' },
    });
  });

  test('a number in national form is read with the country of the team', async () => {
    const german = await buildClient(world.db, api, { default_country: 'DE' });
    const contactId = await created({ phoneNumber: '030 901820' }, german);
    expect(await german.contact(contactId)).toMatchObject({ phoneNumber: '+4930901820' });
    const answer = await german.post(CONTACTS, { phoneNumber: '+49 30 901820' });
    expect(answer).toEqual([400, { error: 'Contact existed', contactId }]);
  });

  test('e-mail and name do not identify a contact', async () => {
    const same = { name: 'Twin', email: 'twin@example.org' };
    const ids = [
      await created({ phoneNumber: nextNumber(), ...same }),
      await created({ phoneNumber: nextNumber(), ...same }),
    ];
    expect(new Set(ids).size).toBe(2);
  });

  test('a duplicate is not enrolled', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const phoneNumber = nextNumber();
    const contactId = await created({ phoneNumber });
    const answer = await team.post(CONTACTS, { phoneNumber, campaignId: campaign.id });
    expect(answer).toEqual([400, { error: 'Contact existed', contactId }]);
    expect(await team.enrollments(contactId)).toEqual([]);
  });

  test('20 parallel creations of one contact: one succeeds, 19 return `Contact existed` with its id', async () => {
    const client = await buildClient(world.db, api);
    const phoneNumber = nextNumber();
    const answers = await parallel(20, (index) => client.post(CONTACTS, { phoneNumber, index }));
    const successes = answers.filter(([status]) => status === 201);
    expect(successes).toHaveLength(1);
    const contactId = successes[0]?.[1].contactId;
    const refusals = answers.filter(([status]) => status !== 201);
    expect(refusals).toEqual(Array(19).fill([400, { error: 'Contact existed', contactId }]));
    expect(await contactsOf(client)).toBe(1);
  });
});
