import { createHash } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { type TeamRole } from '../../src/domain/permissions.js';
import { section, textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

describe('the pages of members and operators', () => {
  let world: World;
  let db: DataSource;
  let api: NestExpressApplication;
  let teamId: string;
  let path: string;
  let emails = 0;

  beforeAll(async () => {
    world = await createWorld();
    db = world.db;
    api = await world.startApi();
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    ({ id: teamId } = await buildTeam(db, { name: 'Northwind' }));
    path = `/t/${teamId}/settings/members`;
  });

  const newEmail = () => `invited-${(emails += 1)}@example.com`;

  async function person(role: TeamRole | 'operator' = 'admin'): Promise<Person> {
    return new Person(
      api,
      (await signedIn(db, role === 'operator' ? { operator: true } : { teamId, role })).cookie,
    );
  }

  /** A member who has chosen a password. */
  async function member(role: TeamRole): Promise<{ id: string; email: string; cookie: string }> {
    const { userId: id, email, cookie } = await signedIn(db, { teamId, role });
    await db.query(`UPDATE users SET password_hash = 'chosen' WHERE id = $1`, [id]);
    return { id, email, cookie };
  }

  const roleOf = async (userId: string) => {
    const [row] = await db.query<{ role: string }[]>(
      'SELECT role FROM memberships WHERE user_id = $1 AND team_id = $2',
      [userId, teamId],
    );
    return row?.role;
  };

  const linkOf = (page: string) => /<output data-secret[^>]*>([^<]*)<\/output>/.exec(page)?.[1] ?? '';

  test('an invited person is listed as pending, and the link is shown once', async () => {
    const admin = await person();
    const email = newEmail();
    const answer = await admin.submit(path, path, { email, role: 'manager' });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const link = linkOf(answer.text);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invite\/[\w-]{43}$/);
    const hash = createHash('sha256')
      .update(link.split('/').at(-1) ?? '')
      .digest();
    const [row] = await db.query<{ kind: string; email: string }[]>(
      'SELECT l.kind, u.email FROM access_links l JOIN users u ON u.id = l.user_id WHERE l.token_hash = $1',
      [hash],
    );
    expect(row).toEqual({ kind: 'invite', email });
    const later = await admin.page(path);
    expect(linkOf(later)).toBe('');
    expect(section(later, 'pending')).toMatch(new RegExp(`${email} manager invited until \\w{3} \\d{4}`));
  });

  test('a new link can be made for a pending invitation', async () => {
    const admin = await person();
    const first = await admin.submit(path, path, { email: newEmail(), role: 'viewer' });
    const again = await admin.submit(path, path);
    expect(again.status).toBe(200);
    expect(linkOf(again.text)).toMatch(/\/invite\//);
    expect(linkOf(again.text)).not.toBe(linkOf(first.text));
  });

  test.each([
    [{ email: 'Ada' }, 'email', 'E-mail must be an e-mail address'],
    [{ role: 'owner' }, 'role', 'Role must be one of viewer, manager, admin'],
  ])('%j is refused at its field, and what was typed is kept', async (wrong, field, message) => {
    const fields = { email: newEmail(), role: 'manager', ...wrong };
    const answer = await (await person()).submit(path, path, fields);
    expect(answer.status).toBe(400);
    expect(new RegExp(`id="field-${field}-error">([^<]*)`).exec(answer.text)?.[1]).toBe(message);
    expect(answer.text).toContain(`value="${fields.email}"`);
    expect(await db.query('SELECT FROM users WHERE email = $1', [fields.email.toLowerCase()])).toEqual([]);
  });

  test('a change of the role says what happens, and signs the person out', async () => {
    const admin = await person();
    const { id, email, cookie } = await member('viewer');
    const page = await admin.page(path);
    expect(textOf(page)).toContain(`of ${email} … The person is signed out`);
    const changed = await admin.submit(path, `${path}/${id}/role`, { role: 'manager' });
    expect(textOf(await admin.after(changed))).toContain('The role is changed.');
    expect(await roleOf(id)).toBe('manager');
    expect((await new Person(api, cookie).get(`/t/${teamId}`)).status).toBe(303);
  });

  test('a removed member loses the pages of the team at once', async () => {
    const admin = await person();
    const { id, email, cookie } = await member('viewer');
    expect((await new Person(api, cookie).get(`/t/${teamId}`)).status).toBe(200);
    const removed = await admin.submit(path, `${path}/${id}/remove`);
    expect(textOf(await admin.after(removed))).toContain('The person is no longer in the team.');
    expect((await new Person(api, cookie).get(`/t/${teamId}`)).status).toBe(303);
    expect(await admin.page(path)).not.toContain(email);
  });

  test('a member of another team cannot be changed', async () => {
    const admin = await person();
    const { id: other } = await buildTeam(db);
    const { userId } = await signedIn(db, { teamId: other, role: 'viewer' });
    const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(await admin.page(path)) ?? [];
    expect((await admin.post(`${path}/${userId}/role`, { formToken, role: 'admin' })).status).toBe(404);
    expect((await admin.post(`${path}/${userId}/remove`, { formToken })).status).toBe(404);
  });

  test.each(['viewer', 'manager'] as const)('a %s neither sees members nor invites', async (role) => {
    const other = await person(role);
    expect((await other.get(path)).status).toBe(403);
    const [, formToken = ''] =
      /name="formToken" value="([^"]*)"/.exec(await other.page(`/t/${teamId}`)) ?? [];
    const email = newEmail();
    expect((await other.post(path, { formToken, email, role: 'admin' })).status).toBe(403);
    expect(await db.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
  });

  test('operators invite operators, and the last who can sign in stays', async () => {
    await db.query('UPDATE users SET operator = false');
    const { cookie, userId } = await signedIn(db, { operator: true });
    const operator = new Person(api, cookie);
    const email = newEmail();
    const operators = '/platform/operators';
    const answer = await operator.submit(operators, operators, { email });
    expect(linkOf(answer.text)).toMatch(/\/invite\/[\w-]{43}$/);
    expect(section(answer.text, 'operators')).toContain(`${email} invited`);
    const last = await operator.submit(operators, `${operators}/${userId}/remove`);
    expect(last.status).toBe(409);
    expect(textOf(last.text)).toContain('The platform needs an operator');

    await signedIn(db, { operator: true });
    const removed = await operator.submit(operators, `${operators}/${userId}/remove`);
    expect(removed.status).toBe(303);
    expect((await operator.get(operators)).headers.location).toContain('/login');
  });

  test('an address that is no address is refused for operators, too', async () => {
    const operators = '/platform/operators';
    const answer = await (await person('operator')).submit(operators, operators, { email: '<b>' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('value="&lt;b>"');
    expect(section(answer.text, 'invite')).toContain('E-mail must be an e-mail address');
  });

  test('an admin of a team does not see operators', async () => {
    expect((await (await person()).get('/platform/operators')).status).toBe(403);
  });
});
