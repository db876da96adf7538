import { Batcher } from '../database/batcher.js';
import { teamOfKey, teamsOfKeys } from '../database/team-scope.js';
import { query, type Query, type Statement, type Transactions } from '../database/transactions.js';
import { type IdempotencyKey, type StoredAnswer } from '../idempotency/idempotency.js';
import { type RunOnce, runOnce } from '../idempotency/run-once.js';
import { type NewContact, type StoredContactRow } from './sql/store.sql.js';

/** A request to store a contact. */
export interface ContactWrite {
  /** SHA-256 of the API key. */
  keyHash: Buffer;
  contact: Omit<NewContact, 'key_hash'>;
}

/** Stores contacts in one way; those that come at about the same time in one statement, each judged by its own key. */
export class ContactWriter {
  private readonly batcher = new Batcher<ContactWrite, StoredContactRow[]>(
    (writes) => this.together(writes),
    (write) => this.transactions.within(teamOfKey(write.keyHash)).autocommit(this.work([write])),
    ({ contact }) => contact.phone_number,
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly statement: Statement,
  ) {}

  /**
   * The row of the request, or none for an unknown key; see {@link runOnce}.
   *
   * @throws the database's error; nothing was stored then, but where the connection was lost.
   */
  async write(
    write: ContactWrite,
    key: IdempotencyKey | null,
    answerOf: (row: StoredContactRow) => StoredAnswer | null,
  ): Promise<RunOnce<StoredContactRow>> {
    if (key === null) return { rows: await this.batcher.add(write), replay: null };
    const { team_id: teamId } = write.contact;
    return runOnce(this.transactions, write.keyHash, key, teamId, this.work([write]), answerOf);
  }

  private async together(writes: ContactWrite[]): Promise<StoredContactRow[][]> {
    const own = this.transactions.within(teamsOfKeys(writes.map(({ keyHash }) => keyHash)));
    const rows = await own.autocommit<StoredContactRow & Record<string, unknown>>(this.work(writes));
    const found: StoredContactRow[][] = writes.map(() => []);
    for (const row of rows) found[row.n]?.push(row);
    return found;
  }

  private work(writes: ContactWrite[]): Query {
    const contacts: NewContact[] = writes.map(({ keyHash, contact }) => ({
      key_hash: `\\x${keyHash.toString('hex')}`,
      ...contact,
    }));
    return query(this.statement, JSON.stringify(contacts));
  }
}
