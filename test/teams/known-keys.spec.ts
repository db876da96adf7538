import { randomBytes } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { KeyUses } from '../../src/teams/key-uses.service.js';
import { KnownKeys, REFRESH_MS, REMEMBER_MS } from '../../src/teams/known-keys.js';
import { buildApiKey, buildTeam } from '../support/builders.js';
import { moveClock, stopClock } from '../support/clock.js';
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
afterEach(async () => {
  jest.restoreAllMocks();
  await moveClock(db, '0 seconds');
});
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

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

async function teamOf(keyHash: Buffer): Promise<string | undefined> {
  return (await knownKeys.find(keyHash))?.teamId;
}

async function rememberKey() {
  const planted = await plantKey();
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  await knownKeys.find(planted.keyHash);
  return { ...planted, start, clock };
}

function revoke(keyHash: Buffer): Promise<unknown> {
  return db.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [keyHash]);
}

test('a key resolves to its team, and an unknown or revoked one to null', async () => {
  const { teamId, keyHash } = await plantKey();
  const revoked = await plantKey();
  await revoke(revoked.keyHash);
  expect(await teamOf(keyHash)).toBe(teamId);
  expect(await knownKeys.find(revoked.keyHash)).toBeNull();
  expect(await knownKeys.find(randomBytes(32))).toBeNull();
});

test('a known key is cached for exactly five seconds', async () => {
  const { teamId, keyHash, start, clock } = await rememberKey();
  await revoke(keyHash);
  clock.mockReturnValue(start + REMEMBER_MS - 1);
  expect(await teamOf(keyHash)).toBe(teamId);
  expect(statements).toHaveBeenCalledTimes(1);
  clock.mockReturnValue(start + REMEMBER_MS);
  expect(await knownKeys.find(keyHash)).toBeNull();
});

test('a key in use is looked up again before it is forgotten, and no request waits for that', async () => {
  const { teamId, keyHash, start, clock } = await rememberKey();
  clock.mockReturnValue(start + REFRESH_MS - 1);
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  expect(statements).toHaveBeenCalledTimes(1);
  clock.mockReturnValue(start + REFRESH_MS + 1_000);
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  expect(statements).toHaveBeenCalledTimes(2);
  await statements.mock.results[1]?.value;
  await nextIteration();
  clock.mockReturnValue(start + REMEMBER_MS + 500);
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  expect(statements).toHaveBeenCalledTimes(2);
});

test('requests during the look-up start no other one', async () => {
  const { teamId, keyHash, start, clock } = await rememberKey();
  clock.mockReturnValue(start + REFRESH_MS);
  for (let request = 0; request < 3; request += 1) {
    expect(await teamOf(keyHash)).toBe(teamId);
    await nextIteration();
  }
  await statements.mock.results[1]?.value;
  for (let iteration = 0; iteration < 3; iteration += 1) await nextIteration();
  expect(statements).toHaveBeenCalledTimes(2);
});

test('a key that is revoked meanwhile is forgotten when it is looked up again', async () => {
  const { teamId, keyHash, start, clock } = await rememberKey();
  await revoke(keyHash);
  clock.mockReturnValue(start + REFRESH_MS);
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  await statements.mock.results[1]?.value;
  await nextIteration();
  expect(await knownKeys.find(keyHash)).toBeNull();
});

test('a key is remembered although looking it up again fails', async () => {
  const { teamId, keyHash, start, clock } = await rememberKey();
  statements.mockRejectedValue(new Error('no connection'));
  clock.mockReturnValue(start + REFRESH_MS);
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  expect(await teamOf(keyHash)).toBe(teamId);
  await nextIteration();
  expect(statements).toHaveBeenCalledTimes(3);
});

test('a key that expires is cached until then, and at once unknown in Postgres', async () => {
  const { keyHash } = await plantKey();
  const inTwoSeconds = `now() + interval '2 seconds'`;
  await db.query(`UPDATE api_keys SET expires_at = ${inTwoSeconds} WHERE key_hash = $1`, [keyHash]);
  const start = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  expect(await knownKeys.find(keyHash)).not.toBeNull();
  clock.mockReturnValue(start + 2_000);
  await knownKeys.find(keyHash);
  expect(statements).toHaveBeenCalledTimes(2);
  await db.query('UPDATE api_keys SET expires_at = now() WHERE key_hash = $1', [keyHash]);
  expect(await knownKeys.findNow(keyHash)).toBeNull();
  expect(await knownKeys.find(keyHash)).toBeNull();
});

test('a key comes with its scopes', async () => {
  const { keyHash } = await plantKey();
  expect((await knownKeys.findNow(keyHash))?.scopes).toBeNull();
  await db.query(`UPDATE api_keys SET scopes = '{calls,read}' WHERE key_hash = $1`, [keyHash]);
  expect((await knownKeys.findNow(keyHash))?.scopes).toEqual(['calls', 'read']);
});

describe('the last use of a key', () => {
  const used = async (keyHash: Buffer) => {
    const [row] = await db.query<{ at: Date | null }[]>(
      'SELECT last_used_at AS at FROM api_keys WHERE key_hash = $1',
      [keyHash],
    );
    return row?.at?.toISOString() ?? null;
  };

  test('is written for all keys by one statement, to the minute', async () => {
    await stopClock(db, '2026-11-20T14:00:30Z');
    const keys = await Promise.all(Array.from({ length: 3 }, () => plantKey()));
    for (const { keyHash } of keys) await knownKeys.find(keyHash);
    const writes = jest.spyOn(transactions, 'autocommit');
    const uses = new KeyUses(knownKeys, transactions);
    await uses.write();
    await uses.write();
    expect(writes).toHaveBeenCalledTimes(1);
    for (const { keyHash } of keys) expect(await used(keyHash)).toBe('2026-11-20T14:00:00.000Z');
  });

  test('is that of the request, also of one that found the key cached, and never goes back', async () => {
    const { keyHash } = await plantKey();
    const uses = new KeyUses(knownKeys, transactions);
    await stopClock(db, '2026-11-20T14:05:30Z');
    const start = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
    await knownKeys.find(keyHash);
    await uses.write();
    clock.mockReturnValue(start + 1_000);
    await knownKeys.find(keyHash);
    clock.mockReturnValue(start + 2_000);
    await stopClock(db, '2026-11-20T14:08:05Z');
    await uses.write();
    expect(await used(keyHash)).toBe('2026-11-20T14:08:00.000Z');
    clock.mockReturnValue(start + 3_000);
    await knownKeys.find(keyHash);
    await stopClock(db, '2026-11-20T14:07:00Z');
    await uses.write();
    expect(await used(keyHash)).toBe('2026-11-20T14:08:00.000Z');
  });

  test('is kept while Postgres cannot be asked, and written at the end', async () => {
    const { keyHash } = await plantKey();
    await stopClock(db, '2026-11-20T14:00:30Z');
    await knownKeys.find(keyHash);
    const uses = new KeyUses(knownKeys, transactions);
    jest.spyOn(transactions, 'autocommit').mockRejectedValueOnce(new Error('connection lost'));
    await uses.write();
    expect(await used(keyHash)).toBeNull();
    await uses.onModuleDestroy();
    expect(await used(keyHash)).toBe('2026-11-20T14:00:00.000Z');
  });
});

test('an unknown key is not cached: it works as soon as it exists', async () => {
  const { id: teamId } = await buildTeam(db);
  const keyHash = randomBytes(32);
  expect(await knownKeys.find(keyHash)).toBeNull();
  await buildApiKey(db, teamId, { key_hash: keyHash });
  expect(await teamOf(keyHash)).toBe(teamId);
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
  const invented = Array.from({ length: 999 }, () => knownKeys.find(randomBytes(32)));
  expect(await teamOf(keyHash)).toBe(teamId);
  expect(new Set(await Promise.all(invented))).toEqual(new Set([null]));
  expect(statements.mock.calls.length).toBeLessThanOrEqual(3);
  expect(most).toBe(1);
});

test('a failed look-up rejects its callers, and the next one is repeated', async () => {
  const { teamId, keyHash } = await plantKey();
  statements.mockRejectedValueOnce(new Error('connection lost'));
  const both = await Promise.allSettled([knownKeys.find(keyHash), knownKeys.find(keyHash)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await teamOf(keyHash)).toBe(teamId);
});
