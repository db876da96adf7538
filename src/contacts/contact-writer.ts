import { Batcher } from '../database/batcher/batcher.js';
import { done, type ItemResult, retryOnLockTimeout } from '../database/batch-work.js';
import { teamsOfKeys } from '../database/team-scope.js';
import { type KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, type Query, type Statement, type Transactions } from '../database/transactions.js';
import { type IdempotencyKey, type StoredAnswer } from '../idempotency/idempotency.js';
import { type RunOnce, runOnce } from '../idempotency/run-once.js';
import { afterConcurrent } from './concurrent-external-ids.js';
import { type NewContact, type StoredContactRow } from './sql/store.sql.js';

/** A request to store a contact. */
export interface ContactWrite {
  /** The team of the API key, as it was known before the transaction. */
  teamId: string;
  /** SHA-256 of the API key. */
  keyHash: Buffer;
  contact: Omit<NewContact, 'key_hash'>;
}

/**
 * Stores contacts. Concurrent requests without an `Idempotency-Key` share a transaction, which checks the API
 * key of each request.
 */
export class ContactWriter {
  private readonly batcher: Batcher<ContactWrite, StoredContactRow[]>;

  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly statement: Statement,
    /** The statement for a request with an `Idempotency-Key`. */
    private readonly keyed: Statement,
  ) {
    this.batcher = new Batcher<ContactWrite, StoredContactRow[]>(
      {
        run: (writes, locks) => retryOnLockTimeout(writes, locks, this.store(writes)),
        teamOf: ({ teamId }) => teamId,
        keyOf: numberOf,
      },
      semaphore,
    );
  }

  /**
   * The row of the request, or no row for an unknown API key; see {@link runOnce}.
   *
   * @throws the database's error. After a lost connection the contact may be stored; after any other error it
   *   is not.
   */
  write(
    write: ContactWrite,
    key: IdempotencyKey | null,
    answerOf: (row: StoredContactRow) => StoredAnswer | null,
  ): Promise<RunOnce<StoredContactRow>> {
    return afterConcurrent(() => this.writeOnce(write, key, answerOf));
  }

  private async writeOnce(
    write: ContactWrite,
    key: IdempotencyKey | null,
    answerOf: (row: StoredContactRow) => StoredAnswer | null,
  ): Promise<RunOnce<StoredContactRow>> {
    if (key === null) return { rows: await this.batcher.add(write), replay: null };
    const { keyHash, contact } = write;
    return this.semaphore.runWithLocks(write.teamId, () =>
      runOnce(this.transactions, keyHash, key, contact.team_id, this.work([write], this.keyed), answerOf),
    );
  }

  private async store(writes: ContactWrite[]): Promise<ItemResult<StoredContactRow[]>[]> {
    const own = this.transactions.within(teamsOfKeys(writes.map(({ keyHash }) => keyHash)));
    const [result] = await own.inOneRoundTrip([this.work(writes, this.statement)]);
    const rows = new Map((result?.rows as StoredContactRow[]).map((row) => [row.n, [row]]));
    return writes.map((_, n) => done(rows.get(n) ?? []));
  }

  private work(writes: ContactWrite[], statement: Statement): Query {
    const contacts: NewContact[] = writes.map(({ keyHash, contact }) => ({
      key_hash: `\\x${keyHash.toString('hex')}`,
      ...contact,
    }));
    return query(statement, JSON.stringify(contacts));
  }
}

function numberOf({ teamId, contact }: ContactWrite): string {
  return `${teamId} ${contact.phone_number}`;
}
