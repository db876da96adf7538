import { type NestExpressApplication } from '@nestjs/platform-express';
import { PeopleService } from '../../src/people/people.service.js';
import { textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const OTHER_PASSWORD = 'rusty lanterns hum in fog';

let world: World;
let api: NestExpressApplication;
let people: PeopleService;
let teamId: string;
let made = 0;

beforeAll(async () => {
  world = await createWorld({ trustedProxies: '127.0.0.1' });
  api = await world.startApi();
  people = api.get(PeopleService, { strict: false });
  ({ id: teamId } = await buildTeam(world.db, { name: 'Northwind' }));
});
afterAll(() => world?.close());

/** A person with {@link PASSWORD}, a viewer of the team. */
async function person(): Promise<{ email: string; userId: string }> {
  made += 1;
  const email = `ada-${made}@example.com`;
  const { id: userId } = await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
  return { email, userId };
}

/** A browser at an address of its own. */
function visitor(headers: Record<string, string> = {}): Visitor {
  made += 1;
  return new Visitor(api, { 'X-Forwarded-For': `198.51.${made >> 8}.${made & 255}`, ...headers });
}

const sessionsOf = async (userId: string) =>
  (await world.db.query<unknown[]>('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).length;

const audited = (action: string) =>
  world.db.query<
    { actor_name: string | null; address: string | null; target_id: string | null; all: string }[]
  >('SELECT actor_name, address, target_id, a::text AS all FROM audit_log a WHERE action = $1 ORDER BY id', [
    action,
  ]);

describe('signing in', () => {
  test('leads to the page that was asked for, with a cookie that no script reads', async () => {
    const { email } = await person();
    const browser = visitor();
    const refused = await browser.get(`/t/${teamId}/calls?status=completed`);
    expect([refused.status, refused.headers.location]).toEqual([
      303,
      `/login?back=${encodeURIComponent(`/t/${teamId}/calls?status=completed`)}`,
    ]);
    const answer = await browser.signIn(`  ${email.toUpperCase()} `, PASSWORD, refused.headers.location);
    expect([answer.status, answer.headers.location]).toEqual([303, `/t/${teamId}/calls?status=completed`]);
    const cookie = (answer.headers['set-cookie'] as unknown as string[]).find((set) =>
      set.startsWith('outdial_session='),
    );
    expect(cookie).toMatch(/^outdial_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    expect((await browser.get(`/t/${teamId}/do-not-call`)).status).toBe(200);
    expect((await browser.get('/login')).headers.location).toBe('/start');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/t/..//evil.example',
    '/t/%2e%2e//evil.example',
    '/t/../\\evil.example',
    '/%2F/evil.example',
    'https://evil.example/t/',
    'https:evil.example',
    'javascript:alert(1)',
    '/t\\@evil.example',
    '\t//evil.example',
    '/account@evil.example',
    '/api/admin/teams',
    '/logout',
    '',
  ])('never leads to %j', async (back) => {
    const { email } = await person();
    const browser = visitor();
    const page = await browser.get(`/login?${new URLSearchParams({ back })}`);
    expect(page.text).toContain('name="back" value="/start"');
    const answer = await browser.submit('/login', '/login', { email, password: PASSWORD, back });
    expect([answer.status, answer.headers.location]).toEqual([303, '/start']);
  });

  test('is refused without the token of its form, with a foreign one, and from another origin', async () => {
    const { email, userId } = await person();
    const fields = { email, password: PASSWORD, back: '/start' };
    expect((await visitor().post('/login', fields)).status).toBe(403);
    const [one, other] = [visitor(), visitor()];
    const { text } = await other.get('/login');
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
    await one.get('/login');
    expect((await one.post('/login', { ...fields, formToken })).status).toBe(403);
    const crossed = visitor({ Origin: 'https://evil.example' });
    expect((await crossed.signIn(email, PASSWORD)).status).toBe(403);
    expect(await sessionsOf(userId)).toBe(0);
  });

  test('answers an unknown e-mail as a wrong password, and stores neither', async () => {
    const { email, userId } = await person();
    const wrong = await visitor().signIn(email, 'not the password');
    const unknown = await visitor().signIn('stranger@example.com', 'not the password');
    const shown = (answer: typeof wrong, typed: string) => textOf(answer.text.replaceAll(typed, ''));
    expect([wrong.status, unknown.status]).toEqual([400, 400]);
    expect(shown(wrong, email)).toBe(shown(unknown, 'stranger@example.com'));
    expect(wrong.text).toContain('E-mail or password is wrong.');
    expect(wrong.text).toContain(`value="${email}"`);
    expect(wrong.text).not.toContain('not the password');
    const rows = (await audited('session.refused')).slice(-2);
    expect(rows.map(({ target_id }) => target_id)).toEqual([userId, null]);
    expect(rows[0]?.address).toMatch(/^198\.51\./);
    expect(JSON.stringify(rows)).not.toMatch(/stranger|not the password/);
  });

  test('takes about as long for an unknown e-mail as for a wrong password', async () => {
    const { email } = await person();
    const fastest = async (name: string) => {
      let best = Infinity;
      for (let index = 0; index < 4; index += 1) {
        const browser = visitor();
        const { text } = await browser.get('/login');
        const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
        const from = performance.now();
        await browser.post('/login', { email: name, password: 'not the password', formToken });
        best = Math.min(best, performance.now() - from);
      }
      return best;
    };
    const [known, unknown] = [await fastest(email), await fastest('stranger@example.com')];
    // A hash is most of the time: without one, an answer takes a few milliseconds.
    expect(unknown).toBeGreaterThan(known / 2);
    expect(known).toBeGreaterThan(unknown / 2);
  });

  test('begins a session of its own each time, and ends that of the browser before', async () => {
    const { email, userId } = await person();
    const attacker = await signedIn(world.db, { teamId });
    const browser = visitor();
    const planted = attacker.cookie.split('=')[1] ?? '';
    browser.cookies.set('outdial_session', 'x'.repeat(43));
    await browser.signIn(email, PASSWORD);
    const first = browser.cookies.get('outdial_session');
    expect(first).not.toBe('x'.repeat(43));
    // The browser asks for the form without a session, and sends a planted one along.
    browser.cookies.delete('outdial_session');
    const { text } = await browser.get('/login');
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
    browser.cookies.set('outdial_session', planted);
    const forged = await browser.post('/login', { email, password: PASSWORD, formToken });
    // The form was not of the planted session.
    expect(forged.status).toBe(403);
    const other = visitor();
    await other.signIn(email, PASSWORD);
    expect(other.cookies.get('outdial_session')).not.toBe(first);
    expect(await sessionsOf(userId)).toBe(2);
  });

  test('is in the audit log with the address, and so is the end of a session', async () => {
    const { email, userId } = await person();
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    const out = await browser.submit('/account', '/logout');
    expect([out.status, out.headers.location]).toEqual([303, '/login']);
    for (const action of ['session.begun', 'session.ended']) {
      const row = (await audited(action)).at(-1);
      expect(row).toMatchObject({ actor_name: email, target_id: userId });
      expect(row?.address).toMatch(/^198\.51\./);
      expect(row?.all).not.toContain(PASSWORD);
    }
    expect(browser.cookies.has('outdial_session')).toBe(false);
    expect(await sessionsOf(userId)).toBe(0);
  });

  test('a session ends after 12 hours without a request, and after 14 days in any case', async () => {
    const { email, userId } = await person();
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    const set = (column: string, age: string) =>
      world.db.query(`UPDATE sessions SET ${column} = now() - interval '${age}' WHERE user_id = $1`, [
        userId,
      ]);
    await set('last_seen_at', '11 hours 59 minutes');
    expect((await browser.get('/account')).status).toBe(200);
    await set('last_seen_at', '12 hours 1 second');
    expect((await browser.get('/account')).status).toBe(303);
    await set('last_seen_at', '0 seconds');
    await set('created_at', '14 days 1 second');
    expect((await browser.get('/account')).status).toBe(303);
  });

  test('sign-out everywhere ends the sessions of every browser', async () => {
    const { email, userId } = await person();
    const browsers = [visitor(), visitor()];
    for (const browser of browsers) await browser.signIn(email, PASSWORD);
    expect(await sessionsOf(userId)).toBe(2);
    await browsers[0]?.submit('/account', '/logout/everywhere');
    expect(await sessionsOf(userId)).toBe(0);
    expect((await browsers[1]?.get('/account'))?.status).toBe(303);
  });
});

describe('guessing', () => {
  test('after ten failures of an account the right password waits, too, with the seconds in Retry-After', async () => {
    const { email } = await person();
    for (let index = 0; index < 10; index += 1) {
      expect((await visitor().signIn(email, 'not the password')).status).toBe(400);
    }
    const refused = await visitor().signIn(email, PASSWORD);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.text).toContain('Try again in 1 second;');
    expect(refused.text).toContain(`value="${email}"`);
    // Nobody is locked out for longer.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(303);
  });

  test('an account that does not exist is refused as early', async () => {
    for (let index = 0; index < 10; index += 1) {
      expect((await visitor().signIn('nobody@example.com', 'not the password')).status).toBe(400);
    }
    expect((await visitor().signIn('Nobody@example.com', 'not the password')).status).toBe(429);
  });

  test('after ten failures of an address other accounts wait there, and successes do not count', async () => {
    const { email } = await person();
    const browser = visitor();
    for (let index = 0; index < 10; index += 1) {
      browser.cookies.clear();
      expect((await browser.signIn(email, PASSWORD)).status).toBe(303);
      browser.cookies.clear();
      expect((await browser.signIn(`guess-${index}-of-${made}@example.com`, 'x')).status).toBe(400);
    }
    browser.cookies.clear();
    expect((await browser.signIn(email, PASSWORD)).status).toBe(429);
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(303);
  });

  test('a browser that the account signed in from has a count of its own', async () => {
    const { email } = await person();
    const home = visitor();
    await home.signIn(email, PASSWORD);
    await home.submit('/account', '/logout');
    for (let index = 0; index < 11; index += 1) await visitor().signIn(email, 'not the password');
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(429);
    // A signature of another account, or a forged one, makes no browser known.
    const stranger = visitor();
    stranger.cookies.set('outdial_browser', `${'a'.repeat(22)}.${'b'.repeat(43)}`);
    expect((await stranger.signIn(email, PASSWORD)).status).toBe(429);
    for (let index = 0; index < 10; index += 1) {
      expect((await home.signIn(email, 'not the password')).status).toBe(400);
    }
    expect((await home.signIn(email, PASSWORD)).status).toBe(429);
  });
});

describe('over plain http in production', () => {
  let production: World;
  let app: NestExpressApplication;
  beforeAll(async () => {
    production = await createWorld({ nodeEnv: 'production' });
    app = await production.startApi();
    await app.get(PeopleService, { strict: false }).create({ operator: true }, 'ops@example.com', PASSWORD);
  });
  afterAll(() => production?.close());

  test('another host than loopback gets a notice, and the form posts', async () => {
    const browser = new Visitor(app, { Host: 'outdial.example.com' });
    const page = await browser.get('/login');
    expect(page.text).toContain('your browser will not keep you signed in');
    const answer = await browser.signIn('ops@example.com', PASSWORD);
    expect(answer.status).toBe(303);
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    expect(cookies.every((cookie) => cookie.endsWith('; Secure'))).toBe(true);
  });

  test('loopback gets none, and its cookies come back', async () => {
    const browser = new Visitor(app, { Host: 'localhost:3000' });
    expect((await browser.get('/login')).text).not.toContain('will not keep you signed in');
    const answer = await browser.signIn('ops@example.com', PASSWORD);
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    expect(cookies.some((cookie) => cookie.includes('Secure'))).toBe(false);
  });
});

describe('the beginning', () => {
  const beginning = async (cookie: string) => {
    const browser = visitor({ Cookie: cookie });
    browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
    return browser.get('/start');
  };

  test('is the team of a person who is in one', async () => {
    const { cookie } = await signedIn(world.db, { teamId });
    expect((await beginning(cookie)).headers.location).toBe(`/t/${teamId}`);
  });

  test('is the team whose pages the person saw last, while the person is in it', async () => {
    const { cookie, userId } = await signedIn(world.db, { teamId });
    const { id: second } = await buildTeam(world.db, { name: 'Southgate' });
    await world.db.query(`INSERT INTO memberships (user_id, team_id, role) VALUES ($1, $2, 'admin')`, [
      userId,
      second,
    ]);
    const browser = visitor({ Cookie: cookie });
    browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
    await browser.get(`/t/${second}/calls`);
    const row = 'SELECT xmin, last_team_id FROM users WHERE id = $1';
    const [noted] = await world.db.query<{ last_team_id: string }[]>(row, [userId]);
    expect(noted?.last_team_id).toBe(second);
    // Further pages of the team write nothing.
    await browser.get(`/t/${second}`);
    expect(await world.db.query(row, [userId])).toEqual([noted]);
    expect((await beginning(cookie)).headers.location).toBe(`/t/${second}`);
    expect((await browser.get('/start?all=1')).text).toContain('Your teams');
    await world.db.query('DELETE FROM memberships WHERE user_id = $1 AND team_id = $2', [userId, second]);
    expect((await beginning(cookie)).headers.location).toBe(`/t/${teamId}`);
    const audited = await world.db.query<object[]>(
      'SELECT FROM audit_log WHERE target_id = $1 AND action = $2',
      [userId, 'user.changed'],
    );
    expect(audited).toEqual([]);
    await world.db.query('DELETE FROM teams WHERE id = $1', [second]);
  });

  test('is a choice for a person in several, and says so to a person in none', async () => {
    const { cookie, userId } = await signedIn(world.db, { teamId });
    const { id: second } = await buildTeam(world.db, { name: 'Southgate & Sons' });
    await world.db.query(`INSERT INTO memberships (user_id, team_id, role) VALUES ($1, $2, 'admin')`, [
      userId,
      second,
    ]);
    const page = await beginning(cookie);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<a href="/t/${second}">Southgate &amp; Sons</a>`);
    const none = await beginning((await signedIn(world.db, {})).cookie);
    expect(none.text).toContain('You are in no team yet.');
    await world.db.query('DELETE FROM memberships WHERE team_id = $1', [second]);
    await world.db.query('DELETE FROM teams WHERE id = $1', [second]);
  });

  test('is the platform for an operator, or the only team while it has had no call', async () => {
    const { cookie } = await signedIn(world.db, { operator: true });
    expect((await beginning(cookie)).headers.location).toBe(`/t/${teamId}`);
    const { id } = await buildTeam(world.db);
    expect((await beginning(cookie)).headers.location).toBe('/platform');
    await world.db.query('DELETE FROM teams WHERE id = $1', [id]);
  });
});

describe('the own account', () => {
  test('shows teams and roles, and changes the password, which ends every other session', async () => {
    const { email, userId } = await person();
    const [home, office] = [visitor(), visitor()];
    await home.signIn(email, PASSWORD);
    await office.signIn(email, PASSWORD);
    expect(textOf((await home.get('/account')).text)).toContain('Northwind viewer');
    const action = '/account/password';
    const wrong = await home.submit('/account', action, { current: 'not it', password: OTHER_PASSWORD });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('This is not your password.')]);
    const weak = await home.submit('/account', action, { current: PASSWORD, password: 'password12345' });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('is too easy to guess')]);
    const before = home.cookies.get('outdial_session');
    const changed = await home.submit('/account', action, { current: PASSWORD, password: OTHER_PASSWORD });
    expect([changed.status, changed.headers.location]).toEqual([303, '/account']);
    expect(home.cookies.get('outdial_session')).not.toBe(before);
    expect((await home.get('/account')).text).toContain('Your password is changed');
    expect((await office.get('/account')).status).toBe(303);
    expect(await sessionsOf(userId)).toBe(1);
    expect((await visitor().signIn(email, PASSWORD)).status).toBe(400);
    expect((await visitor().signIn(email, OTHER_PASSWORD)).status).toBe(303);
  });

  test('the current password is guessed no faster than at sign-in', async () => {
    const { email } = await person();
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    const change = () =>
      browser.submit('/account', '/account/password', { current: 'not it', password: OTHER_PASSWORD });
    for (let index = 0; index < 10; index += 1) expect((await change()).status).toBe(400);
    const refused = await change();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  });
});
