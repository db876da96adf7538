import { type NestExpressApplication } from '@nestjs/platform-express';
import { OperationsClient, section, textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildEnrollment, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

let world: World;
let app: NestExpressApplication;
let caller: Caller;
let manager: OperationsClient;
let campaign: { id: string; current_version_id: string };
let path: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
});
afterAll(() => world.close());
beforeEach(async () => {
  caller = await buildCaller(world.db, { default_country: 'US' });
  manager = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'manager' });
  campaign = await buildCampaign(world.db, caller.teamId, { name: 'Spring <b>' });
  path = `/t/${caller.teamId}/campaigns/${campaign.id}/enroll`;
});

const contact = (fields: object = {}) => buildContact(world.db, caller.teamId, { ...fields });

const enrollments = () =>
  world.db.query<{ contact_id: string; entry: number; source: string | null }[]>(
    'SELECT contact_id, entry, source FROM enrollments WHERE campaign_id = $1 ORDER BY created_at, entry',
    [campaign.id],
  );

test('numbers, external ids and ids are enrolled, and each other line is told with its reason', async () => {
  const byNumber = await contact({ phone_number: '+14155550142' });
  const byExternalId = await contact({ external_id: 'crm-7 <i>' });
  const byId = await contact();
  const present = await contact({ external_id: 'crm-8' });
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, version_id: campaign.current_version_id };
  await buildEnrollment(world.db, { ...keys, contact_id: present.id });
  const other = await buildCaller(world.db);
  const foreign = await buildContact(world.db, other.teamId);
  const contacts = [
    '(415) 555-0142',
    '',
    ' crm-7 <i> ',
    byId.id,
    'crm-8',
    foreign.id,
    '+1 415 555 0142',
    'nothing <b>',
  ].join('\r\n');
  const answer = await manager.submit(path, path, { contacts });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toMatch(/<[bi]>(?!\d)/);
  const text = textOf(answer.text);
  expect(text).toContain('Enrolled 3');
  expect(text).toContain('Already there 1');
  expect(text).toContain('Refused 3');
  const refused = section(answer.text, 'refused');
  expect(refused).toContain(
    `No contact of the team has this number, external id or id 2 line 6: ${foreign.id} · line 8: nothing <b>`,
  );
  expect(refused).toContain('The same contact as in line 1 1 line 7');
  expect(section(answer.text, 'present')).toContain('line 5 crm-8');
  expect(answer.text).toContain(`/imports/new?campaignId=${campaign.id}`);
  const rows = await enrollments();
  expect(new Set(rows.map((row) => row.contact_id))).toEqual(
    new Set([byNumber.id, byExternalId.id, byId.id, present.id]),
  );
  expect(rows.filter(({ source }) => source === 'dashboard')).toHaveLength(3);
  const [audited] = await world.db.query<{ after: unknown; actor_kind: string }[]>(
    `SELECT after, actor_kind FROM audit_log WHERE team_id = $1 AND action = 'campaign.contacts_enrolled'`,
    [caller.teamId],
  );
  expect(audited).toEqual({ after: { enrolled: 3 }, actor_kind: 'user' });
  // Sent again, it enrolls no contact twice.
  const again = await manager.submit(path, path, { contacts });
  expect(textOf(again.text)).toContain('Enrolled 0');
  expect(await enrollments()).toHaveLength(4);
});

test('a text that is the number of one contact and the external id of another is refused', async () => {
  await contact({ phone_number: '+14155550150' });
  await contact({ external_id: '4155550150' });
  const answer = await manager.submit(path, path, { contacts: '4155550150\n+14155550150' });
  expect(section(answer.text, 'refused')).toContain(
    'Several contacts have this as number, external id or id 1 line 1: 4155550150',
  );
  expect(textOf(answer.text)).toContain('Enrolled 1');
});

test('a contact whose enrollment has ended enters again only where the campaign allows it', async () => {
  const { id } = await contact({ external_id: 'again' });
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, version_id: campaign.current_version_id };
  await buildEnrollment(
    world.db,
    { ...keys, contact_id: id },
    { status: 'completed', end_reason: 'reached', look_at: null, ended_at: new Date(0) },
  );
  const first = await manager.submit(path, path, { contacts: 'again' });
  expect(section(first.text, 'present')).toContain('again Completed');
  await world.db.query(`UPDATE campaigns SET reentry = '{}' WHERE id = $1`, [campaign.id]);
  const second = await manager.submit(path, path, { contacts: 'again' });
  expect(textOf(second.text)).toContain('Enrolled 1');
  expect((await enrollments()).map(({ entry }) => entry)).toEqual([1, 2]);
});

test('a list of a thousand is enrolled; a longer one is refused, and stays typed', async () => {
  const numbers = Array.from({ length: 1_000 }, () => nextNumber());
  await world.db.query(
    'INSERT INTO contacts (team_id, phone_number) SELECT $1, n FROM unnest($2::text[]) n ON CONFLICT DO NOTHING',
    [caller.teamId, numbers],
  );
  const answer = await manager.submit(path, path, { contacts: numbers.join('\n') });
  expect(textOf(answer.text)).toContain('Enrolled 1,000');
  expect(answer.text.length).toBeLessThan(60_000);
  const long = `${numbers.join('\n')}\none more`;
  const refused = await manager.submit(path, path, { contacts: long });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/id="field-contacts-error">These are 1,001 lines; at most 1,000/);
  expect(refused.text).toContain('one more</textarea>');
  const empty = await manager.submit(path, path, { contacts: ' \n' });
  expect(empty.status).toBe(400);
});

test('a campaign that is not active takes none, and a viewer may not', async () => {
  await contact({ external_id: 'crm-9' });
  const page = path.replace('/enroll', '');
  expect(await manager.page(page)).toContain(`href="${path}"`);
  const form = await manager.page(path);
  await world.db.query(`UPDATE campaigns SET status = 'paused' WHERE id = $1`, [campaign.id]);
  expect(textOf(await manager.page(path))).toContain('Contacts can be enrolled while it is active');
  const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(form) ?? [];
  const refused = await manager.post(path, { formToken, contacts: 'crm-9' });
  expect(refused.status).toBe(400);
  expect(textOf(refused.text)).toContain('The campaign is not active.');
  expect(await enrollments()).toEqual([]);
  const viewer = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'viewer' });
  await viewer.get(path).expect(403);
  expect(await viewer.page(page)).not.toContain(`href="${path}"`);
});
