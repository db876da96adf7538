import { type NestExpressApplication } from '@nestjs/platform-express';
import { Secret, TOTP } from 'otpauth';
import { type Response } from 'supertest';
import { PeopleService } from '../../src/people/people.service.js';
import { hiddenFields } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, insertRow } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { type Lie, Liar } from './support/liar.js';
import { CLIENT, Organization, PUBLIC_URL } from './support/organization.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const REFUSED = 'You could not be signed in.';

let made = 0;
const nextEmail = () => `ada-${(made += 1)}@example.com`;

const shownSecret = ({ text }: Response): string => /<output data-secret[^>]*>([^<]+)/.exec(text)?.[1] ?? '';

/** The code of an authenticator now. */
const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });

/** A browser at an address of its own. */
function visitorOf(api: NestExpressApplication): Visitor {
  made += 1;
  return new Visitor(api, { 'X-Forwarded-For': `198.51.${made >> 8}.${made & 255}` });
}

const startWorld = (oidcIssuer: string) =>
  createWorld({
    trustedProxies: '127.0.0.1',
    publicUrl: PUBLIC_URL,
    secretsKey: 'secrets-key-of-this-test',
    oidcIssuer,
    ...CLIENT,
  });

interface UserRow {
  operator: boolean;
  oidc_issuer: string | null;
  oidc_subject: string | null;
  sessions: number;
  roles: string[];
}

async function userOf({ db }: World, email: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow[]>(
    `SELECT operator, oidc_issuer, oidc_subject,
       (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id) AS sessions,
       ARRAY(SELECT m.role FROM memberships m WHERE m.user_id = u.id) AS roles
     FROM users u WHERE email = $1`,
    [email],
  );
  return row;
}

const refusalsOf = async ({ db }: World) =>
  db.query<{ text: string }[]>(
    `SELECT a::text AS text FROM audit_log a WHERE action = 'session.refused' ORDER BY id`,
  );

/** Nobody is signed in, the page is the same as ever, and the audit log has one more row. */
async function expectRefused(world: World, browser: Visitor, come: () => Promise<Response>): Promise<void> {
  const before = (await refusalsOf(world)).length;
  const answer = await come();
  expect([answer.status, answer.text.includes(REFUSED)]).toEqual([400, true]);
  expect(browser.cookies.has('outdial_session')).toBe(false);
  expect(browser.cookies.has('outdial_openid')).toBe(false);
  const rows = await refusalsOf(world);
  expect(rows.length).toBe(before + 1);
  expect(rows.at(-1)?.text).not.toContain('@');
}

describe('at a real provider', () => {
  let organization: Organization;
  let world: World;
  let api: NestExpressApplication;
  let people: PeopleService;
  let teamId: string;

  beforeAll(async () => {
    organization = await Organization.start();
    world = await startWorld(organization.issuer);
    api = await world.startApi();
    people = api.get(PeopleService, { strict: false });
    ({ id: teamId } = await buildTeam(world.db, { name: 'Northwind' }));
  });
  afterAll(async () => {
    await world?.close();
    await organization?.stop();
  });

  const visitor = () => visitorOf(api);

  async function come(browser: Visitor, path = '/login/oidc'): Promise<Response> {
    const sent = await browser.get(path);
    expect(sent.status).toBe(303);
    return browser.get(await organization.visit(sent.headers.location as string));
  }

  const invite = (email: string, role: 'viewer' | 'admin' = 'viewer') =>
    world.db.transaction(async (manager) => {
      const [user] = await manager.query<{ id: string }[]>(
        'INSERT INTO users (email) VALUES ($1) ON CONFLICT (email) DO UPDATE SET email = $1 RETURNING id',
        [email],
      );
      await insertLink(manager, user?.id ?? '', { team_id: teamId, role });
    });

  const insertLink = (
    manager: { query: (sql: string, values: unknown[]) => Promise<unknown> },
    userId: string,
    { team_id, role }: { team_id: string | null; role: string },
  ) =>
    manager.query(
      `INSERT INTO access_links (token_hash, kind, user_id, team_id, role, expires_at)
       VALUES (sha256($1::text::bytea), 'invite', $2, $3, $4, now() + interval '1 day')`,
      [`${userId} ${role}`, userId, team_id, role],
    );

  test('the sign-in page has the button, which leads there with state, nonce and PKCE, and back', async () => {
    const email = nextEmail();
    await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await organization.as('sub-back', email);
    const browser = visitor();
    const back = `/t/${teamId}/calls?status=completed`;
    const { text } = await browser.get(`/login?${new URLSearchParams({ back }).toString()}`);
    expect(text).toContain('Sign in with your organization');
    const [, href = ''] = /href="(\/login\/oidc[^"]*)"/.exec(text) ?? [];
    const sent = await browser.get(href.replaceAll('&amp;', '&'));
    const { origin, searchParams } = new URL(sent.headers.location as string);
    expect(origin).toBe(organization.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `${PUBLIC_URL}/login/oidc/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email',
    });
    const cookie = (sent.headers['set-cookie'] as unknown as string[]).find((set) =>
      set.startsWith('outdial_openid='),
    );
    expect(cookie).toMatch(
      /^outdial_openid=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const answer = await browser.get(await organization.visit(sent.headers.location as string));
    expect([answer.status, answer.headers.location]).toEqual([303, back]);
    expect(browser.cookies.has('outdial_openid')).toBe(false);
    expect((await browser.get(back)).status).toBe(200);
    expect(await userOf(world, email)).toMatchObject({
      oidc_issuer: organization.issuer,
      oidc_subject: 'sub-back',
      sessions: 1,
    });
  });

  test('the account counts from then on, whatever its e-mail address', async () => {
    const [email, other] = [nextEmail(), nextEmail()];
    await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await people.create({ teamId, role: 'admin' }, other, PASSWORD);
    await organization.as('sub-moved', email);
    await come(visitor());
    await organization.as('sub-moved', other, false);
    expect((await come(visitor())).headers.location).toBe('/start');
    expect(await userOf(world, email)).toMatchObject({ sessions: 2, roles: ['viewer'] });
    expect(await userOf(world, other)).toMatchObject({ sessions: 0, oidc_subject: null });
    // A second account with the address of the first is not the person.
    await organization.as('sub-heir', email);
    const browser = visitor();
    await expectRefused(world, browser, () => come(browser));
  });

  test('accepts the invitations to teams, and not one to be operator', async () => {
    const email = nextEmail();
    await invite(email);
    const [{ id } = { id: '' }] = await world.db.query<{ id: string }[]>(
      'SELECT id FROM users WHERE email = $1',
      [email],
    );
    await insertLink(world.db, id, { team_id: null, role: 'operator' });
    await organization.as('sub-invited', email.toUpperCase());
    const browser = visitor();
    expect((await come(browser)).headers.location).toBe('/start');
    expect(await userOf(world, email)).toMatchObject({ operator: false, roles: ['viewer'], sessions: 1 });
    expect((await browser.get('/platform')).status).toBe(403);
    const left = await world.db.query<unknown[]>('SELECT role FROM access_links WHERE user_id = $1', [id]);
    expect(left).toEqual([{ role: 'operator' }]);
  });

  test('refuses an unknown person, an address that is not verified, and one whose invitation is over', async () => {
    const [known, over] = [nextEmail(), nextEmail()];
    await people.create({ teamId, role: 'viewer' }, known, PASSWORD);
    await insertRow(world.db, 'users', { email: over });
    for (const [sub, email, isVerified] of [
      ['sub-stranger', 'stranger@example.com', true],
      ['sub-unverified', known, false],
      ['sub-over', over, true],
    ] as const) {
      await organization.as(sub, email, isVerified);
      const browser = visitor();
      await expectRefused(world, browser, () => come(browser));
      expect((await userOf(world, email))?.sessions ?? 0).toBe(0);
    }
    expect(await userOf(world, 'stranger@example.com')).toBeUndefined();
  });

  test('an operator is not bound by an address, and connects the account when signed in', async () => {
    const { cookie, email } = await signedIn(world.db, { operator: true });
    await organization.as('sub-operator', email);
    const stranger = visitor();
    await expectRefused(world, stranger, () => come(stranger));
    expect(await userOf(world, email)).toMatchObject({ oidc_subject: null, sessions: 1 });
    const browser = visitor();
    browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
    const leading = await browser.submit('/account', '/account/oidc');
    expect(leading.status).toBe(200);
    const [, location = ''] = /^0; url=(.*)$/.exec(leading.headers.refresh as string) ?? [];
    // The address at the provider need not be the person's here.
    await organization.as('sub-operator', 'boss@example.org', false);
    const connected = await browser.get(await organization.visit(location));
    expect([connected.status, connected.headers.location]).toEqual([303, '/account']);
    expect((await browser.get('/account')).text).toContain(
      'From now on you can sign in with your organization.',
    );
    const other = visitor();
    await come(other);
    expect((await other.get('/platform')).status).toBe(200);
    // Nobody else can connect that account.
    const second = await signedIn(world.db, { operator: true });
    const thief = visitor();
    thief.cookies.set('outdial_session', second.cookie.split('=')[1] ?? '');
    const again = await thief.submit('/account', '/account/oidc');
    const [, there = ''] = /^0; url=(.*)$/.exec(again.headers.refresh as string) ?? [];
    expect((await thief.get(await organization.visit(there))).status).toBe(400);
    expect(await userOf(world, second.email)).toMatchObject({ oidc_subject: null });
  });

  test('is disconnected with the password, and not connected again by its address', async () => {
    const email = nextEmail();
    const { id } = await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await organization.as('sub-leaves', email);
    const other = visitor();
    await come(other);
    const browser = visitor();
    await browser.signIn(email, PASSWORD);
    const action = '/account/oidc/disconnect';
    const wrong = await browser.submit('/account', action, { password: 'not the password' });
    expect([wrong.status, wrong.text.includes('This is not your password.')]).toEqual([400, true]);
    expect(await userOf(world, email)).toMatchObject({ oidc_subject: 'sub-leaves', sessions: 2 });
    const answer = await browser.submit('/account', action, { password: PASSWORD });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
    expect((await browser.get('/account')).text).toContain('Your account is no longer connected');
    expect(await userOf(world, email)).toMatchObject({
      oidc_issuer: null,
      oidc_subject: null,
      sessions: 1,
    });
    expect((await other.get('/account')).status).toBe(303);
    const stranger = visitor();
    await expectRefused(world, stranger, () => come(stranger));
    const told = await world.db.query<{ actor_id: string }[]>(
      `SELECT actor_id FROM audit_log WHERE action = 'openid.disconnected' AND target_id = $1`,
      [id],
    );
    expect(told).toEqual([{ actor_id: id }]);
    // The person can connect it again.
    const leading = await browser.submit('/account', '/account/oidc');
    const [, location = ''] = /^0; url=(.*)$/.exec(leading.headers.refresh as string) ?? [];
    await browser.get(await organization.visit(location));
    expect((await come(visitor())).status).toBe(303);
  });

  test('is not disconnected from a person without a password', async () => {
    const email = nextEmail();
    await invite(email);
    await organization.as('sub-alone', email);
    const browser = visitor();
    await come(browser);
    const { text } = await browser.get('/account');
    expect(text).toContain('you have no password');
    expect(text).not.toContain('/account/oidc/disconnect');
    const formToken = hiddenFields(text, '/logout').formToken ?? '';
    const answer = await browser.post('/account/oidc/disconnect', { formToken, password: '' });
    expect([answer.status, answer.text.includes('You have no password')]).toEqual([400, true]);
    expect(await userOf(world, email)).toMatchObject({ oidc_subject: 'sub-alone', sessions: 1 });
  });

  test('a return is of one browser, and of one time', async () => {
    const email = nextEmail();
    await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await organization.as('sub-once', email);
    const [browser, other] = [visitor(), visitor()];
    const sent = await browser.get('/login/oidc');
    const kept = new Map(browser.cookies);
    const returned = await organization.visit(sent.headers.location as string);
    // A browser that has begun nothing; one that has begun its own; one with a cookie that it was given.
    await expectRefused(world, other, () => other.get(returned));
    await other.get('/login/oidc');
    await expectRefused(world, other, () => other.get(returned));
    other.cookies.set('outdial_openid', kept.get('outdial_openid') ?? '');
    await expectRefused(world, other, () => other.get(returned));
    expect((await browser.get(returned)).status).toBe(303);
    const replaying = visitor();
    for (const [name, value] of kept) replaying.cookies.set(name, value);
    await expectRefused(world, replaying, () => replaying.get(returned));
    expect(await userOf(world, email)).toMatchObject({ sessions: 1 });
  });

  test('a return from another site leads nowhere else', async () => {
    const email = nextEmail();
    await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await organization.as('sub-redirect', email);
    for (const back of ['//evil.example', 'https://evil.example/t/', '/t/..//evil.example', '/login']) {
      const path = `/login/oidc?${new URLSearchParams({ back }).toString()}`;
      expect((await come(visitor(), path)).headers.location).toBe('/start');
    }
  });

  /** Turns the second factor of a person on. @returns the secret of the authenticator. */
  async function protect(email: string): Promise<string> {
    const home = visitor();
    await home.signIn(email, PASSWORD);
    const page = '/account/second-factor';
    const offer = await home.submit(page, page, { password: PASSWORD });
    const secret = shownSecret(offer);
    const hidden = hiddenFields(offer.text, `${page}/confirm`);
    const confirmed = await home.post(`${page}/confirm`, { ...hidden, code: codeOf(secret) });
    expect(confirmed.status).toBe(200);
    // The code of this step can be used once more.
    await world.db.query('UPDATE users SET totp_last_step = NULL WHERE email = $1', [email]);
    return secret;
  }

  test('a person with a second factor is not signed in before the code', async () => {
    const email = nextEmail();
    const { id } = await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    const secret = await protect(email);
    await organization.as('sub-factor', email);
    const sessions = (await userOf(world, email))?.sessions;
    const [browser, other] = [visitor(), visitor()];
    const back = `/t/${teamId}/calls`;
    const answer = await come(browser, `/login/oidc?${new URLSearchParams({ back }).toString()}`);
    const question = `/login/code?${new URLSearchParams({ back }).toString()}`;
    expect([answer.status, answer.headers.location]).toEqual([303, question]);
    expect(browser.cookies.has('outdial_session')).toBe(false);
    expect((await browser.get(back)).headers.location).toContain('/login?');
    expect((await userOf(world, email))?.sessions).toBe(sessions);
    // The wait is this browser's, and ends with a right code only.
    other.cookies.set('outdial_pending', browser.cookies.get('outdial_pending') ?? '');
    expect((await other.get(question)).status).toBe(303);
    expect((await browser.submit(question, '/login/code', { code: '12345' })).status).toBe(400);
    expect(browser.cookies.has('outdial_session')).toBe(false);
    const accepted = await browser.submit(question, '/login/code', { code: codeOf(secret) });
    expect([accepted.status, accepted.headers.location]).toEqual([303, back]);
    expect((await browser.get(back)).status).toBe(200);
    const rows = await world.db.query<{ after: unknown }[]>(
      `SELECT after FROM audit_log WHERE action = 'session.begun' AND target_id = $1 ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(rows).toEqual([{ after: { by: 'openid and code' } }]);
  });

  test('a sign-in that waits for a code is void once the account at the provider is another', async () => {
    const email = nextEmail();
    await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
    await protect(email);
    await organization.as('sub-waits', email);
    const browser = visitor();
    await come(browser);
    await world.db.query(`UPDATE users SET oidc_subject = 'sub-another' WHERE email = $1`, [email]);
    expect((await browser.get('/login/code')).headers.location).toContain('/login');
    expect(browser.cookies.has('outdial_session')).toBe(false);
  });

  test('the form that connects needs a session and its token', async () => {
    expect((await visitor().post('/account/oidc', {})).headers.location).toBe('/login');
    const { cookie } = await signedIn(world.db, { teamId });
    const browser = visitor();
    browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
    expect((await browser.post('/account/oidc', {})).status).toBe(403);
  });
});

describe('at a provider that lies', () => {
  let liar: Liar;
  let world: World;
  let api: NestExpressApplication;
  let teamId: string;

  beforeAll(async () => {
    liar = await new Liar().start();
    world = await startWorld(liar.issuer);
    api = await world.startApi();
    ({ id: teamId } = await buildTeam(world.db, { name: 'Northwind' }));
  });
  afterAll(async () => {
    await world?.close();
    await liar?.stop();
  });

  async function person(): Promise<string> {
    const email = nextEmail();
    await api.get(PeopleService, { strict: false }).create({ teamId, role: 'viewer' }, email, PASSWORD);
    return email;
  }

  async function come(browser: Visitor, lie: Lie): Promise<Response> {
    const sent = await browser.get('/login/oidc');
    return browser.get(liar.visit(sent.headers.location as string, lie));
  }

  const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
  const truth = (email: string) => ({ email, email_verified: true });

  test.each<[string, Lie]>([
    ['the issuer is another', { claims: { iss: 'https://evil.example' } }],
    ['the nonce is another', { claims: { nonce: 'of another sign-in' } }],
    ['the nonce is missing', { claims: { nonce: undefined } }],
    ['the audience is another', { claims: { aud: 'another client' } }],
    ['the token has expired', { claims: { iat: anHourAgo, exp: anHourAgo + 60 } }],
    ['the token names nobody', { claims: { sub: undefined } }],
    ['the token names nothing', { claims: { sub: '' } }],
    ['the address is not verified', { claims: { email_verified: false } }],
    ['the address is called verified in a text', { claims: { email_verified: 'true' } }],
    ['nothing says that the address is verified', { claims: { email_verified: undefined } }],
    ['the key is another', { foreignKey: true }],
    ['nothing is signed', { unsigned: true }],
    ['it refuses the code', { status: 400 }],
  ])('%s: nobody is signed in', async (_, lie) => {
    const email = await person();
    const browser = visitorOf(api);
    const sub = `sub of ${email}`;
    await expectRefused(world, browser, () =>
      come(browser, { ...lie, claims: { sub, ...truth(email), ...lie.claims } }),
    );
    expect(await userOf(world, email)).toMatchObject({ sessions: 0, oidc_subject: null });
    // The same without the lie.
    expect((await come(browser, { claims: { sub, ...truth(email) } })).status).toBe(303);
    expect(await userOf(world, email)).toMatchObject({ sessions: 1, oidc_subject: sub });
  });

  test('the state of another sign-in is refused, and so is an error of the provider', async () => {
    const email = await person();
    const lie = { claims: { sub: `sub of ${email}`, ...truth(email) } };
    const browser = visitorOf(api);
    const sent = await browser.get('/login/oidc');
    const wrong = liar.visit(sent.headers.location as string, lie).replace(/state=[^&]*/, 'state=another');
    await expectRefused(world, browser, () => browser.get(wrong));
    const again = await browser.get('/login/oidc');
    const state = new URL(again.headers.location as string).searchParams.get('state') ?? '';
    const denied = `/login/oidc/callback?${new URLSearchParams({ error: 'access_denied', state }).toString()}`;
    await expectRefused(world, browser, () => browser.get(denied));
    expect(await userOf(world, email)).toMatchObject({ sessions: 0 });
  });

  test('after ten refusals in a row, a network waits', async () => {
    const browser = visitorOf(api);
    for (let index = 0; index < 10; index += 1) {
      expect((await browser.get('/login/oidc/callback?code=x')).status).toBe(400);
    }
    const before = (await refusalsOf(world)).length;
    const answer = await browser.get('/login/oidc/callback?code=x');
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1']);
    expect((await refusalsOf(world)).length).toBe(before);
  });

  test('its discovery document is read once; a failure of its own is said plainly', async () => {
    const email = await person();
    const browser = visitorOf(api);
    await browser.get('/login/oidc');
    const read = liar.discoveries;
    const answer = await come(browser, { status: 503, claims: truth(email) });
    expect([answer.status, answer.text.includes('does not answer')]).toEqual([503, true]);
    expect(browser.cookies.has('outdial_session')).toBe(false);
    expect(liar.discoveries).toBe(read);
  });
});

describe('without the provider', () => {
  test('the sign-in page has no button, and the addresses are those of no page', async () => {
    const world = await createWorld();
    try {
      const browser = new Visitor(await world.startApi());
      expect((await browser.get('/login')).text).not.toContain('/login/oidc');
      for (const path of ['/login/oidc', '/login/oidc/callback?code=x']) {
        expect((await browser.get(path)).status).toBe(404);
      }
    } finally {
      await world.close();
    }
  });

  test('one that is away or names another issuer is said plainly, and is asked again', async () => {
    const liar = await new Liar().start();
    liar.namedIssuer = 'https://evil.example';
    const world = await startWorld(liar.issuer);
    try {
      const browser = new Visitor(await world.startApi());
      const other = await browser.get('/login/oidc');
      expect([other.status, other.text.includes('does not answer')]).toEqual([503, true]);
      liar.namedIssuer = null;
      const sent = await browser.get('/login/oidc');
      expect(sent.status).toBe(303);
      await liar.stop();
      expect((await browser.get(liar.visit(sent.headers.location as string))).status).toBe(503);
      expect(browser.cookies.has('outdial_session')).toBe(false);
      expect((await browser.get('/login')).status).toBe(200);
    } finally {
      await world.close();
    }
  });
});
