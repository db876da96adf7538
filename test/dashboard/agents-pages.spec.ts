import { randomUUID } from 'node:crypto';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { declaredFields } from '../../src/http/validation.js';
import { CreateVoiceAgent } from '../../src/voice-agents/voice-agent.dto.js';
import { PLACEHOLDERS } from '../../src/dashboard/agents/placeholders.js';
import { renderTemplate, FIELDS } from '../../src/domain/template.js';
import { ONLY_ATTEMPT, withAttempt } from '../../src/domain/attempt-variables.js';
import { section, textOf } from '../operations/operations-client.js';
import {
  buildAgent,
  buildCampaign,
  buildContact,
  buildPool,
  nextNumber,
  type Row,
} from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { formFields } from './form-fields.js';
import { type Fields, Person } from './person.js';

const calling = Calling.ofFile({
  twilioAccountSid: `AC${'0'.repeat(32)}`,
  twilioAuthToken: 'x'.repeat(32),
  publicUrl: 'https://outdial.example.com',
});
let caller: Caller;
let agents: string;
let manager: Person;

beforeEach(async () => {
  caller = await buildCaller(
    calling.db,
    { timezone: 'America/New_York', default_country: 'US' },
    { name: 'Reminder' },
  );
  agents = `/t/${caller.teamId}/agents`;
  manager = await person('manager');
});

async function person(role: 'manager' | 'viewer'): Promise<Person> {
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role });
  return new Person(calling.api, cookie);
}

const rowOf = async (id: string) =>
  (await calling.db.query<Row[]>('SELECT * FROM voice_agents WHERE id = $1', [id]))[0] ?? {};

/** Sends the form of the page as a browser would, with these changes. */
async function sent(path: string, changes: Fields) {
  const page = await manager.page(path);
  const { action, fields } = formFields(page, 'before.name', 'settingsOf');
  return manager.post(action, { ...fields, ...changes });
}

const idIn = (location: unknown) => String(location).split('/').at(-1) ?? '';

test('the form has a control for each field that the API takes', async () => {
  const page = await manager.page(`${agents}/${caller.agentId}/edit`);
  const missing = declaredFields(CreateVoiceAgent).filter((field) => !page.includes(`id="field-${field}"`));
  expect(missing).toEqual([]);
});

test('an agent is made by its form, shown in words, and changed', async () => {
  const made = await sent(`${agents}/new`, {
    name: 'Winback',
    promptTemplate: 'Call {{contact.name}}.\r\nBe kind.',
    firstMessageTemplate: 'Hello {{contact.name | there}}',
    outboundPhoneNumber: caller.callerNumber,
    timezone: 'America/Chicago',
    closedDates: '2099-12-25, 2099-07-04',
    'closedDates.more': '2099-01-01',
    purpose: 'survey',
    'callingHours.saturday.0.start': '22:00',
    'callingHours.saturday.0.end': '02:00',
  });
  expect(made.status).toBe(303);
  const id = idIn(made.headers.location);
  const nine = [{ start: '09:00', end: '17:00' }];
  expect(await rowOf(id)).toMatchObject({
    team_id: caller.teamId,
    name: 'Winback',
    prompt_template: 'Call {{contact.name}}.\nBe kind.',
    outbound_phone_number: caller.callerNumber,
    timezone: 'America/Chicago',
    closed_dates: ['2099-01-01', '2099-07-04', '2099-12-25'],
    purpose: 'survey',
    carrier: null,
    calling_hours: {
      monday: nine,
      tuesday: nine,
      wednesday: nine,
      thursday: nine,
      friday: nine,
      saturday: [{ start: '22:00', end: '02:00' }],
    },
  });
  const page = await manager.after(made);
  expect(textOf(page)).toContain('The agent is created.');
  expect(section(page, 'hours')).toContain(
    'Monday to Friday 09:00–17:00; Saturday 22:00–02:00 the next day; not on Sunday.',
  );
  expect(section(page, 'hours')).toContain('Closed on 2099-01-01, 2099-07-04, 2099-12-25.');
  expect(textOf(await manager.page(agents))).toContain('Winback');

  const changed = await sent(`${agents}/${id}/edit`, { name: 'Win back' });
  expect([changed.status, changed.headers.location]).toEqual([303, `${agents}/${id}`]);
  expect(await rowOf(id)).toMatchObject({
    name: 'Win back',
    purpose: 'survey',
    calling_hours: { friday: nine },
  });
});

test('a form that changes nothing changes nothing, and one that changes a field leaves the others as they are now', async () => {
  const { id } = await buildAgent(calling.db, caller.teamId, {
    prompt_template: '\nBegins with an empty line\r\n',
    calling_hours: { sunday: [{ start: '09:00', end: '00:00' }] },
    carrier: 'twilio',
    carrier_settings: { twimlUrl: 'https://a.example.com', conversationRelay: { voice: 'x' }, unknown: [1] },
  });
  const before = await rowOf(id);
  const path = `${agents}/${id}/edit`;
  expect(textOf(await manager.after(await sent(path, {})))).toContain('Nothing was changed.');
  expect(await rowOf(id)).toEqual(before);

  const { action, fields } = formFields(await manager.page(path), 'before.name', 'settingsOf');
  await calling.db.query('UPDATE voice_agents SET first_message_template = $2 WHERE id = $1', [
    id,
    'Meanwhile',
  ]);
  expect((await manager.post(action, { ...fields, name: 'Other' })).status).toBe(303);
  expect(await rowOf(id)).toEqual({ ...before, name: 'Other', first_message_template: 'Meanwhile' });
});

test.each<[string, Fields, string, string]>([
  ['no name', { name: ' ' }, 'name', 'Name must not be empty'],
  ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone', 'Time zone'],
  [
    'half a window',
    { 'callingHours.monday.0.end': '' },
    'callingHours-monday',
    'Monday, window 1: the end must be a time',
  ],
  [
    'a window of no length',
    { 'callingHours.monday.0.end': '09:00' },
    'callingHours-monday',
    'must differ from the beginning',
  ],
  [
    'a date that the calendar has not',
    { closedDates: '2026-02-30' },
    'closedDates',
    '“2026-02-30” is no date',
  ],
  [
    'a pool of another team',
    { numberPoolId: randomUUID() },
    'numberPoolId',
    'is not a number pool of the team',
  ],
  [
    'a number of another team',
    { outboundPhoneNumber: '+14155550188' },
    'outboundPhoneNumber',
    'is not a phone number of the team',
  ],
  ['a carrier without its settings', { carrier: 'twilio' }, 'carrierSettings', 'must have exactly one of'],
])('%s is refused at its field, and what was typed stays', async (_, changes, field, text) => {
  const answer = await sent(`${agents}/new`, { name: 'Kept', promptTemplate: 'Kept prompt', ...changes });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`href="#field-${field}"`);
  expect(textOf(answer.text)).toContain(text);
  expect(answer.text).toContain('Kept prompt');
  const [{ count }] = await calling.db.query<[{ count: string }]>(
    'SELECT count(*) FROM voice_agents WHERE team_id = $1',
    [caller.teamId],
  );
  expect(count).toBe('1');
});

test('buttons add a window, close a day, copy Monday and show a carrier’s settings, and save nothing', async () => {
  const path = `${agents}/${caller.agentId}/edit`;
  const { action, fields } = formFields(await manager.page(path), 'before.name', 'settingsOf');
  const monday = { 'callingHours.monday.0.start': '08:00', 'callingHours.monday.0.end': '12:00' };
  const press = async (edit: string) => {
    const answer = await manager.post(action, { ...fields, ...monday, callingHours: 'week', edit });
    expect(answer.status).toBe(200);
    return formFields(answer.text, 'before.name', 'settingsOf').fields;
  };
  expect(await press('callingHours:add.monday')).toMatchObject({
    'callingHours.monday.0.start': '08:00',
    'callingHours.monday.1.start': '',
  });
  expect(await press('callingHours:clear.monday')).toMatchObject({ 'callingHours.monday.0.start': '' });
  const copied = await press('callingHours:copy.weekdays');
  expect(copied).toMatchObject({ 'callingHours.friday.0.end': '12:00', 'callingHours.saturday.0.end': '' });
  expect(await press('callingHours:copy.every')).toMatchObject({ 'callingHours.sunday.0.end': '12:00' });
  const twilio = await manager.post(action, { ...fields, carrier: 'twilio', edit: 'carrier:show' });
  expect(twilio.text).toContain('name="carrierSettings.mediaStreamUrl"');
  expect(await rowOf(caller.agentId)).toMatchObject({ calling_hours: null, carrier: null });
});

test('settings of a carrier are fields, and a refused one is named at its field', async () => {
  const path = `${agents}/${caller.agentId}/edit`;
  const shown = await sent(path, { carrier: 'twilio', edit: 'carrier:show' });
  const { action, fields } = formFields(shown.text, 'before.name', 'settingsOf');
  const settings = {
    'carrierSettings.conversationRelayUrl': 'wss://talk.example.com',
    'carrierSettings.ringTimeoutSeconds': '30',
    'carrierSettings.conversationRelay.voice': 'nova',
  };
  const refused = await manager.post(action, {
    ...fields,
    ...settings,
    'carrierSettings.ringTimeoutSeconds': 'long',
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('href="#field-carrierSettings-ringTimeoutSeconds"');
  expect((await manager.post(action, { ...fields, ...settings })).status).toBe(303);
  expect(await rowOf(caller.agentId)).toMatchObject({
    carrier: 'twilio',
    carrier_settings: {
      conversationRelayUrl: 'wss://talk.example.com',
      ringTimeoutSeconds: 30,
      conversationRelay: { voice: 'nova' },
    },
  });
  const page = section(await manager.page(`${agents}/${caller.agentId}`), 'facts');
  expect(page).toContain('Seconds of ringing');
  expect(page).toContain('nova');
});

test('the preview renders the texts for a contact by number or id, and names what has no value', async () => {
  const contact = await buildContact(calling.db, caller.teamId, {
    phone_number: nextNumber(),
    name: 'Ada Lovelace',
    custom_properties: { plan: 'gold' },
  });
  const { id } = await buildAgent(calling.db, caller.teamId, {
    first_message_template: 'Hello {{contact.name}}, of {{contact.companyName | your company}}.',
    prompt_template: 'Plan {{contact.plan}}, order {{orderId}}, {{contact.emial}}.',
  });
  for (const typed of [contact.id, contact.phone_number].map(String)) {
    const shown = section(
      await manager.page(`${agents}/${id}?contact=${encodeURIComponent(typed)}`),
      'preview',
    );
    expect(shown).toContain('For Ada Lovelace');
    expect(shown).toContain('Hello Ada Lovelace, of your company.');
    expect(shown).toContain('Plan gold, order , .');
    expect(shown).toContain('{{orderId}} has no value in this call');
    expect(shown).toContain('The field is {{contact.email}}');
  }
  expect(section(await manager.page(`${agents}/${id}`), 'texts')).toContain('The field is {{contact.email}}');
  const unknown = await manager.get(`${agents}/${id}?contact=${encodeURIComponent(nextNumber())}`);
  expect(unknown.status).toBe(400);
  expect(textOf(unknown.text)).toContain('No contact of the team has this number');
});

test('the form previews the texts as they are typed, and saves nothing', async () => {
  const contact = await buildContact(calling.db, caller.teamId, { name: 'Grace' });
  const path = `${agents}/${caller.agentId}/edit`;
  const typed = { promptTemplate: 'For {{contact.name}} and {{contact.nmae}}', edit: 'preview:show' };
  const shown = await sent(path, { ...typed, previewFor: contact.phone_number });
  expect(shown.status).toBe(200);
  expect(textOf(shown.text)).toContain('For Grace and');
  expect(textOf(shown.text)).toContain('{{contact.nmae}}');
  expect(shown.text).toContain('>For {{contact.name}} and {{contact.nmae}}</textarea>');
  const unknown = await sent(path, { ...typed, previewFor: '12' });
  expect(unknown.text).toContain('id="field-previewFor-error"');
  expect(await rowOf(caller.agentId)).toMatchObject({ prompt_template: '' });
});

test('every placeholder that is offered has a value in every call with a full contact', () => {
  expect(PLACEHOLDERS.map(({ text }) => text)).toEqual(
    expect.arrayContaining([...FIELDS.keys()].map((name) => `{{contact.${name}}}`)),
  );
  const values = Object.fromEntries([...FIELDS.values()].map((field) => [field, 'x']));
  const contact = { ...values, customProperties: {} } as unknown as Parameters<typeof renderTemplate>[1];
  const all = PLACEHOLDERS.map(({ text }) => text).join(' ');
  expect(renderTemplate(all, contact, withAttempt({}, ONLY_ATTEMPT)).unknownPlaceholders).toEqual([]);
  expect(PLACEHOLDERS.filter(({ meaning }) => meaning === '')).toEqual([]);
});

test('the check of the carrier is a button, and its result a list', async () => {
  const path = `${agents}/${caller.agentId}`;
  const answer = await manager.submit(path, `${path}/check`);
  expect(answer.status).toBe(200);
  expect(section(answer.text, 'check')).toContain('works');
});

test('a test call is placed by the rules of every call', async () => {
  const path = `${agents}/${caller.agentId}`;
  const call = (phoneNumber: string) => manager.submit(path, `${path}/test-call`, { phoneNumber });
  const refused = await call('12');
  expect(refused.status).toBe(400);
  expect(section(refused.text, 'test-call')).toContain('The number');
  const placed = await call(nextNumber());
  expect(placed.status).toBe(303);
  expect(placed.headers.location).toMatch(new RegExp(`^/t/${caller.teamId}/calls/`));
  const [row] = await calling.db.query<Row[]>('SELECT agent_id FROM call_requests WHERE id = $1', [
    idIn(placed.headers.location),
  ]);
  expect(row).toEqual({ agent_id: caller.agentId });
});

test('an agent is deleted, unless a campaign uses it', async () => {
  const path = `${agents}/${caller.agentId}`;
  const campaign = await buildCampaign(calling.db, caller.teamId, { name: 'Spring' });
  await calling.db.query(
    'UPDATE campaign_versions SET definition = $2, definition_format = $3 WHERE campaign_id = $1',
    [campaign.id, { steps: [{ key: 'a', agentId: caller.agentId }] }, DEFINITION_FORMAT],
  );
  const refused = await manager.submit(path, `${path}/delete`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`href="/t/${caller.teamId}/campaigns/${campaign.id}"`);
  await calling.db.query(`UPDATE campaigns SET status = 'archived' WHERE id = $1`, [campaign.id]);
  const deleted = await manager.submit(path, `${path}/delete`);
  expect(deleted.headers.location).toBe(agents);
  expect((await manager.get(path)).status).toBe(404);
});

test('a viewer reads, and another team’s agent does not exist', async () => {
  const viewer = await person('viewer');
  const page = await viewer.page(`${agents}/${caller.agentId}`);
  expect(page).not.toContain('method="post" action="/t');
  expect((await viewer.get(`${agents}/new`)).status).toBe(403);
  const other = await buildCaller(calling.db);
  expect((await manager.get(`${agents}/${other.agentId}`)).status).toBe(404);
  expect((await manager.post(`${agents}/${caller.agentId}`, {})).status).toBe(403);
});

test('an agent shows the pool from which it calls', async () => {
  const pool = await buildPool(calling.db, caller.teamId, { name: 'California' });
  await calling.db.query('UPDATE voice_agents SET number_pool_id = $2 WHERE id = $1', [
    caller.agentId,
    pool.id,
  ]);
  expect(section(await manager.page(`${agents}/${caller.agentId}`), 'facts')).toContain('California');
});
