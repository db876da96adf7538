import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildEnrollment, nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import {
  anyUuid,
  type Body,
  buildClient,
  CONTACT_ENROLLMENTS,
  CONTACTS,
  countStatements,
  parallel,
  TeamClient,
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

async function stored(body: Body, client = team): Promise<string> {
  const [status, answer] = await client.post(CONTACT_ENROLLMENTS, body);
  expect([status, answer]).toEqual([200, { message: 'success', contactId: anyUuid }]);
  return answer.contactId as string;
}

const ALREADY_ENROLLED = 'The contact is already enrolled in this campaign, so it was not enrolled again.';

const FIELDS = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  companyName: 'Analytical Engines',
  companyWebsite: 'https://engines.example',
  timezone: 'Europe/London',
};

describe('4.4 Create a contact and enroll it in a campaign', () => {
  test('success: `message` is `success`, and `contactId`; every field is stored', async () => {
    const phoneNumber = nextNumber();
    const contactId = await stored({ phoneNumber, teamId: team.teamId, ...FIELDS });
    expect(await team.contact(contactId)).toEqual({
      contactId,
      phoneNumber,
      externalId: null,
      ...FIELDS,
      customProperties: {},
    });
  });

  test('any other key is stored as a custom field with its JSON value unchanged', async () => {
    const custom = {
      list: [1, null, { a: [] }],
      nothing: null,
      object: { x: {} },
      number: 1e21,
      flag: false,
    };
    const contactId = await stored({ phoneNumber: nextNumber(), ...custom });
    expect((await team.contact(contactId)).customProperties).toEqual(custom);
  });

  test('a matching contact is updated: sent fields overwrite, and the others stay', async () => {
    const phoneNumber = nextNumber();
    const contactId = await stored({ phoneNumber, ...FIELDS });
    const spelled = phoneNumber.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-');
    expect(await stored({ phoneNumber: spelled, name: 'Ada King', timezone: 'UTC' })).toBe(contactId);
    expect(await team.contact(contactId)).toMatchObject({ ...FIELDS, name: 'Ada King', timezone: 'UTC' });
    for (const absent of [null, '']) {
      const names = [...Object.keys(FIELDS), 'teamId', 'campaignId'];
      await stored({ phoneNumber, ...Object.fromEntries(names.map((name) => [name, absent])) });
      expect(await team.contact(contactId)).toMatchObject({ ...FIELDS, name: 'Ada King', timezone: 'UTC' });
    }
  });

  test('custom fields merge key by key: a value is replaced as a whole, null is a value', async () => {
    const phoneNumber = nextNumber();
    const contactId = await stored({ phoneNumber, kept: 1, replaced: { a: 1, b: 2 }, emptied: 'x' });
    await stored({ phoneNumber, replaced: { c: 3 }, emptied: null, added: [] });
    expect((await team.contact(contactId)).customProperties).toEqual({
      kept: 1,
      replaced: { c: 3 },
      emptied: null,
      added: [],
    });
  });

  test('a contact of `POST /api/contacts` or of the call endpoint is matched', async () => {
    const caller = await buildCaller(world.db);
    const client = new TeamClient(api, caller.teamId, caller.apiKey);
    const phoneNumber = nextNumber();
    const [called] = await client.post(`/api/voice-agents/${caller.agentId}/calls`, {
      phoneNumber,
      name: 'Ada',
      topic: 'a variable of that call alone',
    });
    expect(called).toBe(200);
    const contactId = await stored({ phoneNumber, plan: 'gold' }, client);
    expect(await client.contact(contactId)).toMatchObject({
      name: 'Ada',
      customProperties: { plan: 'gold' },
    });
    const duplicate = await client.post(CONTACTS, { phoneNumber });
    expect(duplicate).toEqual([400, { error: 'Contact existed', contactId }]);
  });

  test('campaignId omitted: the contact is created or updated only', async () => {
    const contactId = await stored({ phoneNumber: nextNumber() });
    expect(await team.enrollments(contactId)).toEqual([]);
  });

  test('campaignId: a created contact is enrolled, and so is an updated one', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const existing = await buildContact(world.db, team.teamId);
    for (const phoneNumber of [nextNumber(), existing.phone_number]) {
      const contactId = await stored({ phoneNumber, campaignId: campaign.id });
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
    }
  });

  test('an existing enrollment is unchanged in any state', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const contact = await buildContact(world.db, team.teamId);
    await buildEnrollment(
      world.db,
      {
        team_id: team.teamId,
        campaign_id: campaign.id,
        contact_id: contact.id,
        version_id: campaign.current_version_id,
      },
      { status: 'exited', source: 'import' },
    );
    const before = await team.enrollments(contact.id);
    const body = { phoneNumber: contact.phone_number, campaignId: campaign.id, name: 'New' };
    expect(await team.post(CONTACT_ENROLLMENTS, body)).toEqual([
      200,
      {
        message: 'success',
        contactId: contact.id,
        warnings: [{ key: 'campaignId', text: ALREADY_ENROLLED }],
      },
    ]);
    expect(await team.enrollments(contact.id)).toEqual(before);
    expect(await team.contact(contact.id)).toMatchObject({ name: 'New' });
  });

  test('a number in national form is read with the country of the team', async () => {
    const german = await buildClient(world.db, api, { default_country: 'DE' });
    const contactId = await stored({ phoneNumber: '030 901820' }, german);
    expect(await stored({ phoneNumber: '+4930901820' }, german)).toBe(contactId);
  });

  test('is one statement, so one round trip', async () => {
    const campaign = await buildCampaign(world.db, team.teamId);
    const body = { phoneNumber: nextNumber(), campaignId: campaign.id, plan: 'gold' };
    expect(await countStatements(api, () => stored(body))).toBe(1);
  });
});

test('200 parallel requests for one number with different keys store one contact with all keys', async () => {
  const client = await buildClient(world.db, api);
  const campaign = await buildCampaign(world.db, client.teamId);
  const phoneNumber = nextNumber();
  const answers = await parallel(200, (index) =>
    client.post(CONTACT_ENROLLMENTS, { phoneNumber, campaignId: campaign.id, [`key${index}`]: index }),
  );
  expect(answers.filter(([, { warnings }]) => !warnings)).toHaveLength(1);
  for (const [status, { warnings, ...answer }] of answers) {
    expect([status, answer]).toEqual([200, { message: 'success', contactId: anyUuid }]);
    if (warnings) expect(warnings).toEqual([{ key: 'campaignId', text: ALREADY_ENROLLED }]);
  }
  const ids = answers.map(([, { contactId }]) => contactId as string);
  expect(new Set(ids).size).toBe(1);
  const expected = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key${index}`, index]));
  expect((await client.contact(ids[0])).customProperties).toEqual(expected);
  expect(await client.enrollments(ids[0])).toHaveLength(1);
});

describe('custom properties have at most 65,536 bytes of JSON', () => {
  const refusal = { error: 'The custom properties of a contact must be at most 65536 bytes of JSON in all' };
  /** Properties of exactly so many bytes as JSON. */
  const sized = (bytes: number, pattern: string) => {
    const properties = { list: [1, { a: 'b, c: d' }], text: '' };
    const room = bytes - JSON.stringify(properties).length;
    const width = Buffer.byteLength(pattern);
    properties.text = pattern.repeat(room / width) + 'x'.repeat(room % width);
    return properties;
  };

  test.each([CONTACTS, CONTACT_ENROLLMENTS])(
    'POST %s: the last size that is accepted, and the first that is not',
    async (path) => {
      for (const pattern of ['x', '𝄞']) {
        const phoneNumber = nextNumber();
        const overlong = sized(65_536, pattern);
        overlong.text += 'x';
        expect(await team.post(path, { phoneNumber, ...overlong })).toEqual([400, refusal]);
        expect(await contactsWith(phoneNumber)).toEqual([]);
        expect((await team.post(path, { phoneNumber, ...sized(65_536, pattern) }))[0]).toBeLessThan(300);
      }
    },
  );

  test('an update beyond the limit is 400 and changes nothing; a smaller one is accepted', async () => {
    const phoneNumber = nextNumber();
    const chunk = 'x'.repeat(30_000);
    for (const key of ['a', 'b']) await stored({ phoneNumber, [key]: chunk });
    const answer = await team.post(CONTACT_ENROLLMENTS, { phoneNumber, name: 'Too much', c: chunk });
    expect(answer).toEqual([400, refusal]);
    const contactId = await stored({ phoneNumber, a: '' });
    expect(await team.contact(contactId)).toMatchObject({
      name: null,
      customProperties: { a: '', b: chunk },
    });
    await stored({ phoneNumber, c: chunk });
  });

  test('an older contact over the limit may change and shrink, but not grow', async () => {
    const properties = { a: 'x'.repeat(1_000_000), plan: 'gold' };
    const { id, phone_number: phoneNumber } = await buildContact(world.db, team.teamId, {
      custom_properties: properties,
    });
    expect(await stored({ phoneNumber, name: 'Ada', plan: 'iron' })).toBe(id);
    expect(await team.post(CONTACT_ENROLLMENTS, { phoneNumber, plan: 'steel' })).toEqual([400, refusal]);
    expect(await team.post(CONTACT_ENROLLMENTS, { phoneNumber, more: 1 })).toEqual([400, refusal]);
    expect(await team.contact(id)).toMatchObject({
      name: 'Ada',
      customProperties: { ...properties, plan: 'iron' },
    });
    await stored({ phoneNumber, a: 'x'.repeat(60_000), plan: 'steel' });
    await stored({ phoneNumber, more: 1 });
  });

  test('numbers count in the form in which Postgres writes them, without exponents', async () => {
    const tiny = Array(300).fill(1e-300);
    for (const path of [CONTACTS, CONTACT_ENROLLMENTS]) {
      const phoneNumber = nextNumber();
      expect(await team.post(path, { phoneNumber, tiny })).toEqual([400, refusal]);
      expect((await team.post(path, { phoneNumber, tiny: tiny.slice(0, 200) }))[0]).toBeLessThan(300);
    }
  });
});

function contactsWith(phoneNumber: string): Promise<unknown[]> {
  return world.db.query('SELECT FROM contacts WHERE team_id = $1 AND phone_number = $2', [
    team.teamId,
    phoneNumber,
  ]);
}
