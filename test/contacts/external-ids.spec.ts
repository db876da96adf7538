import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, nextNumber } from '../support/builders.js';
import {
  anyUuid,
  type Answer,
  type Body,
  buildClient,
  CONTACT_ENROLLMENTS,
  CONTACTS,
  parallel,
  type TeamClient,
} from './team-client.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;

beforeAll(async () => {
  world = await createWorld({ erasureKey: 'erasure-key-of-the-tests' });
  api = await world.startApi();
  team = await buildClient(world.db, api);
});
afterAll(() => world.close());

let last = 0;
const nextId = () => `crm-${(last += 1)}`;
const byId = (id: string) => `${CONTACTS}/by-external-id/${encodeURIComponent(id)}`;

const send = (path: string, body: Body, externalId: string) =>
  team.post(path, body, { 'External-Id': externalId });
const create = (body: Body, externalId: string) => send(CONTACTS, body, externalId);
const upsert = (body: Body, externalId: string) => send(CONTACT_ENROLLMENTS, body, externalId);

/** A contact with an external id, or without. */
async function stored(externalId: string | null = nextId()) {
  const contact = await buildContact(world.db, team.teamId, { external_id: externalId });
  return { contactId: contact.id, phoneNumber: contact.phone_number, externalId: externalId ?? '' };
}

const rows = (client = team) =>
  world.db.query<Body[]>('SELECT * FROM contacts WHERE team_id = $1 ORDER BY id', [client.teamId]);

/** The answer of a request that must change no contact. */
async function refused(request: () => Promise<Answer>): Promise<Answer> {
  const before = await rows();
  const answer = await request();
  expect(await rows()).toEqual(before);
  return answer;
}

const conflict = (contacts: { contactId?: string; externalIdContactId?: string }): Answer => [
  409,
  { error: expect.any(String) as string, ...contacts },
];

describe.each([
  [CONTACTS, 201],
  [CONTACT_ENROLLMENTS, 200],
])('POST %s', (path, success) => {
  test('the header sets the external id of a new contact', async () => {
    const externalId = '!~ x/%';
    const [status, { contactId }] = await send(path, { phoneNumber: nextNumber() }, ` ${externalId} `);
    expect(status).toBe(success);
    expect((await team.contact(contactId)).externalId).toBe(externalId);
    await world.db.query('UPDATE contacts SET external_id = NULL WHERE id = $1', [contactId]);
  });

  test('the key of the body is a custom property, and no warning', async () => {
    const answer = await team.post(path, { phoneNumber: nextNumber(), externalId: 'of the body' });
    expect(answer).toEqual([success, { message: expect.any(String) as string, contactId: anyUuid }]);
    expect(await team.contact(answer[1].contactId)).toMatchObject({
      externalId: null,
      customProperties: { externalId: 'of the body' },
    });
  });

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'caf\u00e9'],
    ['not printable', 'a\tb'],
  ])('an external id that is %s is 400 and names the header', async (_, externalId) => {
    const answer = await refused(() => send(path, { phoneNumber: nextNumber(), email: 'x' }, externalId));
    expect(answer).toEqual([
      400,
      expect.objectContaining({
        error: 'email must be an email address; External-Id must be 1 to 255 printable ASCII characters',
      }),
    ]);
  });

  test('255 characters are stored', async () => {
    const externalId = nextId().padEnd(255, 'x');
    const [, { contactId }] = await send(path, { phoneNumber: nextNumber() }, externalId);
    expect((await team.contact(contactId)).externalId).toBe(externalId);
  });

  test('an id of another contact is 409 and names it; nothing is stored or enrolled', async () => {
    const { contactId, externalId } = await stored();
    const campaign = await buildCampaign(world.db, team.teamId);
    for (const more of [{}, { campaignId: campaign.id }])
      expect(await refused(() => send(path, { phoneNumber: nextNumber(), ...more }, externalId))).toEqual(
        conflict({ externalIdContactId: contactId }),
      );
    expect(await team.enrollments(contactId)).toEqual([]);
  });

  test('parallel requests with one external id and different numbers: one is stored, the others are 409', async () => {
    const externalId = nextId();
    const before = (await rows()).length;
    const answers = await parallel(12, () => send(path, { phoneNumber: nextNumber() }, externalId));
    const statuses = answers.map(([status]) => status).sort();
    expect(statuses).toEqual([success, ...Array<number>(11).fill(409)].sort());
    const kept = answers.find(([status]) => status === success)?.[1].contactId;
    for (const [status, body] of answers)
      if (status === 409) expect(body).toMatchObject({ externalIdContactId: kept });
    expect((await rows()).length).toBe(before + 1);
  });

  test('the same with an Idempotency-Key each, and with a campaign', async () => {
    const externalId = nextId();
    const campaign = await buildCampaign(world.db, team.teamId);
    const answers = await parallel(8, (n) =>
      team.post(
        path,
        { phoneNumber: nextNumber(), ...(n % 2 === 0 && { campaignId: campaign.id }) },
        { 'External-Id': externalId, ...(n < 4 && { 'Idempotency-Key': `${externalId} ${path} ${n}` }) },
      ),
    );
    const statuses = answers.map(([status]) => status).sort();
    expect(statuses).toEqual([success, ...Array<number>(7).fill(409)].sort());
  });

  test('the external id and the query belong to the Idempotency-Key', async () => {
    const [externalId, other] = [nextId(), nextId()];
    const body = { phoneNumber: nextNumber() };
    const keyed = (query: string, id: string | null) =>
      team.post(`${path}${query}`, body, {
        'Idempotency-Key': `key of ${externalId}`,
        ...(id !== null && { 'External-Id': id }),
      });
    expect((await keyed('', externalId))[0]).toBe(success);
    expect((await keyed('', externalId))[0]).toBe(success);
    expect((await keyed('', other))[0]).toBe(422);
    expect((await keyed('', null))[0]).toBe(422);
    expect((await keyed('?x=1', externalId))[0]).toBe(422);
  });

  test('another team can have the same external id', async () => {
    const { externalId } = await stored();
    const other = await buildClient(world.db, api);
    const sent = { 'External-Id': externalId };
    expect((await other.post(path, { phoneNumber: nextNumber() }, sent))[0]).toBe(success);
  });
});

test('4.2: `Contact existed` comes first', async () => {
  const [one, other] = [await stored(), await stored()];
  for (const externalId of [one.externalId, other.externalId, nextId()])
    expect(await refused(() => create({ phoneNumber: one.phoneNumber }, externalId))).toEqual([
      400,
      { error: 'Contact existed', contactId: one.contactId },
    ]);
});

describe('4.4', () => {
  test('sets the external id where it is null, and keeps it', async () => {
    const { contactId, phoneNumber } = await stored(null);
    const externalId = nextId();
    for (const name of ['Ada', 'Ada', 'Ada King'])
      expect((await upsert({ phoneNumber, name }, externalId))[0]).toBe(200);
    expect((await team.post(CONTACT_ENROLLMENTS, { phoneNumber, plan: 'gold' }))[0]).toBe(200);
    expect(await team.contact(contactId)).toMatchObject({ externalId, name: 'Ada King' });
  });

  test('a number and an id of two contacts are 409, which names both', async () => {
    const [one, other] = [await stored(null), await stored()];
    const request = () => upsert({ phoneNumber: one.phoneNumber, name: 'Ada' }, other.externalId);
    expect(await refused(request)).toEqual(
      conflict({ contactId: one.contactId, externalIdContactId: other.contactId }),
    );
  });

  test('a number whose contact has another id is 409', async () => {
    const { contactId, phoneNumber } = await stored();
    const answer = await refused(() => upsert({ phoneNumber, name: 'Ada' }, nextId()));
    expect(answer).toEqual(conflict({ contactId }));
  });

  test('parallel requests with one number and different ids: one id is stored, the others are 409', async () => {
    const { contactId, phoneNumber } = await stored(null);
    const ids = Array.from({ length: 8 }, nextId);
    const answers = await Promise.all(ids.map((id) => upsert({ phoneNumber }, id)));
    const kept = ids.filter((_, n) => answers[n]?.[0] === 200);
    expect(kept).toEqual([(await team.contact(contactId)).externalId]);
    expect(answers.filter(([status]) => status === 409)).toHaveLength(7);
  });
});

describe('PATCH /api/contacts/{contactId}', () => {
  const of = (contactId: string) => `${CONTACTS}/${contactId}`;

  test('sets, changes and clears the external id; a property of the name stays a property', async () => {
    const { contactId } = await stored();
    const changed = nextId();
    await team.patch(of(contactId), { customProperties: { externalId: 'a property' } });
    expect(await team.patch(of(contactId), { externalId: changed })).toEqual([
      200,
      expect.objectContaining({ externalId: changed, customProperties: { externalId: 'a property' } }),
    ]);
    expect((await team.patch(of(contactId), { externalId: null }))[1]).toMatchObject({
      externalId: null,
      customProperties: { externalId: 'a property' },
    });
  });

  test('the id of another contact is 409, which names both', async () => {
    const [one, other] = [await stored(), await stored()];
    const change = { name: 'Ada', externalId: other.externalId };
    expect(await refused(() => team.patch(of(one.contactId), change))).toEqual(
      conflict({ contactId: one.contactId, externalIdContactId: other.contactId }),
    );
  });

  test('a malformed id is 400', async () => {
    const { contactId } = await stored();
    for (const externalId of ['x'.repeat(256), '\u00e9', 7]) {
      const [status, body] = await refused(() => team.patch(of(contactId), { externalId }));
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^externalId must be/)]);
    }
  });

  test('parallel changes to one external id: one is stored', async () => {
    const contacts = await parallel(6, () => stored());
    const externalId = nextId();
    const answers = await Promise.all(contacts.map((one) => team.patch(of(one.contactId), { externalId })));
    const statuses = answers.map(([status]) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

describe('PATCH /api/contacts/by-external-id/{externalId}', () => {
  test('changes the contact with the id', async () => {
    const { contactId, externalId, phoneNumber } = await stored('x y/%2F?#&e=1');
    for (const more of [{}, { phoneNumber }, { externalId }, { phoneNumber: null }])
      expect(await team.patch(byId(externalId), { name: 'Ada', plan: 'gold', ...more })).toEqual([
        200,
        expect.objectContaining({ contactId, externalId, name: 'Ada', customProperties: { plan: 'gold' } }),
      ]);
    expect(await team.patch(byId(externalId), { name: null })).toEqual([
      200,
      expect.objectContaining({ contactId, name: null }),
    ]);
    expect((await team.patch(byId(externalId), {}))[0]).toBe(200);
  });

  test('an id that looks like a UUID keeps its upper case', async () => {
    const { contactId, externalId } = await stored('0C6F8A1E-6F0B-4F9B-8F35-3F0A1B2C7D55');
    expect((await team.patch(byId(externalId), { name: 'Ada' }))[1]).toMatchObject({ contactId });
    expect((await team.patch(byId(externalId.toLowerCase()), { name: 'Ada' }))[0]).toBe(404);
  });

  test('creates a contact with phoneNumber (201), and is 404 without', async () => {
    const [externalId, phoneNumber] = [nextId(), nextNumber()];
    const notFound = await refused(() => team.patch(byId(externalId), { name: 'Ada' }));
    expect(notFound).toEqual([404, { error: 'Contact not found' }]);
    const body = { phoneNumber, name: 'Ada', companyName: null, plan: 'gold', gone: null };
    const [status, contact] = await team.patch(byId(externalId), body);
    expect([status, contact]).toEqual([
      201,
      expect.objectContaining({
        contactId: anyUuid,
        externalId,
        phoneNumber,
        name: 'Ada',
        companyName: null,
        customProperties: { plan: 'gold' },
      }),
    ]);
    expect(await team.patch(byId(externalId), body)).toEqual([200, contact]);
  });

  test('sets the id of the contact with the number where it is null', async () => {
    const { contactId, phoneNumber } = await stored(null);
    const externalId = nextId();
    expect(await team.patch(byId(externalId), { phoneNumber })).toEqual([
      200,
      expect.objectContaining({ contactId, externalId }),
    ]);
  });

  test('a number and an id that are not of one contact are 409', async () => {
    const [one, other, none] = [await stored(), await stored(), await stored(null)];
    const conflicts: [string, Body, Parameters<typeof conflict>[0]][] = [
      [
        one.externalId,
        { phoneNumber: other.phoneNumber },
        { contactId: other.contactId, externalIdContactId: one.contactId },
      ],
      [
        one.externalId,
        { phoneNumber: none.phoneNumber },
        { contactId: none.contactId, externalIdContactId: one.contactId },
      ],
      [one.externalId, { phoneNumber: nextNumber() }, { externalIdContactId: one.contactId }],
      [nextId(), { phoneNumber: one.phoneNumber }, { contactId: one.contactId }],
    ];
    for (const [id, body, contacts] of conflicts)
      expect(await refused(() => team.patch(byId(id), { name: 'Ada', ...body }))).toEqual(conflict(contacts));
  });

  test('every bad field is named', async () => {
    const body = { phoneNumber: '12', email: 'x', contactId: 'x', campaignId: 'y' };
    const [status, { error }] = await refused(() => team.patch(byId('caf\u00e9'), body));
    expect(status).toBe(400);
    for (const name of ['phoneNumber', 'email', 'contactId', 'campaignId', 'externalId'])
      expect(error).toMatch(new RegExp(`\\b${name} `));
    const { externalId } = await stored();
    for (const other of [null, nextId()])
      expect(await refused(() => team.patch(byId(externalId), { externalId: other }))).toMatchObject([
        400,
        { error: expect.stringMatching(/^externalId must be that of the path/) as string },
      ]);
  });

  test('parallel requests create one contact', async () => {
    const [externalId, phoneNumber] = [nextId(), nextNumber()];
    const answers = await parallel(8, () => team.patch(byId(externalId), { phoneNumber, name: 'Ada' }));
    expect(answers.map(([status]) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(answers.map(([, { contactId }]) => contactId)).size).toBe(1);
  });

  test('parallel requests with one id and two numbers: one is stored, the other is 409', async () => {
    const externalId = nextId();
    const answers = await parallel(2, () => team.patch(byId(externalId), { phoneNumber: nextNumber() }));
    expect(answers.map(([status]) => status).sort()).toEqual([201, 409]);
  });

  test('another team’s contact is not found', async () => {
    const { externalId } = await stored();
    const other = await buildClient(world.db, api);
    const answer = await refused(() => other.patch(byId(externalId), { name: 'Mallory' }));
    expect(answer).toEqual([404, { error: 'Contact not found' }]);
  });
});

describe('reads', () => {
  test('the filter finds the contact, also with others, and only in its team', async () => {
    const { contactId, externalId, phoneNumber } = await stored();
    const found = async (query: string, client = team) => {
      const [status, body] = await client.get(`${CONTACTS}?${query}`);
      expect(status).toBe(200);
      return (body.items as Body[]).map((item) => item.contactId);
    };
    const filter = `externalId=${encodeURIComponent(externalId)}`;
    expect(await found(filter)).toEqual([contactId]);
    expect(await found(`${filter}&phoneNumber=${encodeURIComponent(phoneNumber)}`)).toEqual([contactId]);
    expect(await found(`${filter}&email=other@example.com`)).toEqual([]);
    expect(await found(`${filter}&updatedSince=2026-01-01T00:00:00Z`)).toEqual([contactId]);
    expect(await found(filter, await buildClient(world.db, api))).toEqual([]);
    expect((await team.get(`${CONTACTS}?externalId=`))[0]).toBe(400);
  });

  test('an erasure clears the external id, which another contact can then have', async () => {
    const { contactId, externalId } = await stored();
    const erased = await team.erase(contactId);
    expect(erased).toBe(204);
    const [row] = await world.db.query<Body[]>('SELECT external_id FROM contacts WHERE id = $1', [contactId]);
    expect(row).toEqual({ external_id: null });
    expect((await create({ phoneNumber: nextNumber() }, externalId))[0]).toBe(201);
  });
});
