import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildVersion,
  nextNumber,
} from '../support/builders.js';
import {
  anyUuid,
  type Body,
  buildClient,
  CONTACT_ENROLLMENTS,
  CONTACTS,
  ENROLLMENTS,
  UNKNOWN_ID,
  type TeamClient,
} from './team-client.js';

/*
 * No request of one team changes or reveals another team's rows, whatever ids it names. Each answer is the
 * one for an id that nothing has. The other team's rows are the same before and after.
 */

let world: World;
let api: NestExpressApplication;
let mallory: TeamClient;
let alice: TeamClient;
let theirs: { contactId: string; phoneNumber: string; campaignId: string; versionId: string };
let own: { contactId: string; campaignId: string };
let before: unknown;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  alice = await buildClient(world.db, api);
  mallory = await buildClient(world.db, api);
  const contact = await buildContact(world.db, alice.teamId, {
    name: 'Alice',
    custom_properties: { a: 1 },
    external_id: 'crm-1',
  });
  const campaign = await buildCampaign(world.db, alice.teamId);
  const keys = { team_id: alice.teamId, campaign_id: campaign.id, contact_id: contact.id };
  await buildEnrollment(world.db, { ...keys, version_id: campaign.current_version_id });
  const version = await buildVersion(world.db, alice.teamId, campaign.id);
  theirs = {
    contactId: contact.id,
    phoneNumber: contact.phone_number,
    campaignId: campaign.id,
    versionId: version.id,
  };
  own = {
    contactId: (await buildContact(world.db, mallory.teamId)).id,
    campaignId: (await buildCampaign(world.db, mallory.teamId)).id,
  };
  before = await rowsOfAlice();
});
afterAll(() => world.close());
afterEach(async () => expect(await rowsOfAlice()).toEqual(before));

async function rowsOfAlice(): Promise<unknown> {
  const tables = ['contacts', 'campaigns', 'campaign_versions', 'enrollments'];
  return Promise.all(
    tables.map((table) =>
      world.db.query(`SELECT * FROM ${table} WHERE team_id = $1 ORDER BY id`, [alice.teamId]),
    ),
  );
}

async function foreignEnrollments(): Promise<unknown> {
  return world.db.query(
    `SELECT FROM enrollments e JOIN contacts c ON c.id = e.contact_id JOIN campaigns p ON p.id = e.campaign_id
     WHERE e.team_id <> c.team_id OR e.team_id <> p.team_id OR (e.team_id = $1 AND c.team_id <> $1)`,
    [mallory.teamId],
  );
}

describe('POST /api/campaigns/enrollments', () => {
  test.each<[field: string, foreign: () => Body, error: string]>([
    ['contactId', () => ({ ...own, contactId: theirs.contactId }), 'Contact not found'],
    ['campaignId', () => ({ ...own, campaignId: theirs.campaignId }), 'Campaign not found'],
    ['version', () => ({ ...own, version: theirs.versionId }), 'Campaign version not found'],
    ['all', () => ({ ...theirs, version: theirs.versionId }), 'Contact not found'],
  ])('%s of another team is as one that does not exist', async (_, foreign, error) => {
    const body = foreign();
    const unknown = Object.fromEntries(
      Object.entries(body).map(([key, id]) => [
        key,
        Object.values(theirs).includes(id as string) ? UNKNOWN_ID : id,
      ]),
    );
    expect(await mallory.post(ENROLLMENTS, body)).toEqual([404, { error }]);
    expect(await mallory.post(ENROLLMENTS, unknown)).toEqual([404, { error }]);
    expect(await foreignEnrollments()).toEqual([]);
  });

  test('teamId of the other team is refused, and enrolls no contact', async () => {
    for (const teamId of [alice.teamId, UNKNOWN_ID]) {
      for (const ids of [theirs, own]) {
        const answer = await mallory.post(ENROLLMENTS, { ...ids, teamId });
        expect(answer).toEqual([403, { error: 'teamId must be the team of the API key' }]);
      }
    }
    expect(await mallory.enrollments(own.contactId)).toEqual([]);
  });
});

describe.each([
  [CONTACTS, 201],
  [CONTACT_ENROLLMENTS, 200],
])('POST %s', (path, success) => {
  test('another team’s number can be stored, and its contact stays unchanged', async () => {
    const answer = await mallory.post(path, { phoneNumber: theirs.phoneNumber, name: 'Mallory', a: 2 });
    expect(answer).toEqual([success, { message: expect.any(String) as string, contactId: anyUuid }]);
    expect(answer[1].contactId).not.toBe(theirs.contactId);
    await world.db.query('DELETE FROM contacts WHERE id = $1', [answer[1].contactId]);
  });

  test('campaignId of another team is answered like an unknown one, and enrolls no contact', async () => {
    for (const campaignId of [theirs.campaignId, UNKNOWN_ID]) {
      const [status, { contactId }] = await mallory.post(path, { phoneNumber: nextNumber(), campaignId });
      expect(status).toBe(success);
      expect(await mallory.enrollments(contactId)).toEqual([]);
    }
    expect(await foreignEnrollments()).toEqual([]);
  });

  test('a contact id as a custom property has no effect', async () => {
    const sent = { contactId: theirs.contactId, id: theirs.contactId, team_id: alice.teamId };
    const [, { contactId }] = await mallory.post(path, { phoneNumber: nextNumber(), ...sent });
    expect(contactId).not.toBe(theirs.contactId);
    expect((await mallory.contact(contactId)).customProperties).toEqual(sent);
  });
});

describe('PATCH /api/contacts/by-external-id/{externalId}', () => {
  const path = `${CONTACTS}/by-external-id/crm-1`;

  test('another team’s external id is answered like an unknown one', async () => {
    for (const address of [path, `${CONTACTS}/by-external-id/unknown`])
      expect(await mallory.patch(address, { name: 'Mallory' })).toEqual([
        404,
        { error: 'Contact not found' },
      ]);
  });

  test('another team’s external id and number can be stored', async () => {
    const [status, contact] = await mallory.patch(path, { phoneNumber: theirs.phoneNumber, name: 'Mallory' });
    expect([status, contact.externalId]).toEqual([201, 'crm-1']);
    expect(contact.contactId).not.toBe(theirs.contactId);
    await world.db.query('DELETE FROM contacts WHERE id = $1', [contact.contactId]);
  });
});

describe('reads', () => {
  test('GET /api/contacts/{contactId}: another team’s contact is answered like an unknown one', async () => {
    for (const id of [theirs.contactId, UNKNOWN_ID, 'nonsense', '%00', '..%2fcontacts']) {
      expect(await mallory.get(`${CONTACTS}/${id}`)).toEqual([404, { error: 'Contact not found' }]);
    }
  });

  test('GET /api/campaigns/enrollments: empty for another team’s ids', async () => {
    for (const [contactId, campaignId] of [
      [theirs.contactId, theirs.campaignId],
      [UNKNOWN_ID, UNKNOWN_ID],
      [own.contactId, theirs.campaignId],
      [theirs.contactId, own.campaignId],
    ]) {
      for (const query of [
        `contactId=${contactId}&campaignId=${campaignId}`,
        `contactId=${contactId}`,
        `campaignId=${campaignId}`,
      ]) {
        expect(await mallory.get(`${ENROLLMENTS}?${query}`)).toEqual([200, { items: [] }]);
      }
    }
  });
});
