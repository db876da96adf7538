import { type NestExpressApplication } from '@nestjs/platform-express';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { controlsOf } from '../../src/dashboard/versions/controls.js';
import { formOf } from '../../src/dashboard/versions/definition-form.js';
import { OperationsClient, section, textOf, unescapeHtml } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign, buildContact, buildEnrollment, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

let world: World;
let app: NestExpressApplication;
let caller: Caller;
let manager: OperationsClient;
let campaign: { id: string; current_version_id: string };
let page: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
});
afterAll(() => world.close());
beforeEach(async () => {
  caller = await buildCaller(world.db, {}, { name: 'Reminder <agent>' });
  manager = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'manager' });
  campaign = await buildCampaign(world.db, caller.teamId, { name: 'Spring' });
  page = `/t/${caller.teamId}/campaigns/${campaign.id}`;
});

const DEFINITION = () => ({
  note: 'first',
  steps: [
    {
      key: 'first',
      agentId: caller.agentId,
      retry: { no_answer: ['PT16H', 'P1D'] },
      on: [
        { disposition: 'interested', goal: true },
        { outcome: 'no_response', next: 'second' },
      ],
    },
    { key: 'second', agentId: caller.agentId, after: 'P3D' },
  ],
  variables: { offer: 'spring <b>', tries: 5 },
  hours: { monday: [{ start: '09:00', end: '17:00' }] },
  closedDates: ['2027-12-25'],
  caps: { maxAttempts: 6, perNumber: [{ count: 2, per: 'PT24H' }], lifetime: 'P14D' },
});

async function draft(definition: object = DEFINITION()): Promise<string> {
  const fields = { definition, definition_format: DEFINITION_FORMAT, number: 2 };
  return (await buildVersion(world.db, caller.teamId, campaign.id, fields)).id;
}

const storedOf = async (id: string) => {
  const [row] = await world.db.query<{ definition: object; status: string }[]>(
    'SELECT definition, status FROM campaign_versions WHERE id = $1',
    [id],
  );
  return row;
};

/** What a browser sends for the form of the version: every control with its value. */
function fieldsOf(html: string): Record<string, string> {
  const [, form = ''] = /<form[^>]*id="version"[^>]*>(.*)<\/form>/s.exec(html) ?? [];
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? [];
    const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? [];
    if (tag.includes('type="radio"') && !tag.includes('checked')) continue;
    fields[name] = unescapeHtml(value);
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const [, value = ''] =
      /<option value="([^"]*)"[^>]*selected/.exec(options) ?? /value="([^"]*)"/.exec(options) ?? [];
    fields[name] = unescapeHtml(value);
  }
  for (const [, name = '', value = ''] of form.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  ))
    fields[name] = unescapeHtml(value);
  return fields;
}

test('a campaign without steps begins with a template, which is saved as a draft', async () => {
  expect(await manager.page(page)).toContain(`href="${page}/versions/new"`);
  const form = await manager.page(`${page}/versions/new`);
  expect(form).not.toContain('<agent>');
  const fields = { ...fieldsOf(form), 'steps.0.key': 'hello', 'steps.0.retry.busy': '13h, 1d 2h' };
  const saved = await manager.post(`${page}/versions/new`, { ...fields, do: 'save' });
  expect(saved.status).toBe(303);
  const [, id = ''] = /versions\/([\w-]{36})$/.exec(saved.headers.location ?? '') ?? [];
  const agentId = caller.agentId;
  expect(await storedOf(id)).toEqual({
    status: 'draft',
    definition: {
      steps: [{ key: 'hello', agentId, retry: { no_answer: ['P1D'], busy: ['PT13H', 'P1DT2H'] } }],
    },
  });
  // There is a draft now.
  const again = await manager.get(`${page}/versions/new`);
  expect([again.status, again.headers.location]).toEqual([303, `${page}/versions/${id}`]);
});

test('the form of a draft has every control with its value, and saves it unchanged', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const html = await manager.page(path);
  const fields = fieldsOf(html);
  const names = controlsOf(formOf(DEFINITION()));
  expect(names.filter((name) => !(name in fields))).toEqual([]);
  const labels = [...html.matchAll(/<label for="([^"]*)"/g)].map(([, label]) => label);
  expect(names.filter((name) => !labels.includes(`field-${name.replaceAll('.', '-')}`))).toEqual([]);
  expect(fields['steps.0.retry.no_answer']).toBe('16h, 1d');
  const saved = await manager.post(path, { ...fields, do: 'save' });
  expect([saved.status, saved.headers.location]).toEqual([303, path]);
  expect((await storedOf(id))?.definition).toEqual(DEFINITION());
  expect(JSON.parse(fields.json ?? '')).toEqual(DEFINITION());
});

test('the buttons change the form and store nothing', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const press = async (fields: Record<string, string>, button: string) => {
    const answer = await manager.post(path, { ...fields, do: button });
    expect(answer.status).toBe(200);
    return fieldsOf(answer.text);
  };
  const html = await manager.page(path);
  expect(html).toContain(`formaction="${path}#step-1"`);
  const moved = await press({ ...fieldsOf(html), 'caps.lifetime': 'typed' }, 'steps.1.up');
  expect([moved['steps.0.key'], moved['steps.1.key'], moved['caps.lifetime']]).toEqual([
    'second',
    'first',
    'typed',
  ]);
  const added = await press(await press(moved, 'steps.add'), 'steps.2.on.add');
  expect([added['steps.2.key'], added['steps.2.on.0.when']]).toEqual(['step-3', 'outcome:completed']);
  expect((await press(added, 'caps.perNumber.0.remove'))['caps.perNumber.0.count']).toBeUndefined();
  expect((await storedOf(id))?.definition).toEqual(DEFINITION());
});

test('of many steps, one is open, and the others are sent as they are', async () => {
  const step = (n: number) => ({
    key: `s${n}`,
    agentId: caller.agentId,
    retry: { no_answer: ['PT16H', 'P1D'], busy: ['PT13H'] },
    on: [{ outcome: 'completed', end: 'reached' }],
  });
  const definition = { steps: Array.from({ length: 20 }, (_, n) => step(n)) };
  const id = await draft(definition);
  const path = `${page}/versions/${id}`;
  const html = await manager.page(path);
  expect(html.length).toBeLessThan(60_000);
  const opened = await manager.post(path, { ...fieldsOf(html), do: 'steps.7.open' });
  expect(opened.text).toContain('<label for="field-steps-7-key"');
  expect(opened.text).not.toContain('<label for="field-steps-0-key"');
  const changed = { ...fieldsOf(opened.text), 'steps.7.retry.no_answer': 'soon', do: 'save' };
  const refused = await manager.post(path, { ...changed, open: '0' });
  // The step with the fault is open.
  expect(refused.text).toContain('id="field-steps-7-retry-no_answer-error">Step 8');
  const saved = await manager.post(path, {
    ...fieldsOf(refused.text),
    'steps.7.retry.no_answer': '3d',
    do: 'save',
  });
  expect(saved.status).toBe(303);
  const steps = definition.steps.with(7, { ...step(7), retry: { ...step(7).retry, no_answer: ['P3D'] } });
  expect((await storedOf(id))?.definition).toEqual({ steps });
});

const WRONG = {
  'steps.0.retry.no_answer': '16h, soon',
  'steps.1.key': 'First!',
  'caps.perNumber.0.count': '0',
};

test('what is refused is said at its field, the rest stays typed, and nothing is stored', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const fields = { ...fieldsOf(await manager.page(path)), ...WRONG };
  const refused = await manager.post(path, { ...fields, do: 'save' });
  expect(refused.status).toBe(400);
  const { text } = refused;
  expect(text).toMatch(
    /id="field-steps-0-retry-no_answer-error">Step 1, retries after “No answer”, delay 2 must be/,
  );
  expect(text).toMatch(/id="field-steps-1-key-error">Step 2, key of the step must be 1 to 40/);
  expect(text).toMatch(/id="field-caps-perNumber-0-count-error">Limit 1 of calls to a number must be/);
  expect(text).toContain('href="#field-steps-0-retry-no_answer"');
  expect(fieldsOf(text)).toMatchObject({ 'steps.0.retry.no_answer': '16h, soon', 'steps.1.key': 'First!' });
  expect((await storedOf(id))?.definition).toEqual(DEFINITION());
  const other = await buildCaller(world.db);
  const foreign = await manager.post(path, {
    ...fieldsOf(await manager.page(path)),
    'steps.1.agentId': other.agentId,
  });
  expect(foreign.status).toBe(400);
  expect(foreign.text).toMatch(/id="field-steps-1-agentId-error">[^<]*is not a voice agent of the team/);
});

test('the open form is told of errors and warnings as one types', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const html = await manager.page(path);
  expect(html).toContain(`hx-post="${path}/check"`);
  const wrong = await manager.post(`${path}/check`, { ...fieldsOf(html), ...WRONG });
  expect(wrong.status).toBe(200);
  expect(wrong.text).toMatch(/id="field-caps-perNumber-0-count-error" hx-swap-oob="true">Limit 1/);
  expect(wrong.text).toMatch(/id="field-note-error" hx-swap-oob="true"><\/p>/);
  expect(wrong.text).toContain('This would be refused:');
  const short = await manager.post(`${path}/check`, { ...fieldsOf(html), 'steps.0.retry.no_answer': '2h' });
  expect(textOf(short.text)).toContain(
    'retries after “No answer”, delay 1: A number is not dialed within 12 hours',
  );
  expect(textOf(short.text)).toContain('Nothing in it would be refused.');
  // A new version has no id yet.
  await world.db.query('DELETE FROM campaign_versions WHERE id = $1', [id]);
  const fields = fieldsOf(await manager.page(`${page}/versions/new`));
  expect((await manager.post(`${page}/versions/new/check`, fields)).status).toBe(200);
});

test('the JSON is sent instead of the form where that is chosen, and can fill the form', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const fields = { ...fieldsOf(await manager.page(path)), mode: 'json' };
  const json = JSON.stringify({ note: { by: 'hand' }, steps: [] });
  const filled = fieldsOf((await manager.post(path, { ...fields, json, do: 'fill' })).text);
  expect([filled.note, filled['steps.0.key'], filled.mode]).toEqual([
    '{\n  "by": "hand"\n}',
    undefined,
    'form',
  ]);
  const broken = await manager.post(path, { ...fields, json: '{"steps": [', do: 'save' });
  expect(broken.status).toBe(400);
  expect(broken.text).toMatch(/id="field-json-error">The JSON cannot be read/);
  expect(fieldsOf(broken.text).json).toBe('{"steps": [');
  const faulty = await manager.post(path, { ...fields, json: '{"priority": 1}', do: 'save' });
  expect(faulty.text).toMatch(/id="field-json-error">priority is not known here/);
  expect((await manager.post(path, { ...fields, json, do: 'save' })).status).toBe(303);
  expect((await storedOf(id))?.definition).toEqual({ note: { by: 'hand' }, steps: [] });
});

test('a draft that was changed meanwhile is not overwritten unasked', async () => {
  const id = await draft();
  const path = `${page}/versions/${id}`;
  const fields = { ...fieldsOf(await manager.page(path)), do: 'save' };
  await world.db.query(`UPDATE campaign_versions SET definition = '{"note": "theirs"}' WHERE id = $1`, [id]);
  const refused = await manager.post(path, { ...fields, note: 'mine' });
  expect(refused.status).toBe(400);
  expect(textOf(refused.text)).toContain('The draft was changed while this form was open.');
  expect((await manager.post(path, { ...fieldsOf(refused.text), do: 'save' })).status).toBe(303);
  expect((await storedOf(id))?.definition).toMatchObject({ note: 'mine' });
});

async function enrollOn(versionId: string, fields: object = {}): Promise<void> {
  const { id: contact_id } = await buildContact(world.db, caller.teamId);
  const keys = { team_id: caller.teamId, campaign_id: campaign.id, contact_id, version_id: versionId };
  await buildEnrollment(world.db, keys, { status: 'active', look_at: null, ...fields });
}

test('a publication says what changes and for which enrollments, and makes the draft current', async () => {
  const id = await draft();
  for (const version of [campaign.current_version_id, campaign.current_version_id, id])
    await enrollOn(version);
  const path = `${page}/versions/${id}/publish`;
  expect(await manager.page(page)).toContain(`href="${path}"`);
  const asked = await manager.page(path);
  expect(asked).not.toContain('<agent>');
  const differences = section(asked, 'differences');
  expect(differences).toContain('Order of the steps – first, second');
  expect(differences).toContain('Step “first”, voice agent – Reminder <agent>');
  expect(differences).toContain('Step “first”, retries after “No answer” – 16h, 1d');
  expect(differences).toContain('Variable “offer” – spring <b>');
  const live = section(asked, 'enrollments');
  expect(live).toContain('2 live enrollments stay on their versions, 2 of them on version 1.');
  expect(live).toContain('1 live enrollment follows the draft already');
  expect(asked).toContain(`/migrate?from=${campaign.current_version_id}&amp;to=${id}`);
  expect(asked).toContain('id="warnings"');
  const published = await manager.submit(path, path);
  expect([published.status, published.headers.location]).toEqual([303, page]);
  expect((await storedOf(id))?.status).toBe('published');
  expect(section(await manager.page(page), 'versions')).toContain('2 Current');
  await manager.get(path).expect(409);
});

test('a published version is read, and begins a new one; viewers read drafts, too', async () => {
  const id = await draft();
  const viewer = await OperationsClient.signedIn(app, { teamId: caller.teamId, role: 'viewer' });
  const read = await viewer.page(`${page}/versions/${id}`);
  expect(read).not.toContain('id="version"');
  expect(section(read, 'definition')).toContain('"key": "first"');
  await viewer.get(`${page}/versions/new`).expect(403);
  await viewer.get(`${page}/versions/${id}/publish`).expect(403);
  await manager.submit(`${page}/versions/${id}/publish`, `${page}/versions/${id}/publish`);
  const published = await manager.page(`${page}/versions/${campaign.current_version_id}`);
  expect(published).toContain(`versions/new?from=${campaign.current_version_id}`);
  const next = fieldsOf(await manager.page(`${page}/versions/new`));
  expect([next['steps.1.key'], next.note]).toEqual(['second', 'first']);
  await manager.get(`${page}/versions/00000000-0000-4000-8000-000000000000`).expect(404);
});
