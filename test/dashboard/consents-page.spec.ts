import { type TeamRole } from '../../src/domain/permissions.js';
import { Ledger } from '../support/consent-ledger.js';
import { section } from '../operations/operations-client.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { PagesClient } from './pages-client.js';

const calling = Calling.ofFile();
const ledger = new Ledger(calling);
let caller: Caller;
let path: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US', timezone: 'America/New_York' });
  path = `/t/${caller.teamId}/consents`;
});

async function person(role: TeamRole = 'manager'): Promise<PagesClient> {
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role });
  return new PagesClient(calling.api, cookie);
}

const FORM = {
  level: 'expressWritten',
  purpose: 'marketing',
  voice: 'ai',
  source: 'Letter',
  evidence: 'Folder 7',
};

test('a manager records a consent and revokes it', async () => {
  const pages = await person();
  const typed = { ...FORM, phoneNumber: '(415) 555-0142', grantedOn: '2026-03-05', lastDay: '2098-12-31' };
  const answer = await pages.submit(path, path, typed);
  expect([answer.status, answer.headers.location]).toEqual([303, path]);
  // The days begin and end by the clock of the team.
  expect(await ledger.list(caller)).toMatchObject([
    {
      phoneNumber: '+14155550142',
      level: 'expressWritten',
      purpose: 'marketing',
      voice: 'ai',
      source: 'Letter',
      evidence: 'Folder 7',
      grantedAt: '2026-03-05T05:00:00.000Z',
      expiresAt: '2099-01-01T05:00:00.000Z',
    },
  ]);
  const list = section(await pages.page(path), 'list');
  for (const text of [
    '+14155550142',
    'Express, in writing',
    'Marketing · AI voice',
    'Letter',
    'Folder 7',
    'In force',
  ])
    expect(list).toContain(text);
  const [{ id } = { id: '' }] = await ledger.list(caller);
  const revoked = await pages.submit(path, `${path}/${id}/revoke`, { reason: 'asked us' });
  expect(revoked.status).toBe(303);
  expect(await ledger.list(caller)).toMatchObject([{ status: 'revoked', endReason: 'asked us' }]);
  const after = await pages.page(path);
  expect(section(after, 'list')).toContain('Revoked');
  expect(after).not.toContain('/revoke');
});

test('a consent of today is given now', async () => {
  const pages = await person();
  const before = Date.now();
  // The form has the day already.
  const [, grantedOn = ''] = /name="grantedOn"[^>]*value="([^"]*)"/.exec(await pages.page(path)) ?? [];
  const answer = await pages.submit(path, path, { ...FORM, phoneNumber: nextNumber(), grantedOn });
  expect(answer.status).toBe(303);
  const [consent] = await ledger.list(caller);
  expect(Date.parse(consent?.grantedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
  expect(consent).toMatchObject({ status: 'in_force', expiresAt: null });
});

test('a form that is refused keeps what was typed, and names each field', async () => {
  const pages = await person();
  const answer = await pages.submit(path, path, {
    ...FORM,
    phoneNumber: '12',
    source: ' ',
    evidence: 'Folder 8',
    grantedOn: '2098-01-01',
    lastDay: 'soon',
  });
  expect(answer.status).toBe(400);
  const problem = section(answer.text, 'problem');
  expect(problem).toContain('The consent was not recorded.');
  expect(problem).toContain('Enter how the consent was given.');
  expect(problem).toContain('Last day must be a day');
  expect(answer.text).toContain('value="Folder 8"');
  const later = await pages.submit(path, path, {
    ...FORM,
    phoneNumber: nextNumber(),
    grantedOn: '2098-01-01',
  });
  expect([later.status, section(later.text, 'problem')]).toEqual([
    400,
    expect.stringContaining('Given on must not be in the future'),
  ]);
  expect(await ledger.list(caller)).toEqual([]);
});

test('the number of an erased person is not in what is read of a consent', async () => {
  const erased = `erased:${'a'.repeat(64)}`;
  const granted_at = new Date(Date.now() - 60_000);
  const fields = {
    team_id: caller.teamId,
    level: 'express',
    source: 'x',
    granted_at,
    created_at: granted_at,
  };
  await insertRow(calling.db, 'consents', { ...fields, phone_number: erased });
  await insertRow(calling.db, 'consents', { ...fields, phone_number: '+14155550142' });
  const page = await (await person()).page(path);
  expect(page).toContain('the consent of an erased number');
  expect(page).toContain('the consent of +1 415 555 0142');
  expect(page).not.toContain(erased);
});

test('a number is looked up in any notation; its opt-out is told', async () => {
  const pages = await person();
  await ledger.recorded(caller, '+14155550142', { source: 'First' });
  await ledger.recorded(caller, '+14155550143', { source: 'Second' });
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: ['+14155550142'] });
  const shown = section(await pages.page(`${path}?phoneNumber=415-555-0142`), 'list');
  expect(shown).toContain('First');
  expect(shown).toContain('Opted out');
  expect(shown).not.toContain('Second');
  const refused = await pages.get(`${path}?phoneNumber=x`);
  expect([refused.status, section(refused.text, 'problem')]).toEqual([
    400,
    expect.stringContaining('phoneNumber must be one phone number'),
  ]);
});

test('a viewer reads, and changes nothing', async () => {
  const pages = await person('viewer');
  const { id } = await ledger.recorded(caller, nextNumber());
  const page = await pages.page(path);
  expect(section(page, 'list')).toContain('In force');
  expect(page).not.toContain('/revoke');
  expect(page).not.toContain('id="add"');
  expect(page).toContain(`href="${path}"`);
  await pages.post(path, FORM).expect(403);
  await pages.post(`${path}/${id}/revoke`, {}).expect(403);
});

test('the page of a number has its consents', async () => {
  const pages = await person();
  const number = nextNumber();
  const { id } = await ledger.recorded(caller, number, { source: 'Letter of May' });
  await ledger.recorded(caller, nextNumber(), { source: 'Another' });
  const address = `/t/${caller.teamId}/numbers?phoneNumber=${encodeURIComponent(number)}`;
  const consents = section(await pages.page(address), 'consents');
  expect(consents).toContain('Letter of May');
  expect(consents).not.toContain('Another');
  const revoked = await pages.submit(address, `${path}/${id}/revoke`);
  expect([revoked.status, revoked.headers.location]).toEqual([303, address]);
  expect(await ledger.states(caller, number)).toEqual(['revoked']);
});

test('texts of consents are shown as texts', async () => {
  const pages = await person();
  await ledger.recorded(caller, nextNumber(), { source: '<script>x()</script>', evidence: '<b>' });
  const page = await pages.page(path);
  expect(page).not.toContain('<script>x()');
  expect(page).toContain('&lt;script>x()');
});
