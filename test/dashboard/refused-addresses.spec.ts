import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildEnrollment, buildTeam, nextNumber } from '../support/builders.js';
import { OperationsClient, section, textOf } from '../operations/operations-client.js';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;
let teamId: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  pages = await OperationsClient.signedIn(app);
  ({ id: teamId } = await buildTeam(world.db, { name: 'Clinics' }));
});
afterAll(() => world.close());

test.each(['/platform/nothing', '/platform/calls/unknown/more', '/t/x/campaigns/y/z'])(
  '%s is answered with a page that says so',
  async (path) => {
    const answer = await pages.get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(textOf(answer.text)).toContain('To the beginning');
  },
);

async function refused(path: string): Promise<string> {
  const answer = await pages.get(path);
  expect(answer.status).toBe(400);
  return answer.text;
}

test('the overview with a zone that does not exist shows its form and the reason', async () => {
  const zone = await refused('/platform?timezone=Mars/Olympus');
  expect(section(zone, 'problem')).toContain('timezone must be an IANA time zone name');
  expect(zone).toContain('action="/platform"');
});

test('a number that cannot be read stays in the form that looks it up', async () => {
  for (const path of ['/platform/numbers', '/platform/do-not-call']) {
    const page = await refused(`${path}?teamId=${teamId}&phoneNumber=12345`);
    expect(page).toContain('value="12345"');
    expect(page).toContain('id="problem"');
  }
});

test('filters of enrollments that are refused stay chosen', async () => {
  const { id } = await buildCampaign(world.db, teamId);
  const path = `/t/${teamId}/campaigns/${id}/enrollments`;
  const page = await refused(`${path}?status=active&phoneNumber=12345`);
  expect(page).toContain('value="12345"');
  expect(page).toMatch(/<option value="active" selected/);
  await refused(`${path}?waitingFor=nothing`);
  await refused(`${path}?cursor=nothing`);
  await refused(`/t/${teamId}/campaigns?cursor=nothing`);
});

test('the page of a number shows what the person waits for in campaigns', async () => {
  const phoneNumber = nextNumber();
  const contact = await buildContact(world.db, teamId, { phone_number: phoneNumber });
  const campaign = await buildCampaign(world.db, teamId, { name: 'Reminders' });
  const keys = { team_id: teamId, campaign_id: campaign.id, contact_id: contact.id };
  const { id } = await buildEnrollment(
    world.db,
    { ...keys, version_id: campaign.current_version_id },
    { waiting_for: 'hours', next_attempt_at: new Date('2027-01-04T14:00:00Z') },
  );
  const page = await pages.page(`/t/${teamId}/numbers?phoneNumber=${encodeURIComponent(phoneNumber)}`);
  expect(page).toContain(`/t/${teamId}/campaigns/${campaign.id}/enrollments/${id}`);
  expect(section(page, 'enrollments')).toMatch(/Reminders[\s\S]*Active[\s\S]*2027-01-04 14:00/);
  expect(textOf(page)).toContain('The person waits in a campaign');
  expect(textOf(page)).not.toContain('was ever requested');

  const list = `/t/${teamId}/campaigns/${campaign.id}/enrollments`;
  const found = await pages.page(`${list}?phoneNumber=${encodeURIComponent(phoneNumber)}`);
  expect(found).toContain(`data-enrollment="${id}"`);
  const others = await pages.page(`${list}?phoneNumber=${encodeURIComponent(nextNumber())}`);
  expect(others).not.toContain('data-enrollment');
});
