import { type NestExpressApplication } from '@nestjs/platform-express';
import { PeopleService } from '../../src/people/people.service.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, insertRow } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { SmtpServer } from './smtp-server.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const OTHER_PASSWORD = 'rusty lanterns hum in fog';
const PAGE = '/login/forgotten';

let smtp: SmtpServer;
let world: World;
let api: NestExpressApplication;
let teamId: string;
let made = 0;

beforeAll(async () => {
  smtp = await SmtpServer.start();
  world = await createWorld({
    trustedProxies: '127.0.0.1',
    publicUrl: 'https://outdial.test',
    smtpUrl: smtp.url,
    smtpFrom: 'Outdial <calls@example.com>',
  });
  api = await world.startApi();
  ({ id: teamId } = await buildTeam(world.db));
});
afterAll(async () => {
  await world?.close();
  await smtp?.stop();
});

function visitor(headers: Record<string, string> = {}): Visitor {
  made += 1;
  return new Visitor(api, { 'X-Forwarded-For': `198.53.${made >> 8}.${made & 255}`, ...headers });
}

async function person(): Promise<string> {
  made += 1;
  const email = `ada-${made}@example.com`;
  await api.get(PeopleService, { strict: false }).create({ teamId, role: 'viewer' }, email, PASSWORD);
  return email;
}

const ask = (email: string, browser = visitor()) => browser.submit(PAGE, PAGE, { email });
const lettersTo = (email: string) => smtp.arrived.filter(({ to }) => to.includes(email));
const letterTo = (email: string) =>
  eventually(
    () => Promise.resolve(lettersTo(email).length),
    (letters) => letters === 1,
  );
const rowsOf = (action: string) =>
  world.db.query<{ target_id: string; actor_kind: string; address: string }[]>(
    'SELECT target_id, actor_kind, address FROM audit_log WHERE action = $1 ORDER BY id',
    [action],
  );

test('a person gets a link by e-mail, and chooses a new password with it once', async () => {
  const email = await person();
  const browser = visitor();
  expect((await browser.get('/login')).text).toContain(`href="${PAGE}"`);
  const answer = await ask(`  ${email.toUpperCase()}`, browser);
  expect([answer.status, answer.text.includes('Check your e-mail')]).toEqual([200, true]);
  await letterTo(email);
  const [, link = ''] =
    /https:\/\/outdial\.test(\/reset\/[\w-]+)/.exec(lettersTo(email)[0]?.text ?? '') ?? [];
  expect((await browser.submit(link, link, { password: OTHER_PASSWORD })).status).toBe(303);
  expect((await visitor().get(link)).status).toBe(404);
  expect((await visitor().signIn(email, PASSWORD)).status).toBe(400);
  expect((await visitor().signIn(email, OTHER_PASSWORD)).status).toBe(303);
  const [user] = await world.db.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [email]);
  expect(await rowsOf('password.forgotten')).toMatchObject([
    { target_id: user?.id, actor_kind: 'system', address: expect.stringMatching(/^198\.53\./) as string },
  ]);
});

test('the answer for an address without an account is the same, and no e-mail is sent to it', async () => {
  const [known, unknown, invited] = [await person(), 'unknown@example.com', 'invited@example.com'];
  await insertRow(world.db, 'users', { email: invited });
  const before = smtp.arrived.length;
  const answers = [];
  for (const email of [known, unknown, invited]) {
    const { status, text } = await ask(email);
    answers.push([status, text.replaceAll(email, 'EMAIL').replace(/name="formToken" value="[^"]*"/g, '')]);
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  await letterTo(known);
  expect(smtp.arrived.length).toBe(before + 1);
  const links = await world.db.query<unknown[]>(
    `SELECT 1 FROM access_links l JOIN users u ON u.id = l.user_id WHERE u.email = $1`,
    [invited],
  );
  expect(links).toEqual([]);
});

test('the link names the configured host, whatever host the request names', async () => {
  const email = await person();
  expect((await ask(email, visitor({ Host: 'evil.example' }))).status).toBe(200);
  await letterTo(email);
  expect(lettersTo(email)[0]?.text).not.toContain('evil.example');
});

test('a second request within ten minutes sends no second link and leaves the first one valid', async () => {
  const email = await person();
  await ask(email);
  await letterTo(email);
  await ask(email);
  const other = await person();
  await ask(other);
  // The e-mail of the later request has come, so one of the earlier request would have come, too.
  await letterTo(other);
  expect(lettersTo(email)).toHaveLength(1);
  const [, link = ''] = /(\/reset\/[\w-]+)/.exec(lettersTo(email)[0]?.text ?? '') ?? [];
  expect((await visitor().get(link)).status).toBe(200);
});

test('after ten requests for an address, or from a network, the next waits, with an account or without', async () => {
  for (const email of [await person(), 'without-account@example.com']) {
    for (let index = 0; index < 10; index += 1) expect((await ask(email)).status).toBe(200);
    const answer = await ask(email);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1']);
  }
  const browser = visitor();
  for (let index = 0; index < 10; index += 1) {
    expect((await ask(`unknown-${index}@example.com`, browser)).status).toBe(200);
  }
  expect((await ask('unknown-10@example.com', browser)).status).toBe(429);
});

test('what is no address is refused at the field, and a foreign form changes nothing', async () => {
  const answer = await ask('ada');
  expect([answer.status, answer.text.includes('This is not an e-mail address.')]).toEqual([400, true]);
  expect((await visitor().post(PAGE, { email: await person() })).status).toBe(403);
});

test.each([
  ['without a mail server', { publicUrl: 'https://outdial.test' }],
  ['without the address of the deployment', { smtpUrl: 'smtp://127.0.0.1:1', smtpFrom: 'a@example.com' }],
])('%s there is no form', async (_, overrides) => {
  const other = await createWorld(overrides);
  try {
    const browser = new Visitor(await other.startApi());
    expect((await browser.get('/login')).text).not.toContain(PAGE);
    expect((await browser.get(PAGE)).status).toBe(404);
  } finally {
    await other.close();
  }
});
