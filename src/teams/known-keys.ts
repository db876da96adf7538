import { Injectable } from '@nestjs/common';
import { query, type Statement, Transactions } from '../database/transactions.js';

/** The longest time for which a known key is remembered. */
export const REMEMBER_MS = 5_000;

/**
 * When an entry has this age, the next use of its key looks the key up again. Until it expires, the entry is
 * valid.
 */
export const REFRESH_MS = REMEMBER_MS / 2;

/** The most keys that are remembered; beyond this number, the oldest entry is dropped. */
const MAX_REMEMBERED = 10_000;

/** The most keys that one statement looks up. */
const MAX_PER_STATEMENT = 500;

/**
 * Returns a row for each live key. The security-definer function sees the keys of all teams. $1 SHA-256
 * hashes of API keys.
 */
const KNOWN_KEYS: Statement = {
  name: 'known_keys',
  text: `
    SELECT encode(key_hash, 'base64') AS hash, team_id AS "teamId", scopes, lasts_ms AS "lastsMs"
    FROM known_keys($1)`,
};

interface KnownKeyRow extends KnownKey, Record<string, unknown> {
  hash: string;
  /** Milliseconds until the key expires; null: the key does not expire. */
  lastsMs: number | null;
}

interface Remembered {
  key: KnownKey;
  /** When a use of the key looks it up again, as `performance.now()`. */
  refreshAt: number;
  until: number;
}

/** The team and the scopes of a key. The scopes of a key never change. */
export interface KnownKey {
  teamId: string;
  /** Of `KEY_SCOPES`; null is all. */
  scopes: readonly string[] | null;
}

interface Lookup {
  answer: Promise<KnownKey | null>;
  resolve: (key: KnownKey | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Finds the team and the scopes of an API key before the transaction that does the work. They are needed for
 * the check before the body is read, and for the queues by team. The transaction checks the key again, so a
 * key that is revoked or expires is refused at once.
 *
 * A known key is remembered for {@link REMEMBER_MS}. If the last look-up is older than half of this time, a
 * request starts another one. The request does not wait for the result. Without this early look-up, one
 * request of each key would wait every five seconds. During a flood of invented keys, that request would also
 * wait for the flood's statement. An unknown key is not remembered, so that a new key works immediately.
 *
 * Only one statement runs at a time. It looks up at most {@link MAX_PER_STATEMENT} of the waiting keys. A
 * flood of invented keys therefore occupies at most one connection.
 */
@Injectable()
export class KnownKeys {
  private readonly remembered = new Map<string, Remembered>();
  /** The last use of each key since {@link takeUses}, as `performance.now()`. */
  private uses = new Map<string, number>();
  private pending = new Map<string, Lookup>();
  private running = false;

  constructor(private readonly transactions: Transactions) {}

  /**
   * @param keyHash SHA-256 of the API key.
   * @returns null for a key that is unknown, revoked or expired.
   * @throws the driver's error when the query fails.
   */
  find(keyHash: Buffer): Promise<KnownKey | null> {
    const hash = keyHash.toString('base64');
    const known = this.remembered.get(hash);
    const now = performance.now();
    if (known === undefined || known.until <= now) return this.lookUp(hash);
    this.uses.set(hash, now);
    // If the look-up below fails, the next use starts another one. After the entry has expired, a use waits.
    if (known.refreshAt <= now) {
      known.refreshAt = known.until;
      this.lookUp(hash).catch(() => (known.refreshAt = now));
    }
    return Promise.resolve(known.key);
  }

  /**
   * Finds a key in Postgres, not in the cache: for requests whose transaction does not check the key again.
   *
   * @throws the driver's error when the query fails.
   */
  findNow(keyHash: Buffer): Promise<KnownKey | null> {
    return this.lookUp(keyHash.toString('base64'));
  }

  /** The team that the cache has for the key, even if the entry has expired; for scheduling only. */
  lastTeamOf(keyHash: Buffer): string | null {
    return this.remembered.get(keyHash.toString('base64'))?.key.teamId ?? null;
  }

  /**
   * The last use of each key since the previous invocation, as `performance.now()`. The map is by the SHA-256
   * of the key in base64.
   */
  takeUses(): Map<string, number> {
    const { uses } = this;
    this.uses = new Map();
    return uses;
  }

  /** Keeps uses that could not be written, for the next {@link takeUses}. */
  returnUses(uses: ReadonlyMap<string, number>): void {
    this.uses = new Map([...uses, ...this.uses]);
  }

  private lookUp(hash: string): Promise<KnownKey | null> {
    let lookup = this.pending.get(hash);
    if (lookup === undefined) {
      lookup = newLookup();
      this.pending.set(hash, lookup);
      if (!this.running) void this.run();
    }
    return lookup.answer;
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.pending.size > 0) {
      // Requests of the same iteration of the event loop share the statement.
      await new Promise((resolve) => setImmediate(resolve));
      await this.resolve(this.nextBatch());
    }
    this.running = false;
  }

  private nextBatch(): Map<string, Lookup> {
    const batch = new Map([...this.pending].slice(0, MAX_PER_STATEMENT));
    for (const hash of batch.keys()) this.pending.delete(hash);
    return batch;
  }

  private async resolve(batch: Map<string, Lookup>): Promise<void> {
    const hashes = [...batch.keys()].map((hash) => Buffer.from(hash, 'base64'));
    // Read before the statement, so that no entry is remembered for too long.
    const now = performance.now();
    try {
      const rows = await this.transactions.read<KnownKeyRow>(query(KNOWN_KEYS, hashes));
      for (const { hash, teamId, scopes, lastsMs } of rows) {
        const key: KnownKey = { teamId, scopes };
        this.uses.set(hash, now);
        const until = now + Math.min(REMEMBER_MS, lastsMs ?? REMEMBER_MS);
        this.remember(hash, { key, refreshAt: now + REFRESH_MS, until });
        batch.get(hash)?.resolve(key);
        batch.delete(hash);
      }
      for (const [hash, { resolve }] of batch) {
        this.remembered.delete(hash);
        resolve(null);
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  private remember(hash: string, entry: Remembered): void {
    this.remembered.delete(hash);
    this.remembered.set(hash, entry);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
  }
}

function newLookup(): Lookup {
  let resolve!: Lookup['resolve'];
  let reject!: Lookup['reject'];
  const answer = new Promise<KnownKey | null>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { answer, resolve, reject };
}
