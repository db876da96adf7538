import { type NestExpressApplication } from '@nestjs/platform-express';
import { PeopleService } from '../../src/people/people.service.js';
import { textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const EMAIL = 'ada@example.com';

let world: World;
let api: NestExpressApplication;
let caller: Caller;
let browser: Visitor;
let call: string;
const phoneNumber = nextNumber();

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
  caller = await buildCaller(world.db, { timezone: 'America/New_York' });
  await api
    .get(PeopleService, { strict: false })
    .create({ teamId: caller.teamId, role: 'viewer' }, EMAIL, PASSWORD);
  ({ id: call } = await buildStoredCall(world.db, caller, phoneNumber, {
    status: 'canceled',
    timezone: 'Asia/Tokyo',
    accepted_at: new Date('2026-11-20T15:00:00Z'),
    ended_at: new Date('2026-11-20T20:30:00Z'),
  }));
  browser = new Visitor(api);
  await browser.signIn(EMAIL, PASSWORD);
});
afterAll(() => world?.close());

const shown = async () => (await browser.get(`/t/${caller.teamId}/calls/${call}`)).text;
const choose = (timezone: string) => browser.submit('/account', '/account/timezone', { timezone });

test('times are in the zone of the team, with the called person’s beside, until the person chooses one', async () => {
  expect(textOf(await shown())).toContain('Accepted Fri 2026-11-20 10:00:00 Sat 2026-11-21 00:00 there');
  expect((await choose('Asia/Seoul')).headers.location).toBe('/account');
  const page = await shown();
  expect(page).toContain('<time datetime="2026-11-20T15:00:00.000Z">Sat 2026-11-21 00:00:00</time>');
  // The clocks of Seoul and Tokyo are the same.
  expect(textOf(page)).not.toMatch(/\d there/);
  await choose('Asia/Shanghai');
  expect(textOf(await shown())).toContain('Accepted Fri 2026-11-20 23:00:00 Sat 2026-11-21 00:00 there');
  expect(textOf(await shown())).toContain('Ended Sat 2026-11-21 04:30:00 05:30 there');
  expect((await browser.get('/account')).text).toContain('value="Asia/Shanghai"');
  await choose('');
  expect(textOf(await shown())).toContain('Accepted Fri 2026-11-20 10:00');
});

test('a zone that is none is refused at its field, which keeps what was typed', async () => {
  const answer = await choose('Mars/Olympus');
  expect([answer.status, textOf(answer.text).includes('The time zone must be')]).toEqual([400, true]);
  expect(answer.text).toContain('value="Mars/Olympus"');
  expect(textOf(await shown())).toContain('Accepted Fri 2026-11-20 10:00');
});

test('a number is read in groups, and copied as E.164', async () => {
  const page = await shown();
  const groups = `<span>+1</span><span>415</span><span>555</span><span>${phoneNumber.slice(-4)}</span>`;
  expect(page).toContain(`<data class="phone" value="${phoneNumber}">${groups}</data>`);
  expect(page).toContain(`<title>Call to +1 415 555 ${phoneNumber.slice(-4)} · Outdial</title>`);
});
