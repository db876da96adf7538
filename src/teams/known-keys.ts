import { Injectable } from '@nestjs/common';
import { query, type Statement, Transactions } from '../database/transactions.js';

/** How long the team of a known key is remembered. */
export const REMEMBER_MS = 5_000;

/** Keys remembered at a time; beyond it, the oldest entry is dropped. */
const MAX_REMEMBERED = 10_000;

/** Keys looked up by one statement. */
const MAX_PER_STATEMENT = 500;

/** The security-definer function sees every key. $1 SHA-256 hashes of API keys. */
const TEAMS_OF_KEYS: Statement = {
  name: 'team_of_each_key',
  text: `
    SELECT encode(asked.hash, 'base64') AS hash, team_of_key(asked.hash) AS team_id
    FROM unnest($1::bytea[]) AS asked (hash)`,
};

interface Lookup {
  answer: Promise<string | null>;
  resolve: (teamId: string | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Finds the team of an API key before the transaction that does the work, for the check before the body is read and for the
 * queues by team. The transaction checks the key again, so a revoked key is refused at once.
 *
 * A known key is remembered for {@link REMEMBER_MS}. An unknown key is not, so that a new key works immediately. One
 * statement runs at a time and looks up all keys that are waiting, so a flood of invented keys occupies one connection.
 */
@Injectable()
export class KnownKeys {
  private readonly remembered = new Map<string, { teamId: string; until: number }>();
  private pending = new Map<string, Lookup>();
  private running = false;

  constructor(private readonly transactions: Transactions) {}

  /**
   * @param keyHash SHA-256 of the API key.
   * @returns the team's id, or null for a key that is unknown or revoked.
   * @throws the driver's error when Postgres cannot be asked.
   */
  teamOf(keyHash: Buffer): Promise<string | null> {
    const hash = keyHash.toString('base64');
    const known = this.remembered.get(hash);
    if (known !== undefined && known.until > performance.now()) return Promise.resolve(known.teamId);
    return this.lookUp(hash);
  }

  /**
   * The same, read from Postgres: for requests whose transaction does not check the key again.
   *
   * @throws the driver's error when Postgres cannot be asked.
   */
  currentTeamOf(keyHash: Buffer): Promise<string | null> {
    return this.lookUp(keyHash.toString('base64'));
  }

  /** The team that the key had at its last look-up, however long ago; for scheduling only. */
  lastTeamOf(keyHash: Buffer): string | null {
    return this.remembered.get(keyHash.toString('base64'))?.teamId ?? null;
  }

  private lookUp(hash: string): Promise<string | null> {
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
      // Requests of the same turn of the event loop share the statement.
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
    // Taken before the statement, so that no entry is older than it says.
    const until = performance.now() + REMEMBER_MS;
    try {
      const rows = await this.transactions.read<{ hash: string; team_id: string | null }>(
        query(TEAMS_OF_KEYS, hashes),
      );
      for (const { hash, team_id: teamId } of rows) {
        if (teamId === null) this.remembered.delete(hash);
        else this.remember(hash, teamId, until);
        batch.get(hash)?.resolve(teamId);
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  private remember(hash: string, teamId: string, until: number): void {
    this.remembered.delete(hash);
    this.remembered.set(hash, { teamId, until });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
  }
}

function newLookup(): Lookup {
  let resolve!: Lookup['resolve'];
  let reject!: Lookup['reject'];
  const answer = new Promise<string | null>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { answer, resolve, reject };
}
