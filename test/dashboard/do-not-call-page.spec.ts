import { type TeamRole } from '../../src/domain/permissions.js';
import { section } from '../operations/operations-client.js';
import { buildCampaign, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

const calling = Calling.ofFile();
let caller: Caller;
let path: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US', timezone: 'UTC' });
  path = `/t/${caller.teamId}/do-not-call`;
});

async function person(role: TeamRole = 'manager'): Promise<Person> {
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role });
  return new Person(calling.api, cookie);
}

const limited = async () => {
  const answer = await calling.http().get('/api/do-not-call/limited').set(bearer(caller.apiKey)).expect(200);
  return (answer.body as { items: Record<string, unknown>[] }).items;
};

test('an entry for a campaign until a day is added, shown with its scope, and removed', async () => {
  const manager = await person();
  const { id } = await buildCampaign(calling.db, caller.teamId, { name: 'Spring' });
  const phoneNumber = nextNumber();
  const added = await manager.submit(path, path, {
    phoneNumbers: phoneNumber,
    reason: 'Asked by letter',
    extent: `campaign:${id}`,
    lastDay: '2098-12-31',
  });
  expect(added.status).toBe(303);
  expect(await limited()).toMatchObject([
    { phoneNumber, scope: 'campaign', campaignId: id, expiresAt: '2099-01-01T00:00:00.000Z' },
  ]);
  const page = await manager.page(path);
  expect(section(page, 'limited')).toContain('for the campaign Spring');
  expect(section(page, 'limited')).toContain('Asked by letter');
  expect(section(page, 'list')).not.toContain(phoneNumber);
  const removed = await manager.submit(path, `${path}/remove`);
  expect(removed.status).toBe(303);
  expect(await limited()).toEqual([]);
});

test('a number that is looked up shows when it was added and removed, by what and by which person', async () => {
  const manager = await person();
  const phoneNumber = nextNumber();
  await manager.submit(path, path, { phoneNumbers: phoneNumber, reason: 'Asked by letter' });
  await manager.submit(path, `${path}/remove`);
  const own = `${path}?phoneNumber=${encodeURIComponent(phoneNumber)}`;
  const shown = section(await manager.page(own), 'looked-up');
  expect(shown).toMatch(
    /Not on the list .*History .*Removed for the team, by a request of the team \([^)]+@[^)]+\).*Added for the team, by a request of the team .*: Asked by letter/,
  );
});

test('a limit that is refused keeps what was typed', async () => {
  const manager = await person();
  const phoneNumber = nextNumber();
  for (const [typed, fault] of [
    [{ lastDay: '2020-01-01' }, 'Last day must be after now'],
    [{ extent: `campaign:${caller.agentId}` }, 'Holds for is not the id of a campaign of the team'],
    [{ lastDay: 'soon' }, 'Last day must be a day'],
  ] as const) {
    const answer = await manager.submit(path, path, { phoneNumbers: phoneNumber, ...typed });
    expect([typed, answer.status]).toEqual([typed, 400]);
    expect(answer.text).toContain(fault);
    expect(answer.text).toContain(phoneNumber);
  }
  expect(await limited()).toEqual([]);
});

test('a viewer sees the entries, and changes none', async () => {
  const viewer = await person('viewer');
  const page = await viewer.page(path);
  expect(page).not.toContain('name="extent"');
  expect(page).not.toContain('id="registers"');
});
