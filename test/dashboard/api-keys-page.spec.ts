import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { type DataSource } from 'typeorm';
import { Config } from '../../src/config/config.js';
import { KEY_SCOPES } from '../../src/domain/key-scopes.js';
import { type TeamRole } from '../../src/domain/permissions.js';
import { section, textOf, unescapeHtml } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

describe('the page of API keys', () => {
  let world: World;
  let db: DataSource;
  let api: NestExpressApplication;
  let caller: Caller;
  let path: string;

  beforeAll(async () => {
    world = await createWorld();
    db = world.db;
    api = await world.startApi();
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    caller = await buildCaller(db, { timezone: 'America/New_York' }, { name: 'Reminder agent' });
    path = `/t/${caller.teamId}/settings/api-keys`;
  });

  async function person(role: TeamRole = 'admin', teamId = caller.teamId): Promise<Person> {
    return new Person(api, (await signedIn(db, { teamId, role })).cookie);
  }

  const secretOf = (page: string) => /<output data-secret[^>]*>([^<]*)<\/output>/.exec(page)?.[1] ?? '';

  test('a new key is shown once, and requests with it are answered', async () => {
    const admin = await person();
    const answer = await admin.submit(path, path, { name: 'CRM', scopes: KEY_SCOPES });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBeUndefined();
    const key = secretOf(answer.text);
    expect(key).toMatch(/^od_live_\w{43}$/);

    const me = await supertest(api.getHttpServer()).get('/api/me').set('Authorization', `Bearer ${key}`);
    expect(me.body).toMatchObject({ teamId: caller.teamId, keyName: 'CRM', scopes: KEY_SCOPES });

    const later = await admin.page(path);
    expect(later).not.toContain(key);
    expect(section(later, 'keys')).toContain(`CRM ${key.slice(0, 12)}… all`);
  });

  test('the command beside the key places a call, by this key, an agent and a number of the team', async () => {
    const admin = await person();
    const { text } = await admin.submit(path, path, { name: 'CRM', scopes: KEY_SCOPES });
    const command = unescapeHtml(/<pre>([\s\S]*?)<\/pre>/.exec(text)?.[1] ?? '');
    const [, address = ''] = /curl -X POST '([^']*)'/.exec(command) ?? [];
    const [, authorization = ''] = /-H 'Authorization: ([^']*)'/.exec(command) ?? [];
    const [, body = ''] = /-d '([^']*)'/.exec(command) ?? [];
    expect(authorization).toBe(`Bearer ${secretOf(text)}`);
    expect(new URL(address).origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(body)).toMatchObject({ fromPhoneNumber: caller.callerNumber });

    const answer = await supertest(api.getHttpServer())
      .post(new URL(address).pathname)
      .set({ Authorization: authorization, 'Content-Type': 'application/json' })
      .send(body);
    expect(answer.body).toMatchObject({ success: true, callRequestId: expect.any(String) as string });
  });

  test('a team without an agent, and a key that may not call, get a command that reads the key', async () => {
    const { id: teamId } = await buildTeam(db);
    const empty = `/t/${teamId}/settings/api-keys`;
    const admin = await person('admin', teamId);
    const without = await admin.submit(empty, empty, { name: 'CRM', scopes: KEY_SCOPES });
    expect(section(without.text, 'created')).toContain('no voice agent to call with yet');
    expect(section(without.text, 'created')).toContain('/api/me');
    const reading = await (await person()).submit(path, path, { name: 'Reports', scopes: ['read'] });
    expect(section(reading.text, 'created')).toMatch(/\/api\/me'.*Bearer od_live_/);
  });

  test('the address of the API is PUBLIC_URL where it is set', async () => {
    const config = api.get(Config);
    config.publicUrl = 'https://calls.example.com';
    try {
      const { text } = await (await person()).submit(path, path, { name: 'CRM', scopes: KEY_SCOPES });
      expect(section(text, 'created')).toContain(
        `'https://calls.example.com/api/voice-agents/${caller.agentId}/calls'`,
      );
    } finally {
      delete config.publicUrl;
    }
  });

  test('every scope is ticked at first', async () => {
    const page = await (await person()).page(path);
    const ticked = [...page.matchAll(/<input type="checkbox" name="scopes" value="(\w+)" checked/g)];
    expect(ticked.map(([, scope]) => scope)).toEqual([...KEY_SCOPES]);
  });

  test('a key has the scopes that were ticked alone', async () => {
    await (await person()).submit(path, path, { name: 'Reports', scopes: ['read', 'calls'] });
    const [row] = await db.query<unknown[]>(
      `SELECT scopes, expires_at FROM api_keys WHERE team_id = $1 AND name = 'Reports'`,
      [caller.teamId],
    );
    expect(row).toEqual({ scopes: ['calls', 'read'], expires_at: null });
  });

  test('without a scope no key is made: the field is named, and what was typed is kept', async () => {
    const admin = await person();
    const answer = await admin.submit(path, path, { name: 'Billing <b>', expiresAt: '2099-01-31' });
    expect(answer.status).toBe(400);
    expect(section(answer.text, 'new-key')).toContain('Tick at least one scope');
    expect(answer.text).toMatch(/id="field-scopes"[^>]*aria-describedby="[^"]*field-scopes-error/);
    expect(answer.text).toContain('value="Billing &lt;b>"');
    expect(answer.text).toContain('value="2099-01-31"');
    expect(answer.text).not.toMatch(/name="scopes"[^>]*checked/);
    expect(secretOf(answer.text)).toBe('');
    expect(await db.query(`SELECT FROM api_keys WHERE name LIKE 'Billing%'`)).toEqual([]);
  });

  test.each([
    [{ name: '  ' }, 'name', 'Enter a name'],
    [{ name: 'x'.repeat(300) }, 'name', 'Name must be at most'],
    [{ scopes: ['calls', 'root'] }, 'scopes', 'Scopes must hold names of calls'],
    [{ expiresAt: '2026-02-30' }, 'expiresAt', 'Last day must be a day'],
    [{ expiresAt: '2001-01-01' }, 'expiresAt', 'Last day must not be past'],
  ])('%j is refused at its field', async (wrong, field, message) => {
    const fields = { name: 'Refused', scopes: ['calls'], ...wrong };
    const answer = await (await person()).submit(path, path, fields);
    expect(answer.status).toBe(400);
    const [, error = ''] = new RegExp(`id="field-${field}-error">([^<]*)`).exec(answer.text) ?? [];
    expect(error).toContain(message);
    expect(
      await db.query(`SELECT FROM api_keys WHERE team_id = $1 AND name <> 'Key'`, [caller.teamId]),
    ).toEqual([]);
  });

  test('the last day of a key is a day of the team’s zone', async () => {
    const admin = await person();
    await admin.submit(path, path, { name: 'Trial', scopes: ['calls'], expiresAt: '2099-06-30' });
    const [row] = await db.query<{ expires_at: Date }[]>(
      `SELECT expires_at FROM api_keys WHERE team_id = $1 AND name = 'Trial'`,
      [caller.teamId],
    );
    expect(row?.expires_at.toISOString()).toBe('2099-07-01T04:00:00.000Z');
    expect(section(await admin.page(path), 'keys')).toContain('after 2099-06-30');
  });

  test('a revoked key leaves the list, and requests with it are refused', async () => {
    const admin = await person();
    const { text } = await admin.submit(path, path, { name: 'Old CRM', scopes: KEY_SCOPES });
    const page = await admin.page(path);
    expect(textOf(page)).toContain('Requests with this key are refused at once');
    const [before = ''] = page.split('Yes, revoke Old CRM');
    const action = [...before.matchAll(/action="([^"]*\/revoke)"/g)].at(-1)?.[1] ?? '';
    const revoked = await admin.submit(path, action);
    expect(revoked.status).toBe(303);
    const after = await admin.after(revoked);
    expect(textOf(after)).toContain('The key is revoked.');
    expect(section(after, 'keys')).not.toContain('Old CRM');
    const me = await supertest(api.getHttpServer())
      .get('/api/me')
      .set('Authorization', `Bearer ${secretOf(text)}`);
    expect(me.status).toBe(401);
  });

  test.each(['viewer', 'manager'] as const)('a %s neither sees keys nor makes one', async (role) => {
    const other = await person(role);
    expect((await other.get(path)).status).toBe(403);
    const page = await other.page(`/t/${caller.teamId}`);
    expect(page).not.toContain('settings/api-keys');
    const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(page) ?? [];
    const made = await other.post(path, { formToken, name: 'Mine', scopes: ['calls'] });
    expect(made.status).toBe(403);
    expect(await db.query(`SELECT FROM api_keys WHERE name = 'Mine'`)).toEqual([]);
  });

  test('an admin of another team does not find the page', async () => {
    const { id: other } = await buildTeam(db);
    expect((await (await person('admin', other)).get(path)).status).toBe(404);
  });

  test('a form without its token makes no key', async () => {
    const answer = await (await person()).post(path, { name: 'Forged', scopes: ['calls'] });
    expect(answer.status).toBe(403);
    expect(await db.query(`SELECT FROM api_keys WHERE name = 'Forged'`)).toEqual([]);
  });
});
