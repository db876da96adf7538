import { createHash } from 'node:crypto';
import { KEY_SCOPES } from '../../src/domain/key-scopes.js';
import { generateApiKey } from '../../src/teams/api-key.js';
import { buildTeam } from '../support/builders.js';
import { operatorOfFile, ISO_INSTANT, UNKNOWN_ID, UUID } from './operator-api.js';

const { world, api } = operatorOfFile();
let keys: string;

beforeEach(async () => {
  keys = `/teams/${(await buildTeam(world.db)).id}/api-keys`;
});

interface NewKey {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  key: string;
}

describe('API keys', () => {
  test('POST shows the key once', async () => {
    const response = await api.post(keys, { name: 'CRM' });
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({
      id: expect.stringMatching(UUID) as string,
      name: 'CRM',
      prefix: expect.stringMatching(/^od_live_\w{4}$/) as string,
      scopes: [...KEY_SCOPES],
      expiresAt: null,
      lastUsedAt: null,
      createdAt: expect.stringMatching(ISO_INSTANT) as string,
      key: expect.stringMatching(/^od_live_[0-9A-Za-z]{43}$/) as string,
    });
    const { key, ...shown } = response.body as NewKey;
    expect(key.startsWith(shown.prefix)).toBe(true);
    expect((await api.get(`${keys}/${shown.id}`)).body).toEqual(shown);
    expect((await api.get(keys)).body).toEqual({ items: [shown], nextCursor: null });
  });

  test('POST limits a key to scopes and in time', async () => {
    const fields = { name: 'CRM', scopes: ['read', 'calls'], expiresAt: '2099-03-28T09:00:00+02:00' };
    const { id, ...key } = await api.created<NewKey & Record<string, unknown>>(keys, fields);
    const limits = { scopes: ['calls', 'read'], expiresAt: '2099-03-28T07:00:00.000Z' };
    expect(key).toMatchObject(limits);
    expect((await api.get(`${keys}/${id}`)).body).toMatchObject(limits);
  });

  test.each([
    [{ scopes: null, expiresAt: null }, null],
    [{ scopes: [...KEY_SCOPES].reverse() }, null],
    [{ scopes: ['webhooks', 'calls'] }, ['calls', 'webhooks']],
  ])('%j is stored as %j: every scope includes those of later versions', async (fields, stored) => {
    const { id } = await api.created<NewKey>(keys, { name: 'CRM', ...fields });
    const [row] = await world.db.query<{ scopes: string[] | null }[]>(
      'SELECT scopes FROM api_keys WHERE id = $1',
      [id],
    );
    expect(row?.scopes).toEqual(stored);
  });

  test.each([
    [{ scopes: [] }, 'scopes must be an array of at least one name'],
    [{ scopes: 'calls' }, 'scopes must be an array of at least one name'],
    [{ scopes: ['calls', 'admin'] }, /^scopes must hold names of calls, .*: see item 1$/],
    [{ scopes: ['calls', 'calls'] }, 'scopes must not repeat a name'],
    [{ expiresAt: '2099-03-28' }, /^expiresAt must be a date-time with an offset/],
  ])('%j is refused', async (fields, message) => {
    const response = await api.post(keys, { name: 'CRM', ...fields });
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toMatch(message);
  });

  test('only its SHA-256 is stored', async () => {
    const { id, key } = await api.created<NewKey>(keys, { name: 'CRM' });
    const [row] = await world.db.query<{ key_hash: Buffer; stored: string }[]>(
      'SELECT key_hash, k::text AS stored FROM api_keys k WHERE id = $1',
      [id],
    );
    expect(row?.key_hash).toEqual(createHash('sha256').update(key).digest());
    expect(row?.stored).not.toContain(key);
  });

  test('DELETE revokes at once: the key is not listed and not accepted', async () => {
    const { id } = await api.created<NewKey>(keys, { name: 'CRM' });
    const response = await api.delete(`${keys}/${id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await api.get(keys)).body).toEqual({ items: [], nextCursor: null });
    expect((await api.get(`${keys}/${id}`)).status).toBe(404);
    expect((await api.delete(`${keys}/${id}`)).status).toBe(404);
    const [row] = await world.db.query<{ revoked: boolean }[]>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1',
      [id],
    );
    expect(row?.revoked).toBe(true);
  });

  test('a name is required', async () => {
    const response = await api.post(keys, {});
    expect([response.status, response.body]).toEqual([400, { error: 'name is required' }]);
  });

  test('of another team or an unknown one are 404', async () => {
    const { id } = await api.created<NewKey>(keys, { name: 'CRM' });
    const others = `/teams/${(await buildTeam(world.db)).id}/api-keys`;
    for (const path of [`${others}/${id}`, `${keys}/${UNKNOWN_ID}`, `${keys}/1`]) {
      expect((await api.get(path)).status).toBe(404);
      const response = await api.delete(path);
      expect([response.status, response.body]).toEqual([404, { error: 'API key not found' }]);
    }
    for (const path of [`/teams/${UNKNOWN_ID}/api-keys`, '/teams/1/api-keys']) {
      expect((await api.get(path)).body).toEqual({ error: 'Team not found' });
      expect((await api.post(path, { name: 'A' })).status).toBe(404);
      expect((await api.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await api.get(`${keys}/${id}`)).status).toBe(200);
  });

  test('are random and of one length', () => {
    const made = Array.from({ length: 200 }, () => generateApiKey().key);
    expect(new Set(made).size).toBe(200);
    expect(new Set(made.map((key) => key.length))).toEqual(new Set([51]));
  });
});
