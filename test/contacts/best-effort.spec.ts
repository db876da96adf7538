import { Logger } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, nextNumber } from '../support/builders.js';
import {
  type Body,
  buildClient,
  CONTACT_ENROLLMENTS,
  CONTACTS,
  UNKNOWN_ID,
  type TeamClient,
} from './team-client.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;
let logged: string[];

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  team = await buildClient(world.db, api);
});
afterAll(() => world.close());
beforeEach(() => {
  logged = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    jest
      .spyOn(Logger.prototype, level)
      // Objects are the lines about requests; what is said of an enrollment is text.
      .mockImplementation((...[message]: unknown[]) => {
        if (typeof message === 'string') logged.push(message);
      });
  }
});
afterEach(() => jest.restoreAllMocks());

/** Makes each insert into `table` fail while `act` runs. */
async function withBroken(table: string, act: () => Promise<void>): Promise<void> {
  await world.db.query(`
    CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken for a test'; END $$;
    CREATE TRIGGER broken BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION broken()`);
  try {
    await act();
  } finally {
    await world.db.query(`DROP FUNCTION broken() CASCADE`);
  }
}

const ENDPOINTS: [endpoint: string, path: string, status: number][] = [
  ['4.2 Create a contact', CONTACTS, 201],
  ['4.4 Create a contact and enroll it', CONTACT_ENROLLMENTS, 200],
];

describe.each(ENDPOINTS)('%s: enrollment is best-effort', (_, path, success) => {
  async function stored(body: Body): Promise<string> {
    const [status, answer] = await team.post(path, body);
    expect(status).toBe(success);
    told = answer.warnings as typeof told;
    return answer.contactId as string;
  }

  /** The warnings of the last answer. */
  let told: { key: string; text: string }[] | undefined;
  const TOLD: Record<string, RegExp> = {
    'the team has no such campaign': /^The team has no such campaign/,
    'the campaign is draft': /^The campaign is a draft, so the contact was not enrolled/,
    'the campaign is paused': /^The campaign is paused/,
    'the campaign is archived': /^The campaign is archived/,
    P0001: /^The contact could not be enrolled/,
    '55P03': /^The contact could not be enrolled/,
  };

  async function expectContactAlone(contactId: string, campaignId: string, reason: string): Promise<void> {
    expect(await team.contact(contactId)).toMatchObject({ name: 'Ada', customProperties: { plan: 'gold' } });
    expect(await world.db.query('SELECT FROM enrollments WHERE contact_id = $1', [contactId])).toEqual([]);
    expect(logged).toEqual([expect.stringContaining(reason)]);
    expect(logged[0]).toContain(`Contact ${contactId} was not enrolled in campaign ${campaignId}`);
    expect(told).toEqual([{ key: 'campaignId', text: expect.stringMatching(TOLD[reason] ?? '') as string }]);
  }

  const request = (campaignId: string): Body => ({
    phoneNumber: nextNumber(),
    name: 'Ada',
    plan: 'gold',
    campaignId,
  });

  test('a success is not logged', async () => {
    const { id } = await buildCampaign(world.db, team.teamId);
    const contactId = await stored(request(id));
    expect(await team.enrollments(contactId)).toHaveLength(1);
    expect(logged).toEqual([]);
    expect(told).toBeUndefined();
  });

  test('an unknown campaign is logged and does not fail the request', async () => {
    await expectContactAlone(await stored(request(UNKNOWN_ID)), UNKNOWN_ID, 'the team has no such campaign');
  });

  test('another team’s campaign is treated as unknown', async () => {
    const other = await buildClient(world.db, api);
    const { id } = await buildCampaign(world.db, other.teamId);
    await expectContactAlone(await stored(request(id)), id, 'the team has no such campaign');
  });

  test.each(['draft', 'paused', 'archived'])(
    'a campaign that is %s does not enroll the contact',
    async (status) => {
      const { id } = await buildCampaign(world.db, team.teamId, { status });
      await expectContactAlone(await stored(request(id)), id, `the campaign is ${status}`);
    },
  );

  test('a failed insert of the enrollment neither fails the request nor removes the contact', async () => {
    const { id } = await buildCampaign(world.db, team.teamId);
    await withBroken('enrollments', async () => {
      await expectContactAlone(await stored(request(id)), id, 'P0001');
    });
  });

  test('an enrollment that waits too long for a lock neither fails the request nor removes the contact', async () => {
    const { id } = await buildCampaign(world.db, team.teamId);
    const holder = world.db.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE enrollments IN ACCESS EXCLUSIVE MODE');
    const answer = stored(request(id)).finally(() => holder.rollbackTransaction());
    await expectContactAlone(await answer, id, '55P03');
    await holder.release();
  });

  test('a malformed campaignId is 400, and stores no contact', async () => {
    const phoneNumber = nextNumber();
    const answer = await team.post(path, { phoneNumber, campaignId: 'summer' });
    expect(answer).toEqual([400, { error: 'campaignId must be a UUID' }]);
    expect(await world.db.query('SELECT FROM contacts WHERE phone_number = $1', [phoneNumber])).toEqual([]);
  });

  test('section 7, "Internal failure": 500 with `Internal server error` only', async () => {
    const { id } = await buildCampaign(world.db, team.teamId);
    await withBroken('contacts', async () => {
      for (const body of [request(id), { phoneNumber: nextNumber() }]) {
        expect(await team.post(path, body)).toEqual([500, { error: 'Internal server error' }]);
      }
    });
    expect(logged.join()).not.toMatch(/\+1415|Ada|gold|not enrolled/);
  });
});

test('4.4: an update is kept if its enrollment fails', async () => {
  const { id } = await buildCampaign(world.db, team.teamId);
  const contact = await buildContact(world.db, team.teamId, { name: 'Old', custom_properties: { a: 1 } });
  await withBroken('enrollments', async () => {
    const body = { phoneNumber: contact.phone_number, name: 'New', b: 2, campaignId: id };
    expect(await team.post(CONTACT_ENROLLMENTS, body)).toMatchObject([
      200,
      { message: 'success', contactId: contact.id, warnings: [{ key: 'campaignId' }] },
    ]);
  });
  expect(await team.contact(contact.id)).toMatchObject({ name: 'New', customProperties: { a: 1, b: 2 } });
});

test('4.4: an existing enrollment is logged, and the request succeeds', async () => {
  const { id } = await buildCampaign(world.db, team.teamId);
  const body = { phoneNumber: nextNumber(), campaignId: id };
  await team.post(CONTACT_ENROLLMENTS, body);
  expect((await team.post(CONTACT_ENROLLMENTS, body))[0]).toBe(200);
  expect(logged).toEqual([expect.stringContaining('it is enrolled already')]);
});
