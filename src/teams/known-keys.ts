import { Injectable } from '@nestjs/common';
import { query, type Statement, Transactions } from '../database/transactions.js';

/** How long a known key is remembered. */
export const REMEMBER_MS = 5_000;

/** Keys remembered at a time; beyond it, the oldest entry is dropped. */
const MAX_REMEMBERED = 10_000;

/** Keys looked up by one statement. */
const MAX_PER_STATEMENT = 500;

/** The security-definer function sees every key. $1 SHA-256 hashes of API keys. A row for each live key. */
const KNOWN_KEYS: Statement = {
  name: 'known_keys',
  text: `
    SELECT encode(key_hash, 'base64') AS hash, team_id AS "teamId", scopes, lasts_ms AS "lastsMs"
    FROM known_keys($1)`,
};

interface KnownKeyRow extends KnownKey, Record<string, unknown> {
  hash: string;
  /** Milliseconds until it expires; null: it does not. */
  lastsMs: number | null;
}

/** What a key opens. A key's scopes never change. */
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
 * Finds the team and the scopes of an API key before the transaction that does the work. The check before the
 * body is read needs them, and the queues by team. The transaction checks the key again, so a key that is
 * revoked or expires is refused at once.
 *
 * A known key is remembered for {@link REMEMBER_MS}. An unknown key is not, so that a new key works
 * immediately. One statement runs at a time and looks up all keys that are waiting, so a flood of invented
 * keys occupies one connection.
 */
@Injectable()
export class KnownKeys {
  private readonly remembered = new Map<string, { key: KnownKey; until: number }>();
  /** When each key was used, in milliseconds of this process, since {@link takeUses}. */
  private uses = new Map<string, number>();
  private pending = new Map<string, Lookup>();
  private running = false;

  constructor(private readonly transactions: Transactions) {}

  /**
   * @param keyHash SHA-256 of the API key.
   * @returns null for a key that is unknown, revoked or expired.
   * @throws the driver's error when Postgres cannot be asked.
   */
  find(keyHash: Buffer): Promise<KnownKey | null> {
    const hash = keyHash.toString('base64');
    const known = this.remembered.get(hash);
    const now = performance.now();
    if (known === undefined || known.until <= now) return this.lookUp(hash);
    this.uses.set(hash, now);
    return Promise.resolve(known.key);
  }

  /**
   * The same, read from Postgres: for requests whose transaction does not check the key again.
   *
   * @throws the driver's error when Postgres cannot be asked.
   */
  findNow(keyHash: Buffer): Promise<KnownKey | null> {
    return this.lookUp(keyHash.toString('base64'));
  }

  /** The team that the key had at its last look-up, however long ago; for scheduling only. */
  lastTeamOf(keyHash: Buffer): string | null {
    return this.remembered.get(keyHash.toString('base64'))?.key.teamId ?? null;
  }

  /** When each key was last used, as `performance.now()`, by its SHA-256 in base64; since the call before. */
  takeUses(): Map<string, number> {
    const { uses } = this;
    this.uses = new Map();
    return uses;
  }

  /** Uses that could not be noted, for the next {@link takeUses}. */
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
    // Taken before the statement, so that no entry is older than its time.
    const now = performance.now();
    try {
      const rows = await this.transactions.read<KnownKeyRow>(query(KNOWN_KEYS, hashes));
      for (const { hash, teamId, scopes, lastsMs } of rows) {
        const key: KnownKey = { teamId, scopes };
        this.uses.set(hash, now);
        this.remember(hash, key, now + Math.min(REMEMBER_MS, lastsMs ?? REMEMBER_MS));
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

  private remember(hash: string, key: KnownKey, until: number): void {
    this.remembered.delete(hash);
    this.remembered.set(hash, { key, until });
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
