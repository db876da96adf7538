import { type NestExpressApplication } from '@nestjs/platform-express';
import { Secret, TOTP } from 'otpauth';
import { type Response } from 'supertest';
import { PeopleService } from '../../src/people/people.service.js';
import { textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { Visitor } from './visitor.js';

const PASSWORD = 'tulip-orbit-mandate';
const OTHER_PASSWORD = 'rusty lanterns hum in fog';
const SECRETS_KEY = 'secrets-key-of-this-test';
const PAGE = '/account/second-factor';

let world: World;
let api: NestExpressApplication;
let people: PeopleService;
let teamId: string;
let made = 0;

beforeAll(async () => {
  world = await createWorld({ trustedProxies: '127.0.0.1', secretsKey: SECRETS_KEY });
  api = await world.startApi();
  people = api.get(PeopleService, { strict: false });
  ({ id: teamId } = await buildTeam(world.db, { name: 'Northwind' }));
});
afterAll(() => world?.close());

interface Person {
  email: string;
  userId: string;
}

/** A person whose second factor is on. */
interface Protected extends Person {
  secret: string;
  recoveryCodes: string[];
  /** The browser in which it was turned on. */
  home: Visitor;
}

/** A browser at an address of its own. */
function visitor(app = api): Visitor {
  made += 1;
  return new Visitor(app, { 'X-Forwarded-For': `198.52.${made >> 8}.${made & 255}` });
}

async function person(): Promise<Person> {
  made += 1;
  const email = `ada-${made}@example.com`;
  const { id: userId } = await people.create({ teamId, role: 'viewer' }, email, PASSWORD);
  return { email, userId };
}

/** The code of the authenticator now, or some steps later. */
function codeOf(secret: string, ahead = 0): string {
  const timestamp = Date.now() + ahead * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** A code that is of none of the steps near now. */
function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((ahead) => codeOf(secret, ahead));
  return (
    ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.includes(code)) ?? ''
  );
}

/** Does it as if so many seconds had passed. */
async function later(seconds: number, work: () => Promise<void>): Promise<void> {
  const now = Date.now() + seconds * 1_000;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
}

const shownSecret = ({ text }: Response): string => /<output data-secret[^>]*>([^<]+)/.exec(text)?.[1] ?? '';

async function protectedPerson(): Promise<Protected> {
  const known = await person();
  const home = visitor();
  await home.signIn(known.email, PASSWORD);
  const offer = await home.submit(PAGE, PAGE, { password: PASSWORD });
  const secret = shownSecret(offer);
  const confirmed = await confirm(home, offer, codeOf(secret));
  return { ...known, secret, recoveryCodes: shownSecret(confirmed).split('\n'), home };
}

/** Sends the form of the page that offered a secret. */
function confirm(browser: Visitor, offer: Response, code: string): Promise<Response> {
  return browser.post(`${PAGE}/confirm`, { ...formOf(offer, `${PAGE}/confirm`), code });
}

/** The hidden fields of a page's form. */
function formOf({ text }: Response, action: string): Record<string, string> {
  const [, form = ''] = new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
}

/** Lets the codes of now be used again. */
const forgetSteps = ({ userId }: Person) =>
  world.db.query('UPDATE users SET totp_last_step = NULL WHERE id = $1', [userId]);

const rowOf = async ({ userId }: Person) => {
  const [row] = await world.db.query<
    { totp_secret: string | null; totp_last_step: string | null; recovery_codes: string[] }[]
  >('SELECT totp_secret, totp_last_step, recovery_codes FROM users WHERE id = $1', [userId]);
  if (row === undefined) throw new Error('the person is gone');
  return row;
};

const sessionsOf = async ({ userId }: Person) =>
  (await world.db.query<unknown[]>('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).length;

const actionsOf = async ({ userId }: Person) =>
  (
    await world.db.query<{ action: string; actor_kind: string }[]>(
      `SELECT action, actor_kind FROM audit_log WHERE target_id = $1 AND target_type = 'user' ORDER BY id`,
      [userId],
    )
  ).map(({ action, actor_kind: kind }) => `${action} by ${kind}`);

/** Signs in with the password, up to the question for the code. */
async function asked(known: Person, back = '/account'): Promise<Visitor> {
  const browser = visitor();
  const answer = await browser.signIn(known.email, PASSWORD, `/login?back=${back}`);
  expect([answer.status, answer.headers.location]).toEqual([
    303,
    `/login/code?${new URLSearchParams({ back })}`,
  ]);
  return browser;
}

const answer = (browser: Visitor, code: string, back = '/account') =>
  browser.submit(`/login/code?${new URLSearchParams({ back })}`, '/login/code', { code });

describe('turning it on', () => {
  test('shows a QR code and the secret, and counts only once a code has confirmed it', async () => {
    const known = await person();
    const browser = visitor();
    await browser.signIn(known.email, PASSWORD);
    const page = await browser.get('/account');
    expect(page.text).toContain(`href="${PAGE}"`);
    const offer = await browser.submit(PAGE, PAGE, { password: PASSWORD });
    const secret = shownSecret(offer);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(offer.text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="The secret/);
    expect(offer.headers['cache-control']).toBe('no-store');
    expect((await rowOf(known)).totp_secret).toBeNull();
    const wrong = await confirm(browser, offer, wrongCodeOf(secret));
    expect([wrong.status, shownSecret(wrong)]).toEqual([400, secret]);
    expect((await rowOf(known)).totp_secret).toBeNull();
    const right = await confirm(browser, wrong, codeOf(secret));
    expect(right.status).toBe(200);
    const codes = shownSecret(right).split('\n');
    expect(codes).toHaveLength(10);
    // Neither is in the database as it is.
    const { totp_secret: sealed, recovery_codes: hashes } = await rowOf(known);
    expect(sealed).toMatch(/^v1\./);
    expect(hashes).toHaveLength(10);
    expect(JSON.stringify([sealed, hashes])).not.toMatch(new RegExp([secret, ...codes].join('|')));
    const after = await browser.get(PAGE);
    expect(after.text).not.toMatch(/data-secret/);
    expect(textOf(after.text)).toContain('10 are left.');
    expect(await actionsOf(known)).toContain('second_factor.enabled by user');
  });

  test('needs the password, so that another at an open browser locks nobody out', async () => {
    const known = await person();
    const browser = visitor();
    await browser.signIn(known.email, PASSWORD);
    const refused = await browser.submit(PAGE, PAGE, { password: 'not the password' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('This is not your password.');
    expect(shownSecret(refused)).toBe('');
    expect(await actionsOf(known)).toContain('second_factor.refused by system');
  });

  test('takes no secret that was changed, is another person’s, or is too old', async () => {
    const [one, other] = [await person(), await person()];
    const [browser, others] = [visitor(), visitor()];
    await browser.signIn(one.email, PASSWORD);
    await others.signIn(other.email, PASSWORD);
    const offer = await browser.submit(PAGE, PAGE, { password: PASSWORD });
    const offers = await others.submit(PAGE, PAGE, { password: PASSWORD });
    const own = formOf(offer, `${PAGE}/confirm`);
    const foreign = formOf(offers, `${PAGE}/confirm`).offered ?? '';
    const changed = `${own.offered?.slice(0, -9)}AAAAAAAAA`;
    for (const [offered, secret] of [
      [foreign, shownSecret(offers)],
      [changed, shownSecret(offer)],
      ['', shownSecret(offer)],
    ] as const) {
      const refused = await browser.post(`${PAGE}/confirm`, { ...own, offered, code: codeOf(secret) });
      expect([refused.status, refused.text.includes('Begin again.')]).toEqual([400, true]);
    }
    await later(901, async () => {
      const late = await browser.post(`${PAGE}/confirm`, { ...own, code: codeOf(shownSecret(offer)) });
      expect([late.status, late.text.includes('longer than 15 minutes')]).toEqual([400, true]);
    });
    expect((await rowOf(one)).totp_secret).toBeNull();
  });

  test('is not done twice', async () => {
    const known = await person();
    const browser = visitor();
    await browser.signIn(known.email, PASSWORD);
    const offers = [
      await browser.submit(PAGE, PAGE, { password: PASSWORD }),
      await browser.submit(PAGE, PAGE, { password: PASSWORD }),
    ];
    const answers = await Promise.all(
      offers.map((offer) => confirm(browser, offer, codeOf(shownSecret(offer)))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.text).toContain('A second factor is on already.');
  });

  test('is refused without a key, with a sentence that names it, and to a person without a password', async () => {
    const { cookie, userId } = await signedIn(world.db, { teamId });
    const browser = visitor();
    browser.cookies.set('outdial_session', cookie.split('=')[1] ?? '');
    expect(textOf((await browser.get(PAGE)).text)).toContain('you sign in at your OpenID provider.');
    const keyless = await createWorld({ secretsKey: undefined });
    try {
      const app = await keyless.startApi();
      await app.get(PeopleService, { strict: false }).create({ operator: true }, 'ops@example.com', PASSWORD);
      const operator = visitor(app);
      await operator.signIn('ops@example.com', PASSWORD);
      const page = await operator.get(PAGE);
      expect(textOf(page.text)).toContain('because SECRETS_KEY is not set');
      const { formToken = '' } = formOf(page, '/logout');
      const refused = await operator.post(PAGE, { formToken, password: PASSWORD });
      expect([refused.status, refused.text.includes('SECRETS_KEY')]).toEqual([400, true]);
    } finally {
      await keyless.close();
    }
    expect((await rowOf({ userId, email: '' })).totp_secret).toBeNull();
  });
});

describe('signing in', () => {
  test('asks for the code after the right password, and leads to the page that was asked for', async () => {
    const known = await protectedPerson();
    const before = await sessionsOf(known);
    const back = `/t/${teamId}/calls`;
    const browser = await asked(known, back);
    expect(browser.cookies.has('outdial_session')).toBe(false);
    expect(await sessionsOf(known)).toBe(before);
    expect((await browser.get(back)).status).toBe(303);
    const done = await answer(browser, codeOf(known.secret, 1), back);
    expect([done.status, done.headers.location]).toEqual([303, back]);
    expect((await browser.get(back)).status).toBe(200);
    expect(browser.cookies.has('outdial_pending')).toBe(false);
    expect(await actionsOf(known)).toContain('session.begun by user');
  });

  test('a wrong password asks for no code', async () => {
    const known = await protectedPerson();
    const browser = visitor();
    expect((await browser.signIn(known.email, 'not the password')).status).toBe(400);
    expect(browser.cookies.has('outdial_pending')).toBe(false);
  });

  test('the cookie of the wait is of no script, for five minutes', async () => {
    const known = await protectedPerson();
    const sent = await visitor().signIn(known.email, PASSWORD);
    const cookies = sent.headers['set-cookie'] as unknown as string[];
    expect(cookies.find((cookie) => cookie.startsWith('outdial_pending='))).toMatch(
      /; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
    );
  });

  test('a code that has signed in does not sign in again', async () => {
    const known = await protectedPerson();
    const code = codeOf(known.secret, 1);
    expect((await answer(await asked(known), code)).status).toBe(303);
    const again = await answer(await asked(known), code);
    expect(again.status).toBe(400);
    expect(again.text).toContain('This code is wrong, too old, or was used already.');
  });

  test('two requests at once with one code begin one session', async () => {
    const known = await protectedPerson();
    for (const code of [codeOf(known.secret, 1), known.recoveryCodes[0] ?? '']) {
      await forgetSteps(known);
      const browsers = [await asked(known), await asked(known), await asked(known)];
      const answers = await Promise.all(browsers.map((browser) => answer(browser, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    }
  });

  test('a recovery code signs in once, however it is typed, and is told in the audit log', async () => {
    const known = await protectedPerson();
    const code = known.recoveryCodes[3] ?? '';
    const done = await answer(await asked(known), ` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect(done.status).toBe(303);
    expect((await rowOf(known)).recovery_codes).toHaveLength(9);
    expect(await actionsOf(known)).toContain('second_factor.recovery_code_used by user');
    expect((await answer(await asked(known), code)).status).toBe(400);
  });

  test('a sign-in that waits for longer than five minutes has expired', async () => {
    const known = await protectedPerson();
    const browser = await asked(known);
    const page = await browser.get('/login/code');
    await later(301, async () => {
      const fields = { ...formOf(page, '/login/code'), code: codeOf(known.secret) };
      const late = await browser.post('/login/code', fields);
      expect([late.status, late.text.includes('Sign in again.')]).toEqual([400, true]);
      const form = await browser.get('/login/code?back=/account');
      expect([form.status, form.headers.location]).toEqual([303, '/login?back=%2Faccount']);
    });
    // Within the five minutes it is taken.
    expect((await answer(browser, codeOf(known.secret, 1))).status).toBe(303);
  });

  test('the cookie of the wait is void in another browser, and if any part of it is changed', async () => {
    const [known, other] = [await protectedPerson(), await protectedPerson()];
    const browser = await asked(known);
    const cookie = browser.cookies.get('outdial_pending') ?? '';
    const [userId = '', expires = '', mark = '', signature = ''] = cookie.split('.');
    const attempt = async (tried: Visitor, value: string) => {
      const { text } = await tried.get('/login');
      const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
      tried.cookies.set('outdial_pending', value);
      const sent = await tried.post('/login/code', { formToken, code: codeOf(known.secret, 1) });
      return [sent.status, sent.text.includes('Sign in again.'), tried.cookies.has('outdial_session')];
    };
    const refused = [400, true, false];
    expect(await attempt(visitor(), cookie)).toEqual(refused);
    for (const parts of [
      [other.userId, expires, mark, signature],
      [userId, String(Number(expires) + 1), mark, signature],
      [userId, expires, 'x'.repeat(22), signature],
      [userId, expires, mark, 'x'.repeat(43)],
      [userId, expires, mark],
      [],
    ]) {
      expect(await attempt(browser, parts.join('.'))).toEqual(refused);
    }
    browser.cookies.set('outdial_pending', cookie);
    expect((await answer(browser, codeOf(known.secret, 1))).status).toBe(303);
  });

  test('a sign-in that waits is void once the password or the second factor has changed', async () => {
    const known = await protectedPerson();
    const browser = await asked(known);
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$DGtQ$hXEy';
    await world.db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [known.userId, hash]);
    expect((await browser.get('/login/code')).headers.location).toBe('/login?back=%2Fstart');
  });

  test('wrong codes count as wrong passwords do, and the right password forgets none of them', async () => {
    const known = await protectedPerson();
    for (let index = 0; index < 10; index += 1) {
      // Each with the password before it, from another address.
      const wrong = await answer(await asked(known), wrongCodeOf(known.secret));
      expect(wrong.status).toBe(400);
    }
    const refused = await visitor().signIn(known.email, PASSWORD);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    const failures = (await actionsOf(known)).filter((action) => action === 'session.refused by system');
    expect(failures).toHaveLength(10);
  });

  test('after ten wrong codes the right one waits, too, with the seconds in Retry-After', async () => {
    const known = await protectedPerson();
    const browser = await asked(known);
    for (let index = 0; index < 10; index += 1) {
      expect((await answer(browser, wrongCodeOf(known.secret))).status).toBe(400);
    }
    const refused = await answer(browser, codeOf(known.secret, 1));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.text).toContain('Try again in 1 second;');
  });

  test('a link for a new password asks for the code, too', async () => {
    const known = await protectedPerson();
    const { link } = await people.reset(known.userId, '');
    const browser = visitor();
    const chosen = await browser.submit(link, link, { password: OTHER_PASSWORD });
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/login/code?back=%2Fstart']);
    expect(browser.cookies.has('outdial_session')).toBe(false);
    expect(await sessionsOf(known)).toBe(0);
    expect((await answer(browser, codeOf(known.secret, 1))).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('codes of an authenticator whose secret does not open are refused with the reason, and recovery codes are taken', async () => {
    const known = await protectedPerson();
    const other = await protectedPerson();
    // What was sealed for another row does not open.
    await world.db.query(
      'UPDATE users SET totp_secret = (SELECT totp_secret FROM users WHERE id = $2) WHERE id = $1',
      [known.userId, other.userId],
    );
    const browser = await asked(known);
    const refused = await answer(browser, codeOf(known.secret, 1));
    expect([refused.status, refused.text.includes('SECRETS_KEY')]).toEqual([400, true]);
    expect((await answer(browser, known.recoveryCodes[0] ?? '')).status).toBe(303);
  });
});

describe('on the page of the account', () => {
  test('new recovery codes need a code, and make the old ones void', async () => {
    const known = await protectedPerson();
    const action = `${PAGE}/recovery-codes`;
    const wrong = await known.home.submit(PAGE, action, { code: wrongCodeOf(known.secret) });
    expect([wrong.status, shownSecret(wrong)]).toEqual([400, '']);
    const made = await known.home.submit(PAGE, action, { code: codeOf(known.secret, 1) });
    const codes = shownSecret(made).split('\n');
    expect([made.status, codes.length]).toEqual([200, 10]);
    expect(codes.filter((code) => known.recoveryCodes.includes(code))).toEqual([]);
    expect(await actionsOf(known)).toContain('second_factor.recovery_codes_made by user');
    const browser = await asked(known);
    expect((await answer(browser, known.recoveryCodes[0] ?? '')).status).toBe(400);
    expect((await answer(browser, codes[0] ?? '')).status).toBe(303);
  });

  test('it is turned off with the password and a code, and not with one of them', async () => {
    const known = await protectedPerson();
    const off = (fields: Record<string, string>) => known.home.submit(PAGE, `${PAGE}/off`, fields);
    expect((await off({ password: PASSWORD, code: wrongCodeOf(known.secret) })).status).toBe(400);
    expect((await off({ password: 'not the password', code: codeOf(known.secret, 1) })).status).toBe(400);
    expect((await rowOf(known)).totp_secret).not.toBeNull();
    const done = await off({ password: PASSWORD, code: codeOf(known.secret, 1) });
    expect([done.status, done.headers.location]).toEqual([303, PAGE]);
    expect((await known.home.get(PAGE)).text).toContain('Your second factor is off');
    expect(await rowOf(known)).toEqual({ totp_secret: null, totp_last_step: null, recovery_codes: [] });
    expect(await actionsOf(known)).toContain('second_factor.disabled by user');
    expect((await visitor().signIn(known.email, PASSWORD)).headers.location).toBe('/start');
  });

  test('forms without the token of the session are refused', async () => {
    const known = await protectedPerson();
    for (const action of [PAGE, `${PAGE}/confirm`, `${PAGE}/recovery-codes`, `${PAGE}/off`]) {
      const fields = { password: PASSWORD, code: codeOf(known.secret, 1) };
      expect((await known.home.post(action, fields)).status).toBe(403);
    }
    expect((await visitor().post('/login/code', { code: '123456' })).status).toBe(403);
  });
});
