import { type NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { SweeperService } from '../../src/calls/recovery/sweeper.service.js';
import { PeopleService } from '../../src/people/people.service.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { newWelcome } from '../../src/people/welcome.js';
import { SmtpServer } from './smtp-server.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const ORIGIN = 'https://outdial.example.com';

let world: World;
let api: NestExpressApplication;
let people: PeopleService;
let smtp: SmtpServer;
let made = 0;

beforeAll(async () => {
  smtp = await SmtpServer.start();
  world = await createWorld({
    trustedProxies: '127.0.0.1',
    smtpUrl: smtp.url,
    smtpFrom: 'Outdial <calls@example.com>',
  });
  api = await world.startApi();
  people = api.get(PeopleService, { strict: false });
});
afterAll(async () => {
  await world?.close();
  await smtp?.stop();
});
beforeEach(() => {
  smtp.arrived.length = 0;
  smtp.refuses = false;
});

const newEmail = () => `person-${(made += 1)}@example.com`;
const pathOf = (link: string) => link.slice(ORIGIN.length);
const team = async (name = 'Northwind') => (await buildTeam(world.db, { name })).id;

function visitor(cookie?: string): Visitor {
  made += 1;
  const browser = new Visitor(api, { 'X-Forwarded-For': `203.0.${made >> 8}.${made & 255}` });
  if (cookie !== undefined) browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
  return browser;
}

/** A person of the team with a password. */
async function member(teamId: string, role: 'viewer' | 'manager' | 'admin' = 'viewer', email = newEmail()) {
  const { id } = await people.create({ teamId, role }, email, PASSWORD);
  return { id, email };
}

const rolesIn = async (teamId: string) =>
  (await people.members(teamId)).map(({ email, role, invited }) => [email, role, invited]);
const sessionsOf = async (userId: string) =>
  (await world.db.query<unknown[]>('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).length;

describe('an invitation', () => {
  test('gives its role when the person chooses a password, once, and signs the person in', async () => {
    const teamId = await team();
    const email = newEmail();
    const { link } = await people.invite(teamId, email.toUpperCase(), 'manager', ORIGIN);
    expect(await rolesIn(teamId)).toEqual([[email, 'manager', true]]);
    const browser = visitor();
    // To open the link changes nothing, as programs open links that check e-mails.
    for (let index = 0; index < 2; index += 1) {
      const page = await browser.get(pathOf(link));
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Join Northwind')]);
    }
    const weak = await browser.submit(pathOf(link), pathOf(link), { password: 'password12345' });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('is too easy to guess')]);
    const joined = await browser.submit(pathOf(link), pathOf(link), { password: PASSWORD });
    expect([joined.status, joined.headers.location]).toEqual([303, '/start']);
    expect((await browser.get('/start')).headers.location).toBe(`/t/${teamId}`);
    expect(await rolesIn(teamId)).toEqual([[email, 'manager', false]]);
    const again = await visitor().get(pathOf(link));
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('This link is not valid')]);
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(303);
  });

  test('is sent by e-mail, too, and stored as a hash', async () => {
    const teamId = await team('Northwind');
    const email = newEmail();
    const { link, sent } = await people.invite(teamId, email, 'viewer', ORIGIN);
    expect(sent).toBe(true);
    expect(smtp.arrived).toEqual([
      { from: 'calls@example.com', to: [email], text: expect.stringContaining(link) as string },
    ]);
    expect(smtp.arrived[0]?.text).toContain('Subject: You are invited to Northwind on Outdial');
    const token = link.slice(link.lastIndexOf('/') + 1);
    const [{ all } = { all: '' }] = await world.db.query<{ all: string }[]>(
      `SELECT string_agg(l::text, '') || (SELECT string_agg(a::text, '') FROM audit_log a) AS all FROM access_links l`,
    );
    expect(all).not.toContain(token);
  });

  test('is made although its e-mail is refused', async () => {
    smtp.refuses = true;
    const { link, sent } = await people.invite(await team(), newEmail(), 'viewer', ORIGIN);
    expect(sent).toBe(false);
    expect((await visitor().get(pathOf(link))).status).toBe(200);
  });

  test('has the name of the team as one line of the subject', async () => {
    const teamId = await team('North\r\nBcc: evil@example.com');
    await people.invite(teamId, newEmail(), 'viewer', ORIGIN);
    expect(smtp.arrived[0]?.to).toHaveLength(1);
    expect(smtp.arrived[0]?.text).not.toMatch(/^Bcc:/m);
  });

  test('is void once a newer one is made, withdrawn, or a day old', async () => {
    const teamId = await team();
    const email = newEmail();
    const first = await people.invite(teamId, email, 'viewer', ORIGIN);
    const second = await people.invite(teamId, email, 'admin', ORIGIN);
    expect((await visitor().get(pathOf(first.link))).status).toBe(404);
    expect(await rolesIn(teamId)).toEqual([[email, 'admin', true]]);
    await world.db.query(`UPDATE access_links SET expires_at = now() WHERE user_id = $1`, [second.userId]);
    expect((await visitor().get(pathOf(second.link))).status).toBe(404);
    const third = await people.invite(teamId, email, 'viewer', ORIGIN);
    const [{ hours } = { hours: 0 }] = await world.db.query<{ hours: number }[]>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::integer AS hours FROM access_links WHERE user_id = $1`,
      [third.userId],
    );
    expect(hours).toBe(24);
    await people.remove(teamId, third.userId);
    expect((await visitor().get(pathOf(third.link))).status).toBe(404);
    expect(await rolesIn(teamId)).toEqual([]);
  });

  test('of a person with an account is accepted only in a session of that person', async () => {
    const [home, other] = [await team('Home'), await team('Other')];
    const { email } = await member(home);
    const { link } = await people.invite(other, email, 'admin', ORIGIN);
    const path = pathOf(link);
    // Who invites has the link, and cannot choose the person's password with it.
    const thief = visitor();
    const page = await thief.get(path);
    expect(page.text).toContain('Sign in to accept');
    expect(page.text).not.toContain('name="password"');
    const [, formToken = ''] =
      /name="formToken" value="([^"]+)"/.exec((await thief.get('/login')).text) ?? [];
    expect((await thief.post(path, { password: 'another-odd-phrase', formToken })).status).toBe(400);
    const stranger = visitor((await signedIn(world.db, { teamId: other, role: 'admin' })).cookie);
    expect((await stranger.get(path)).text).toContain('Sign out, and open the link again');
    const browser = visitor();
    const back = `/login?${new URLSearchParams({ back: path })}`;
    expect((await browser.signIn(email, PASSWORD, back)).headers.location).toBe(path);
    const before = browser.cookies.get('outdial_session');
    const accepted = await browser.submit(path, path);
    expect([accepted.status, accepted.headers.location]).toEqual([303, `/t/${other}`]);
    expect(browser.cookies.get('outdial_session')).not.toBe(before);
    expect((await browser.get(`/t/${other}/do-not-call`)).status).toBe(200);
  });

  test('two to one new person: the second needs the password that the first has set', async () => {
    const [one, two] = [await team('One'), await team('Two')];
    const email = newEmail();
    const [first, second] = [
      await people.invite(one, email, 'viewer', ORIGIN),
      await people.invite(two, email, 'viewer', ORIGIN),
    ];
    await visitor().submit(pathOf(first.link), pathOf(first.link), { password: PASSWORD });
    expect(await rolesIn(two)).toEqual([[email, 'viewer', true]]);
    expect((await visitor().get(pathOf(second.link))).text).toContain('Sign in to accept');
  });

  test('used by two browsers at once gives one session', async () => {
    const { link, userId } = await people.invite(await team(), newEmail(), 'viewer', ORIGIN);
    const both = await Promise.all(
      [visitor(), visitor()].map((browser) =>
        browser.submit(pathOf(link), pathOf(link), { password: PASSWORD }),
      ),
    );
    expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await sessionsOf(userId)).toBe(1);
  });

  test('is refused for a member, an e-mail that is none, and a team that does not exist', async () => {
    const teamId = await team();
    const { email } = await member(teamId);
    const invite = (to: string, where = teamId) => people.invite(where, to, 'viewer', ORIGIN);
    await expect(invite(email)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(invite('no address')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(invite(newEmail(), unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('roles', () => {
  test('a change of the role, and a removal, end the sessions of the person', async () => {
    const teamId = await team();
    const { id, email } = await member(teamId);
    await visitor().signIn(email, PASSWORD);
    await people.setRole(teamId, id, 'manager');
    expect(await sessionsOf(id)).toBe(0);
    expect(await rolesIn(teamId)).toEqual([[email, 'manager', false]]);
    await visitor().signIn(email, PASSWORD);
    await people.remove(teamId, id);
    expect(await sessionsOf(id)).toBe(0);
    await expect(people.remove(teamId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(people.setRole(teamId, 'no id', 'admin')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the last admin stays one, also when two admins remove each other at once', async () => {
    const teamId = await team();
    const [one, two] = [await member(teamId, 'admin'), await member(teamId, 'admin')];
    const both = await Promise.allSettled([
      people.remove(teamId, one.id),
      people.setRole(teamId, two.id, 'viewer'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const admins = (await people.members(teamId)).filter(({ role }) => role === 'admin');
    expect(admins).toHaveLength(1);
    const last = admins[0]?.userId ?? '';
    await expect(people.setRole(teamId, last, 'manager')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(people.remove(teamId, last)).rejects.toMatchObject({ code: 'CONFLICT' });
    await people.setRole(teamId, last, 'admin');
  });

  test('the last operator stays one, and is removed by nobody', async () => {
    const { id: first } = await people.create({ operator: true }, newEmail(), PASSWORD);
    await expect(people.removeOperator(first)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(people.removeUser(first)).rejects.toMatchObject({ code: 'CONFLICT' });
    const email = newEmail();
    const { link, userId } = await people.inviteOperator(email, ORIGIN);
    expect((await people.operators()).map((one) => [one.userId, one.invited])).toContainEqual([userId, true]);
    await expect(people.removeOperator(first)).rejects.toMatchObject({ code: 'CONFLICT' });
    const browser = visitor();
    await browser.submit(pathOf(link), pathOf(link), { password: PASSWORD });
    expect((await browser.get('/platform/do-not-call')).status).toBe(200);
    await people.removeOperator(first);
    expect((await people.operators()).map((one) => one.userId)).toEqual([userId]);
    expect((await browser.get('/platform/do-not-call')).status).toBe(200);
    // The tests below begin without an operator.
    await world.db.query('DELETE FROM users WHERE operator');
  });

  test('the new role holds from the next sign-in on', async () => {
    const teamId = await team();
    const { id, email } = await member(teamId, 'manager');
    await member(teamId, 'admin');
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    await people.setRole(teamId, id, 'viewer');
    expect((await browser.get(`/t/${teamId}/do-not-call`)).status).toBe(303);
    await browser.signIn(email, PASSWORD);
    const { text } = await browser.get('/account');
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
    expect((await browser.post(`/t/${teamId}/pause`, { formToken })).status).toBe(403);
  });
});

describe('a reset', () => {
  test('sets a new password once, and ends every session', async () => {
    const { id, email } = await member(await team());
    await visitor().signIn(email, PASSWORD);
    const { link, sent } = await people.reset(id, ORIGIN);
    expect(sent).toBe(true);
    expect(smtp.arrived[0]?.text).toContain(link);
    const browser = visitor();
    const answer = await browser.submit(pathOf(link), pathOf(link), { password: 'another-odd-phrase' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/start']);
    expect(await sessionsOf(id)).toBe(1);
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(400);
    expect((await visitor().signIn(email, 'another-odd-phrase')).status).toBe(303);
    expect((await visitor().get(pathOf(link))).status).toBe(404);
    const rows = await world.db.query<{ actor_name: string }[]>(
      `SELECT actor_name FROM audit_log WHERE action = 'link.used' AND target_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ actor_name: email }]);
  });

  test('is void after the person has changed the password', async () => {
    const { id, email } = await member(await team());
    const { link } = await people.reset(id, ORIGIN);
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    await browser.submit('/account', '/account/password', {
      current: PASSWORD,
      password: 'another-odd-phrase',
    });
    expect((await visitor().get(pathOf(link))).status).toBe(404);
  });

  test('a link of one kind is none of another, and a token of another shape is no link', async () => {
    const { id } = await member(await team());
    const { link } = await people.reset(id, ORIGIN);
    const token = link.slice(link.lastIndexOf('/') + 1);
    for (const path of [`/invite/${token}`, `/welcome/${token}`, '/reset/x', `/reset/${'a'.repeat(43)}`]) {
      expect((await visitor().get(path)).status).toBe(404);
    }
  });
});

describe('the first operator', () => {
  /** A link as `npm start` prints it. */
  async function welcome(): Promise<string | null> {
    const client = new Client({ connectionString: world.config.databaseUrl });
    await client.connect();
    try {
      return await newWelcome(client);
    } finally {
      await client.end();
    }
  }

  async function newLink(): Promise<string> {
    const link = await welcome();
    if (link === null) throw new Error('there is an operator');
    return link;
  }

  test('chooses e-mail and password by a link that is void once there is an operator', async () => {
    const link = await newLink();
    const replaced = await newLink();
    expect((await visitor().get(link)).status).toBe(404);
    const browser = visitor();
    expect((await browser.get(replaced)).text).toContain('Welcome to Outdial');
    const bad = await browser.submit(replaced, replaced, { email: 'no address', password: PASSWORD });
    expect([bad.status, bad.text]).toEqual([
      400,
      expect.stringContaining('The e-mail must be an e-mail address.'),
    ]);
    const weak = await browser.submit(replaced, replaced, { email: 'ops@example.com', password: 'short' });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('value="ops@example.com"')]);
    const both = await Promise.all(
      [browser, visitor()].map((one, index) =>
        one.submit(replaced, replaced, { email: `ops-${index}@example.com`, password: PASSWORD }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
    const [operator, ...others] = await people.operators();
    expect(others).toEqual([]);
    expect((await visitor().signIn(operator?.email ?? '', PASSWORD)).status).toBe(303);
    expect(await welcome()).toBeNull();
    await world.db.query('DELETE FROM users WHERE operator');
  });

  test('a link is valid for an hour, and not while there is an operator', async () => {
    const link = await newLink();
    const [{ minutes } = { minutes: 0 }] = await world.db.query<{ minutes: number }[]>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 60)::integer AS minutes FROM access_links WHERE kind = 'welcome'`,
    );
    expect(minutes).toBe(60);
    const { id } = await people.create({ operator: true }, newEmail(), PASSWORD);
    expect((await visitor().get(link)).status).toBe(404);
    await world.db.query('DELETE FROM users WHERE id = $1', [id]);
    expect((await visitor().get(link)).status).toBe(200);
    await world.db.query(`UPDATE access_links SET expires_at = now() WHERE kind = 'welcome'`);
    expect((await visitor().get(link)).status).toBe(404);
  });
});

test('the sweeper removes sessions and links that are over, and no others', async () => {
  const worker = await world.startWorker();
  const sweeper = worker.get(SweeperService, { strict: false });
  const open = await signedIn(world.db, {});
  const idle = await signedIn(world.db, {});
  const old = await signedIn(world.db, {});
  const age = (userId: string, column: string, text: string) =>
    world.db.query(`UPDATE sessions SET ${column} = now() - interval '${text}' WHERE user_id = $1`, [userId]);
  await age(open.userId, 'last_seen_at', '11 hours 59 minutes');
  await age(idle.userId, 'last_seen_at', '12 hours');
  await age(old.userId, 'created_at', '14 days');
  const teamId = await team();
  const [kept, expired] = [
    await people.invite(teamId, newEmail(), 'viewer', ORIGIN),
    await people.invite(teamId, newEmail(), 'viewer', ORIGIN),
  ];
  await world.db.query('UPDATE access_links SET expires_at = now() WHERE user_id = $1', [expired.userId]);
  await sweeper.sweep();
  expect([
    await sessionsOf(open.userId),
    await sessionsOf(idle.userId),
    await sessionsOf(old.userId),
  ]).toEqual([1, 0, 0]);
  const left = await world.db.query<{ user_id: string }[]>(
    'SELECT user_id FROM access_links WHERE user_id IN ($1, $2)',
    [kept.userId, expired.userId],
  );
  expect(left.map(({ user_id }) => user_id)).toEqual([kept.userId]);
});
