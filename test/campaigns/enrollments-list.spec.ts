import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Body, buildClient, ENROLLMENTS, UNKNOWN_ID, type TeamClient } from '../contacts/team-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact } from '../support/builders.js';

let world: World;
let api: NestExpressApplication;
let team: TeamClient;
let campaigns: string[];
let contacts: string[];

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  team = await buildClient(world.db, api);
  const ids = async (build: () => Promise<{ id: string }>) =>
    (await Promise.all([build(), build(), build()])).map(({ id }) => id).sort();
  campaigns = await ids(() => buildCampaign(world.db, team.teamId));
  contacts = await ids(() => buildContact(world.db, team.teamId));
  for (const campaignId of campaigns) {
    for (const contactId of contacts) {
      expect((await team.post(ENROLLMENTS, { campaignId, contactId }))[0]).toBe(201);
    }
  }
});
afterAll(() => world.close());

async function list(query: string): Promise<{ items: Body[]; nextCursor?: string }> {
  const [status, body] = await team.get(`${ENROLLMENTS}?${query}`);
  expect(status).toBe(200);
  return body as { items: Body[]; nextCursor?: string };
}

test('of a contact in a campaign has the one enrollment', async () => {
  const [campaignId, contactId] = [campaigns[1], contacts[2]];
  const page = await list(`contactId=${contactId}&campaignId=${campaignId}`);
  expect(page).toEqual({ items: [expect.objectContaining({ contactId, campaignId, status: 'active' })] });
});

const newestFirst = (ids: string[]) => ids.toReversed();

test('of a contact, and of a campaign: all of them, the newest first, and nothing else', async () => {
  const ofContact = await list(`contactId=${contacts[0]}`);
  expect(ofContact.items.map(({ campaignId }) => campaignId)).toEqual(newestFirst(campaigns));
  const ofCampaign = await list(`campaignId=${campaigns[0]?.toUpperCase()}`);
  expect(ofCampaign.items.map(({ contactId }) => contactId)).toEqual(newestFirst(contacts));
  expect(ofContact).toEqual({ items: expect.any(Array) as Body[] });
});

test('is empty without enrollments', async () => {
  expect(await list(`contactId=${UNKNOWN_ID}`)).toEqual({ items: [] });
  expect(await list(`campaignId=${UNKNOWN_ID}&contactId=${contacts[0]}`)).toEqual({ items: [] });
});

test.each([
  ['contactId', () => contacts[1], 'campaignId', () => newestFirst(campaigns)],
  ['campaignId', () => campaigns[1], 'contactId', () => newestFirst(contacts)],
] as const)('pages of one %s continue each other', async (filter, id, other, expected) => {
  const seen: unknown[] = [];
  let cursor = '';
  for (;;) {
    const page = await list(`${filter}=${id()}&limit=2${cursor}`);
    seen.push(...page.items.map((item) => item[other]));
    if (page.nextCursor === undefined) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(expected());
});

test.each([
  ['', 'contactId or campaignId is required'],
  ['limit=5', 'contactId or campaignId is required'],
  ['contactId=', 'contactId must be a UUID'],
  ['contactId=x', 'contactId must be a UUID'],
  [`contactId=${UNKNOWN_ID}&campaignId=x`, 'campaignId must be a UUID'],
  [`contactId=${UNKNOWN_ID}&contactId=${UNKNOWN_ID}`, 'contactId must be sent once'],
  [`contactId[a]=${UNKNOWN_ID}`, 'is not a parameter of this list'],
  [`contactId=${UNKNOWN_ID}&status=active`, 'status is not a parameter of this list'],
  [`contactId=${UNKNOWN_ID}&limit=0`, 'limit must be a whole number'],
  [`contactId=${UNKNOWN_ID}&cursor=x`, 'cursor must be the nextCursor'],
  ...[
    ['x'],
    ['2026-13-01T00:00:00.000000Z', '1', UNKNOWN_ID],
    ['2026-11-01T00:00:00.000000Z', '-1', UNKNOWN_ID],
    ['2026-11-01T00:00:00.000000Z', '1', 'x'],
    ['2026-11-01T00:00:00.000000Z', '1', UNKNOWN_ID, 'x'],
  ].map((key): [string, string] => [
    `contactId=${UNKNOWN_ID}&cursor=${Buffer.from(JSON.stringify(key)).toString('base64url')}`,
    'cursor must be',
  ]),
])('GET /api/campaigns/enrollments?%s is 400', async (query, error) => {
  const answer = await team.get(`${ENROLLMENTS}?${query}`);
  expect(answer).toEqual([400, { error: expect.stringContaining(error) as string }]);
});
