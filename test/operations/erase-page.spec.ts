import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, type World } from '../support/app.js';
import { buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
import { section, PAGES_LOGIN, StaffClient, textOf } from './staff-client.js';

let world: World;
let app: NestExpressApplication;
let staff: StaffClient;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld({ ...PAGES_LOGIN, erasureKey: 'erasure-key-of-the-tests' });
  app = await world.startApi();
  staff = new StaffClient(app);
  caller = await buildCaller(world.db, { name: 'Clinics' });
});
afterAll(() => world.close());

test('a person is erased from the number’s page after a confirmation', async () => {
  const { id, phone_number } = await buildContact(world.db, caller.teamId, { name: 'Ada Lovelace' });
  const number = `/admin/numbers?teamId=${caller.teamId}&phoneNumber=${encodeURIComponent(phone_number)}`;
  const page = await staff.page(number);
  expect(section(page, 'about')).toContain('Ada Lovelace Erase…');
  const [, link = ''] = /href="([^"]*\/erase[^"]*)"/.exec(page) ?? [];
  expect(link).toContain(`/admin/teams/${caller.teamId}/contacts/${id}/erase?back=`);
  const question = await staff.page(link.replaceAll('&amp;', '&'));
  expect(section(question, 'erase')).toContain('Ada Lovelace is permanently removed from every table');
  expect(question).toContain('No, back');

  const answer = await staff.submit(
    link.replaceAll('&amp;', '&'),
    `/admin/teams/${caller.teamId}/contacts/${id}/erase`,
  );
  expect([answer.status, answer.headers.location]).toEqual([303, `/admin/numbers?teamId=${caller.teamId}`]);
  expect(await staff.page(answer.headers.location ?? '')).toContain('The person is erased.');
  expect(section(await staff.page(number), 'about')).toContain('No name known');
  await staff.get(`/admin/teams/${caller.teamId}/contacts/${id}/erase`).expect(404);
});

test('a call of an erased person is shown without a number', async () => {
  const erased = `erased:${'0f'.repeat(32)}`;
  const call = await buildStoredCall(world.db, caller, '+14155550177', {
    status: 'canceled',
    history: [
      { at: '2026-11-20T15:00:00.000Z', from: null, to: 'queued', cause: 'triggered' },
      { at: '2026-11-20T15:01:00.000Z', from: 'queued', to: 'canceled', cause: 'contact_erased' },
    ],
  });
  await world.db.query('UPDATE call_requests SET phone_number = $1 WHERE id = $2', [erased, call.id]);
  const page = await staff.page(`/admin/calls/${call.id}`);
  expect(page).not.toContain('erased:');
  const text = textOf(page);
  expect(text).toContain('Call to an erased number');
  expect(text).toContain('Not called: the contact was erased while the call waited.');
});
