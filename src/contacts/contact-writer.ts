import { Batcher } from '../database/batcher.js';
import { teamOfKey, teamsOfKeys } from '../database/team-scope.js';
import { type Query, type Transactions } from '../database/transactions.js';
import { type StoredContactRow } from './sql/store.sql.js';

/** A request to store a contact: one statement, which judges the API key as well. */
export interface ContactWrite {
  keyHash: Buffer;
  phoneNumber: string;
  work: Query;
}

/**
 * Runs statements that store contacts, several in one transaction where they come at about the same time: what one of them comes to
 * is no matter of the others, and where one fails each is run by itself.
 */
export class ContactWriter {
  private readonly batcher = new Batcher<ContactWrite, StoredContactRow[]>(
    (writes) => this.together(writes),
    ({ keyHash, work }) => this.transactions.within(teamOfKey(keyHash)).autocommit<StoredContactRow>(work),
    // Two of one number in one transaction could not be told apart from one.
    ({ phoneNumber }) => phoneNumber,
  );

  constructor(private readonly transactions: Transactions) {}

  /** @throws the database's error, as a statement that is a transaction of its own does. */
  write(write: ContactWrite): Promise<StoredContactRow[]> {
    return this.batcher.add(write);
  }

  private async together(writes: ContactWrite[]): Promise<StoredContactRow[][]> {
    const own = this.transactions.within(teamsOfKeys(writes.map(({ keyHash }) => keyHash)));
    // In one order always, so that two transactions with the same contacts do not wait for each other.
    const order = writes
      .map((_, index) => index)
      .sort((a, b) => (numberAt(writes, a) < numberAt(writes, b) ? -1 : 1));
    const results = await own.inOneRoundTrip(order.flatMap((index) => writes[index]?.work ?? []));
    const rows: StoredContactRow[][] = [];
    order.forEach((index, place) => (rows[index] = (results[place]?.rows ?? []) as StoredContactRow[]));
    return rows;
  }
}

function numberAt(writes: ContactWrite[], index: number): string {
  return writes[index]?.phoneNumber ?? '';
}
