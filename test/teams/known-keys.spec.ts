import { randomBytes } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { KnownKeys, REMEMBER_MS } from '../../src/teams/known-keys.js';
import { buildApiKey, buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;
let transactions: PooledTransactions;
let knownKeys: KnownKeys;
let statements: jest.SpyInstance;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  transactions = new PooledTransactions({
    databaseUrl: database.url,
    poolSize: 2,
    role: RESTRICTED_ROLE,
    onError: () => undefined,
  });
});
beforeEach(() => {
  knownKeys = new KnownKeys(transactions);
  statements = jest.spyOn(transactions, 'read');
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await transactions.close();
  await db.destroy();
  await database.drop();
});

async function plantKey(): Promise<{ teamId: string; keyHash: Buffer }> {
  const { id: teamId } = await buildTeam(db);
  const keyHash = randomBytes(32);
  await buildApiKey(db, teamId, { key_hash: keyHash });
  return { teamId, keyHash };
}

function revoke(keyHash: Buffer): Promise<unknown> {
  return db.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [keyHash]);
}

test('a key resolves to its team, and an unknown or revoked one to null', async () => {
  const { teamId, keyHash } = await plantKey();
  const revoked = await plantKey();
  await revoke(revoked.keyHash);
  expect(await knownKeys.teamOf(keyHash)).toBe(teamId);
  expect(await knownKeys.teamOf(revoked.keyHash)).toBeNull();
  expect(await knownKeys.teamOf(randomBytes(32))).toBeNull();
});

test('a known key is cached for exactly five seconds', async () => {
  const { teamId, keyHash } = await plantKey();
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  await knownKeys.teamOf(keyHash);
  await revoke(keyHash);
  clock.mockReturnValue(start + REMEMBER_MS - 1);
  expect(await knownKeys.teamOf(keyHash)).toBe(teamId);
  expect(statements).toHaveBeenCalledTimes(1);
  clock.mockReturnValue(start + REMEMBER_MS);
  expect(await knownKeys.teamOf(keyHash)).toBeNull();
});

test('an unknown key is not cached: it works as soon as it exists', async () => {
  const { id: teamId } = await buildTeam(db);
  const keyHash = randomBytes(32);
  expect(await knownKeys.teamOf(keyHash)).toBeNull();
  await buildApiKey(db, teamId, { key_hash: keyHash });
  expect(await knownKeys.teamOf(keyHash)).toBe(teamId);
});

test('a thousand concurrent look-ups take few statements, one at a time', async () => {
  const { teamId, keyHash } = await plantKey();
  let underWay = 0;
  let most = 0;
  const read = PooledTransactions.prototype.read.bind(transactions);
  statements.mockImplementation(async (one: Parameters<typeof read>[0]) => {
    most = Math.max(most, (underWay += 1));
    try {
      return await read(one);
    } finally {
      underWay -= 1;
    }
  });
  const invented = Array.from({ length: 999 }, () => knownKeys.teamOf(randomBytes(32)));
  expect(await knownKeys.teamOf(keyHash)).toBe(teamId);
  expect(new Set(await Promise.all(invented))).toEqual(new Set([null]));
  expect(statements.mock.calls.length).toBeLessThanOrEqual(3);
  expect(most).toBe(1);
});

test('a failed look-up rejects its callers, and the next one is repeated', async () => {
  const { teamId, keyHash } = await plantKey();
  statements.mockRejectedValueOnce(new Error('connection lost'));
  const both = await Promise.allSettled([knownKeys.teamOf(keyHash), knownKeys.teamOf(keyHash)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await knownKeys.teamOf(keyHash)).toBe(teamId);
});
