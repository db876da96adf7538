import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { Transactions } from '../../src/database/transactions.js';
import { createWorld, type World } from '../support/app.js';
import { buildApiKey, buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import {
  type Body,
  buildClient,
  CONTACT_ENROLLMENTS,
  CONTACTS,
  ENROLLMENTS,
  UNKNOWN_ID,
  TeamClient,
} from './team-client.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;
let stranger: TeamClient;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  team = await buildClient(world.db, api);
  stranger = new TeamClient(api, team.teamId, 'od_live_nobody');
});
afterAll(() => world.close());

const NUMBER = '+14155550100';
const UNAUTHORIZED = [401, { error: 'Invalid API key' }];
const FOREIGN_TEAM = [403, { error: 'teamId must be the team of the API key' }];
const POSTS: [path: string, body: Body][] = [
  [CONTACTS, { phoneNumber: NUMBER }],
  [CONTACT_ENROLLMENTS, { phoneNumber: NUMBER }],
  [ENROLLMENTS, { contactId: UNKNOWN_ID, campaignId: UNKNOWN_ID }],
];

/** Nothing that is refused leaves a trace. */
afterEach(async () => {
  expect(await world.db.query('SELECT FROM contacts WHERE phone_number = $1', [NUMBER])).toEqual([]);
});

describe('400 names every bad field', () => {
  test.each([CONTACTS, CONTACT_ENROLLMENTS])('POST %s', async (path) => {
    expect(await team.post(path, { email: 'ada', campaignId: 'spring', name: 'Ada' })).toEqual([
      400,
      { error: 'phoneNumber is required; campaignId must be a UUID; email must be an email address' },
    ]);
  });

  test(`POST ${ENROLLMENTS}`, async () => {
    expect(await team.post(ENROLLMENTS, { campaignId: 'spring', version: 'last' })).toEqual([
      400,
      {
        error:
          'contactId is required; campaignId must be a UUID; version must be current, draft or the id of a campaign version',
      },
    ]);
  });
});

describe('section 5 and section 7: 401 `Invalid API key`', () => {
  test.each(POSTS)('POST %s', async (path, body) => {
    expect(await stranger.post(path, body)).toEqual(UNAUTHORIZED);
    for (const header of ['', 'Basic abc', 'Bearer', `Bearer ${team.apiKey} x`, team.apiKey]) {
      const request = supertest(api.getHttpServer()).post(path).send(body);
      const answer = await (header === '' ? request : request.set('Authorization', header));
      expect([answer.status, answer.body]).toEqual(UNAUTHORIZED);
    }
  });

  test.each([`${CONTACTS}/${UNKNOWN_ID}`, `${ENROLLMENTS}?contactId=${UNKNOWN_ID}`, ENROLLMENTS])(
    'GET %s',
    async (path) => expect(await stranger.get(path)).toEqual(UNAUTHORIZED),
  );

  test('a revoked key is 401', async () => {
    const key = 'od_live_revoked';
    await buildApiKey(world.db, team.teamId, { key_hash: hashApiKey(key), revoked_at: new Date() });
    const client = new TeamClient(api, team.teamId, key);
    for (const [path, body] of POSTS) expect(await client.post(path, body)).toEqual(UNAUTHORIZED);
    expect(await client.post(CONTACTS, '{')).toEqual(UNAUTHORIZED);
  });

  test('a wrong key gets the same answer with any `teamId`', async () => {
    for (const teamId of [undefined, team.teamId, UNKNOWN_ID]) {
      for (const [path, body] of POSTS) {
        expect(await stranger.post(path, { ...body, teamId })).toEqual(UNAUTHORIZED);
      }
    }
  });
});

describe('checks have the order 401, 413, 400, 403, 404, 409, 422', () => {
  const tooLarge = `{"phoneNumber": "${'x'.repeat(256 * 1024)}`;

  test.each(POSTS)('POST %s: 401 before 413 and 400', async (path) => {
    expect(await stranger.post(path, tooLarge)).toEqual(UNAUTHORIZED);
    expect(await stranger.post(path, '{"phoneNumber"')).toEqual(UNAUTHORIZED);
    expect(await stranger.post(path, { phoneNumber: 'nonsense' })).toEqual(UNAUTHORIZED);
  });

  test.each(POSTS)('POST %s: 413 for a body over 256 KB, before 400', async (path) => {
    expect(await team.post(path, tooLarge)).toEqual([413, { error: 'The body must be at most 256 KB' }]);
  });

  test.each(POSTS)('POST %s: 400 for more than 10,000 JSON values', async (path, body) => {
    expect(await team.post(path, { ...body, extra: Array.from({ length: 10_000 }, () => 1) })).toEqual([
      400,
      { error: 'The body must have at most 10000 JSON values' },
    ]);
  });

  test.each(POSTS)('POST %s: 400 before 403', async (path, body) => {
    const wrong = { ...body, teamId: UNKNOWN_ID, phoneNumber: 7, contactId: 'x' };
    expect((await team.post(path, wrong))[0]).toBe(400);
  });

  test.each(POSTS)('POST %s: 403 for the teamId of another team, known or not', async (path, body) => {
    const other = await buildClient(world.db, api);
    for (const teamId of [UNKNOWN_ID, other.teamId]) {
      expect(await team.post(path, { ...body, teamId })).toEqual(FOREIGN_TEAM);
    }
  });

  test('403 before a duplicate', async () => {
    const { phone_number: phoneNumber } = await buildContact(world.db, team.teamId);
    expect(await team.post(CONTACTS, { phoneNumber, teamId: UNKNOWN_ID })).toEqual(FOREIGN_TEAM);
  });

  test('404 before 409 before 422, and an unknown version after 409', async () => {
    const campaign = await buildCampaign(world.db, team.teamId, { status: 'paused' });
    const contact = await buildContact(world.db, team.teamId);
    const body = { contactId: contact.id, campaignId: campaign.id };
    expect((await team.post(ENROLLMENTS, { ...body, version: 'draft' }))[0]).toBe(404);
    expect((await team.post(ENROLLMENTS, body))[0]).toBe(422);
    await buildEnrollment(world.db, {
      team_id: team.teamId,
      campaign_id: campaign.id,
      contact_id: contact.id,
      version_id: campaign.current_version_id,
    });
    expect((await team.post(ENROLLMENTS, { ...body, contactId: UNKNOWN_ID }))[0]).toBe(404);
    expect((await team.post(ENROLLMENTS, { ...body, version: 'draft' }))[0]).toBe(409);
    expect((await team.post(ENROLLMENTS, body))[0]).toBe(409);
  });
});

describe('400 names the field', () => {
  const contactFaults: [body: Body | string, error: string][] = [
    ['', 'The body is empty'],
    ['[]', 'The body must be a JSON object'],
    ['{', 'The body is not valid JSON'],
    [{}, 'phoneNumber is required'],
    [{ phoneNumber: null }, 'phoneNumber is required'],
    [{ phoneNumber: 14155550100 }, 'phoneNumber must be a string'],
    [{ phoneNumber: '' }, 'phoneNumber is required'],
    [{ phoneNumber: '  ' }, 'phoneNumber is required'],
    [{ phoneNumber: '+1415' }, 'phoneNumber is not a valid phone number'],
    [{ phoneNumber: '(415) 555-0100' }, 'phoneNumber must be in international form'],
    [{ phoneNumber: '+14155550100 ext. 5' }, 'phoneNumber must not have an extension'],
    [{ phoneNumber: '+19005550100' }, 'phoneNumber is a premium-rate'],
    [{ phoneNumber: NUMBER, teamId: 'x' }, 'teamId must be a UUID'],
    [{ phoneNumber: NUMBER, teamId: 7 }, 'teamId must be a string'],
    [{ phoneNumber: NUMBER, campaignId: 'x' }, 'campaignId must be a UUID'],
    [{ phoneNumber: NUMBER, campaignId: [UNKNOWN_ID] }, 'campaignId must be a string'],
    [{ phoneNumber: NUMBER, name: {} }, 'name must be a string'],
    [{ phoneNumber: NUMBER, name: 'x'.repeat(201) }, 'name must be at most 200 characters'],
    [{ phoneNumber: NUMBER, email: 'ada' }, 'email must be an email address'],
    [{ phoneNumber: NUMBER, email: false }, 'email must be a string'],
    [{ phoneNumber: NUMBER, companyName: 1 }, 'companyName must be a string'],
    [{ phoneNumber: NUMBER, companyWebsite: 'x'.repeat(2049) }, 'companyWebsite must be at most'],
    [{ phoneNumber: NUMBER, timezone: 'Mars/Olympus' }, 'timezone must be an IANA time zone name'],
    [`{"phoneNumber":"${NUMBER}","__proto__":{"name":"x"}}`, '__proto__'],
    [`{"phoneNumber":"${NUMBER}","deep":[{"__proto__":1}]}`, 'deep.0 has a key named __proto__'],
    [`{"phoneNumber":"${NUMBER}","deep":${'['.repeat(32)}${']'.repeat(32)}}`, 'deep is nested more than 32'],
    [`{"phoneNumber":"${NUMBER}","text":"\\u0000"}`, 'text contains a character that cannot be stored'],
    [`{"phoneNumber":"${NUMBER}","text":"\\ud800"}`, 'text contains a character that cannot be stored'],
    [`{"phoneNumber":"${NUMBER}","huge":1e999}`, 'huge is a number that cannot be kept exactly'],
    [
      `{"phoneNumber":"${NUMBER}","crm":{"id":9007199254740993}}`,
      'crm.id is a number that cannot be kept exactly',
    ],
  ];

  test.each([CONTACTS, CONTACT_ENROLLMENTS])('POST %s', async (path) => {
    for (const [body, error] of contactFaults) {
      const answer = await team.post(path, body);
      expect(answer).toEqual([400, { error: expect.stringContaining(error) as string }]);
    }
  });

  const ids = { contactId: UNKNOWN_ID, campaignId: UNKNOWN_ID };
  test.each<[body: Body | string, error: string]>([
    ['null', 'The body must be a JSON object'],
    [{}, 'contactId is required'],
    [{ contactId: UNKNOWN_ID }, 'campaignId is required'],
    [{ campaignId: UNKNOWN_ID, contactId: null }, 'contactId is required'],
    [{ ...ids, contactId: '' }, 'contactId is required'],
    [{ ...ids, campaignId: '' }, 'campaignId is required'],
    [{ ...ids, contactId: 'x' }, 'contactId must be a UUID'],
    [{ ...ids, campaignId: 5 }, 'campaignId must be a string'],
    [{ ...ids, teamId: 'x' }, 'teamId must be a UUID'],
    [{ ...ids, source: {} }, 'source must be a string'],
    [{ ...ids, source: 'x'.repeat(201) }, 'source must be at most 200 characters'],
    [{ ...ids, version: 'latest' }, 'version must be current, draft or the id of a campaign version'],
    [{ ...ids, version: 'Current' }, 'version must be current, draft'],
    [{ ...ids, contactId: ' ' }, 'contactId is required'],
    [{ ...ids, campaignId: ' ' }, 'campaignId is required'],
    [{ ...ids, version: 1 }, 'version must be current, draft'],
    [{ ...ids, version: ['draft'] }, 'version must be current, draft'],
    [`{"contactId":"${UNKNOWN_ID}","campaignId":"${UNKNOWN_ID}","__proto__":{}}`, '__proto__'],
  ])('POST /api/campaigns/enrollments %j', async (body, error) => {
    const answer = await team.post(ENROLLMENTS, body);
    expect(answer).toEqual([400, { error: expect.stringContaining(error) as string }]);
  });
});

test.each(POSTS)('POST %s: 503 with Retry-After while Postgres cannot be reached', async (path, body) => {
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const spy = jest.spyOn(api.get(Transactions), 'inOneRoundTrip').mockRejectedValue(lost);
  const answer = await supertest(api.getHttpServer())
    .post(path)
    .set('Authorization', `Bearer ${team.apiKey}`)
    .send({ ...body, campaignId: UNKNOWN_ID });
  spy.mockRestore();
  expect([answer.status, answer.body]).toEqual([503, { error: 'Service unavailable, try again later' }]);
  expect(answer.headers['retry-after']).toBe('1');
});
