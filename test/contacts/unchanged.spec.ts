import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { type Body, CONTACT_ENROLLMENTS, TeamClient } from './team-client.js';

// A contact that has all that a request says is not written: its row may be large, and WAL has all of it.
let world: World;
let api: NestExpressApplication;

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
});
afterAll(() => world.close());

const phoneNumber = nextNumber();
const FIELDS = { name: 'Ada', companyName: 'Engines', plan: { seats: 3, tags: ['a'] }, note: null };

/** The version of the contact's row that Postgres has. */
async function versionOf(teamId: string): Promise<unknown> {
  const rows = await world.db.query<unknown[]>(
    'SELECT id, xmin::text, ctid::text, updated_at FROM contacts WHERE team_id = $1 AND phone_number = $2',
    [teamId, phoneNumber],
  );
  return rows[0];
}

async function build() {
  const caller = await buildCaller(world.db);
  const team = new TeamClient(api, caller.teamId, caller.apiKey);
  const upsert = async (body: Body) => (await team.post(CONTACT_ENROLLMENTS, { phoneNumber, ...body }))[1];
  const created = await upsert(FIELDS);
  return { caller, team, upsert, created };
}

test.each<[string, Body]>([
  ['nothing but the number', {}],
  ['the same', FIELDS],
  ['a part of it', { name: 'Ada', plan: { tags: ['a'], seats: 3 } }],
])('an upsert that sends %s writes nothing, and answers alike', async (_, body) => {
  const { caller, upsert, created } = await build();
  const before = await versionOf(caller.teamId);
  expect(await upsert(body)).toEqual(created);
  expect(await versionOf(caller.teamId)).toEqual(before);
});

test.each<[string, Body]>([
  ['another name', { name: 'Bob' }],
  ['a field that was empty', { email: 'ada@example.org' }],
  ['a new property', { more: 1 }],
  // Properties are replaced as a whole.
  ['less of a property', { plan: { seats: 3 } }],
])('an upsert that sends %s writes it', async (_, body) => {
  const { caller, upsert, created } = await build();
  const before = await versionOf(caller.teamId);
  expect(await upsert(body)).toEqual(created);
  expect(await versionOf(caller.teamId)).not.toEqual(before);
});

test('a trigger writes its contact only if the contact changes', async () => {
  const { caller, created } = await build();
  const trigger = async (body: Body) => {
    const team = new TeamClient(api, caller.teamId, caller.apiKey);
    const [status] = await team.post(`/api/voice-agents/${caller.agentId}/calls`, { phoneNumber, ...body });
    return status;
  };
  const written = 'SELECT ctid::text, updated_at FROM contacts WHERE team_id = $1';
  const before = await world.db.query<unknown[]>(written, [caller.teamId]);
  expect(await trigger({ name: 'Ada', topic: 'a' })).toBe(200);
  expect(await world.db.query(written, [caller.teamId])).toEqual(before);
  const calls = await world.db.query<{ contact_id: string }[]>(
    'SELECT contact_id FROM call_requests WHERE team_id = $1',
    [caller.teamId],
  );
  expect(calls).toEqual([{ contact_id: (created as { contactId: string }).contactId }]);
  await trigger({ name: 'Bob' });
  expect(await world.db.query(written, [caller.teamId])).not.toEqual(before);
});
