import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { statusOf } from '../support/raw-http.js';
import { hiddenFields, section, OperationsClient } from '../operations/operations-client.js';

let world: World;
let app: NestExpressApplication;
let pages: OperationsClient;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
});
afterAll(() => world.close());
beforeEach(async () => {
  pages = await OperationsClient.signedIn(app);
  await world.db.query('UPDATE platform_settings SET paused = false');
});

async function isPaused(): Promise<boolean> {
  const [row] = await world.db.query<{ paused: boolean }[]>('SELECT paused FROM platform_settings');
  return row?.paused === true;
}

/** What the form that pauses everything sends. */
async function pauseForm(client = pages): Promise<Record<string, string>> {
  return hiddenFields(await client.page('/platform'), '/platform/pause');
}

test('a form of the pages changes data, and leads back to its page', async () => {
  const answer = await pages.submit('/platform?timezone=Asia%2FTokyo', '/platform/pause');
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toBe('/platform?timezone=Asia%2FTokyo');
  expect(await isPaused()).toBe(true);
  expect(await pages.page(answer.headers.location ?? '')).toContain('Everything is paused');
  await pages.submit('/platform', '/platform/resume');
  expect(await isPaused()).toBe(false);
});

test('the notice of a form is shown once, to the browser that sent it', async () => {
  const { headers } = await pages.submit('/platform', '/platform/pause');
  const [, notice = ''] = /(outdial_notice=[^;]+); Path=\/admin; Max-Age=60; HttpOnly; SameSite=Strict/.exec(
    String(headers['set-cookie']),
  ) ?? ['', ''];
  const another = await (await OperationsClient.signedIn(app)).get('/platform').set('Cookie', notice);
  expect(another.text).not.toContain('role="status"');
  const said = 'Paused. Requests are still accepted; no call is dialed.';
  expect(await pages.page('/platform')).toContain(said);
  expect(await pages.page('/platform')).not.toContain(said);
});

describe('no data is changed by', () => {
  afterEach(async () => expect(await isPaused()).toBe(false));

  test('a request without a session', async () => {
    const fields = await pauseForm();
    await supertest(app.getHttpServer())
      .post('/platform/pause')
      .type('form')
      .send(fields)
      .expect(303)
      .expect('Location', '/login');
  });

  test('a request without the token of a form, or with another', async () => {
    const { formToken = '', ...others } = await pauseForm();
    const wrong = formToken.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const token of [undefined, '', wrong, `${formToken}x`])
      await pages
        .post('/platform/pause', { ...others, ...(token !== undefined && { formToken: token }) })
        .expect(403);
  });

  test('the token of another browser, or without its cookie', async () => {
    const fields = await pauseForm();
    const other = await OperationsClient.signedIn(app);
    await other.page('/platform');
    await other.post('/platform/pause', fields).expect(403);
    await (await OperationsClient.signedIn(app)).post('/platform/pause', fields).expect(403);
  });

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'not a url' },
  ])('a request from another site: %j', async (headers) => {
    const fields = await pauseForm();
    const answer = await pages.post('/platform/pause', fields).set(headers).expect(403);
    expect(answer.text).toContain('another site');
  });

  test('a form in the address, or as JSON', async () => {
    const fields = await pauseForm();
    await pages.post(`/platform/pause?${new URLSearchParams(fields).toString()}`, {}).expect(403);
    await pages.post('/platform/pause', {}).type('json').send(fields).expect(403);
  });

  test('a form that is too large, or contains text that cannot be stored', async () => {
    const fields = await pauseForm();
    await pages.post('/platform/pause', { ...fields, back: 'x'.repeat(300_000) }).expect(413);
    await pages.post('/platform/pause', { ...fields, back: '\0' }).expect(400);
  });

  test('any form without its token, with another token, or from another site', async () => {
    const { id } = await buildTeam(world.db, { name: 'Forged' });
    const call = '00000000-0000-4000-8000-000000000000';
    const other = await OperationsClient.signedIn(app);
    const { formToken: anothers = '' } = await pauseForm(other);
    const { formToken: own = '' } = await pauseForm();
    const fields = { phoneNumbers: '+14155552671', phoneNumber: '+14155552671', outcome: 'completed' };
    for (const action of [
      '/platform/pause',
      '/platform/resume',
      `/t/${id}/pause`,
      `/t/${id}/resume`,
      `/t/${id}/do-not-call`,
      `/t/${id}/do-not-call/remove`,
      `/t/${id}/calls/${call}/resolve`,
    ]) {
      for (const token of [undefined, anothers])
        await pages.post(action, { ...fields, ...(token !== undefined && { formToken: token }) }).expect(403);
      for (const header of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
        await pages
          .post(action, { ...fields, formToken: own })
          .set(header)
          .expect(403);
    }
    expect(await world.db.query('SELECT 1 FROM do_not_call WHERE team_id = $1', [id])).toEqual([]);
    expect(await world.db.query('SELECT paused FROM teams WHERE id = $1', [id])).toEqual([{ paused: false }]);
  });

  test('a link', async () => {
    await pages.get('/platform/pause').expect(404);
  });
});

test.each([
  ['Sec-Fetch-Site', () => 'same-origin'],
  ['Origin', (host: string) => `http://${host}`],
])('the browser’s header that the form is from this site is accepted: %s', async (name, value) => {
  const fields = await pauseForm();
  const request = pages.post('/platform/pause', fields);
  const host = new URL(request.url).host;
  await request.set(name, value(host)).expect(303);
  expect(await isPaused()).toBe(true);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/platform/../../x y',
  '/admin/queues',
  '/t/../login',
  '/platform/..//evil.example',
  '/platform/%2e%2e//evil.example',
  '/platform/../api/admin',
  '/api/admin',
  '',
])('a form leads back only to the dashboard: %j', async (back) => {
  const answer = await pages.submit('/platform', '/platform/pause', { back });
  expect(answer.headers.location).toBe('/start');
});

test('invalid lines of a Do Not Call form are shown for correction; the others are added', async () => {
  const { id } = await buildTeam(world.db, { name: 'Some', default_country: 'US' });
  const action = `/t/${id}/do-not-call`;
  const fields = { phoneNumbers: '+14155550111\n12 <b>\n(415) 555-0112', reason: 'by letter' };
  const page = `/t/${id}/do-not-call?timezone=Asia%2FTokyo`;
  const answer = await pages.submit(page, action, fields);
  expect([answer.status, answer.type]).toEqual([200, 'text/html']);
  expect(
    await world.db.query('SELECT phone_number FROM do_not_call WHERE team_id = $1 ORDER BY 1', [id]),
  ).toEqual([{ phone_number: '+14155550111' }, { phone_number: '+14155550112' }]);
  const add = section(answer.text, 'add');
  expect(add).toContain('Numbers added: 2. Lines that are no phone number: 1.');
  expect(add).toContain('12 <b> is not a phone number');
  expect(answer.text).toMatch(/<textarea name="phoneNumbers"[^>]*>12 &lt;b><\/textarea>/);
  expect(answer.text).toContain('value="by letter"');
  expect(answer.text).toContain('Tokyo');
  const corrected = { ...hiddenFields(answer.text, action), phoneNumbers: '+14155550113' };
  const again = await pages.post(action, corrected);
  expect([again.status, again.headers.location]).toEqual([303, page]);
});

test.each(['/platform?timezone=UTC', '/platform/numbers'])(
  'a request line with a whole URL shows the page of its path: %s',
  async (path) => {
    for (const host of ['any.example', 'any.example:99999']) {
      expect(await statusOf(app, `http://${host}${path}`, { Cookie: pages.cookieHeader() })).toBe(200);
    }
  },
);

test.each(['__proto__', 'constructor', 'nothing', 'paused'])(
  'a page shows no notice without a form: %s',
  async (done) => {
    const page = await pages.page(`/platform?done=${done}`);
    expect(page).not.toContain('role="status"');
    const forged = await pages.get('/platform').set('Cookie', `outdial_notice=${done}.${'x'.repeat(43)}`);
    expect(forged.text).not.toContain('role="status"');
  },
);

test('a refused form shows its error on a page, and an unknown row is 404', async () => {
  const { id } = await buildTeam(world.db, { name: 'Only' });
  const action = `/t/${id}/do-not-call`;
  const page = `/t/${id}/do-not-call`;
  for (const [phoneNumbers, says] of [
    ['', 'Give at least one phone number'],
    ['12', 'international form'],
    ['and more', 'not a phone number'],
    [Array.from({ length: 1_001 }, () => '+14155552671').join('\n'), 'at most 1000'],
  ] as const) {
    const answer = await pages.submit(page, action, { phoneNumbers });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(says);
    // What was typed stays in the form.
    expect(answer.text).toContain(`required>${phoneNumbers}</textarea>`);
    expect(answer.type).toBe('text/html');
  }
  const unknown = '00000000-0000-4000-8000-000000000000';
  const { formToken = '' } = await pauseForm();
  for (const path of [`/t/${unknown}/pause`, '/t/x/pause', `/t/${unknown}/do-not-call/remove`])
    await pages.post(path, { formToken, phoneNumber: '+14155552671' }).expect(404);
  await pages.post(`/t/${id}/calls/${unknown}/resolve`, { formToken, outcome: 'completed' }).expect(404);
  await pages.post(`/t/${id}/calls/${unknown}/resolve`, { formToken, outcome: 'blocked' }).expect(400);
  for (const path of [
    `/platform/calls/${unknown}`,
    '/platform/calls/x',
    `/t/${unknown}`,
    '/platform?teamId=x',
  ])
    await pages.get(path).expect(404);
  for (const path of ['/platform?timezone=Mars', `${page}?cursor=x`, `/t/${id}/numbers?phoneNumber=x`])
    await pages.get(path).expect(400);
});
