import { Inject, Injectable } from '@nestjs/common';
import { type ExportedRow, type PersonalExport, type PersonalTable } from '../database/personal-data.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { permitted } from '../database/permitted.js';
import { team } from '../database/team-scope.js';
import { query, type TeamTransactions, Transactions } from '../database/transactions.js';
import { notFound } from '../http/app-error.js';
import { isUuid } from '../http/validators.js';
import { PERSONAL_TABLES } from './personal-tables.js';
import { FIND_CONTACT_TO_EXPORT } from './sql/erase.sql.js';

type Subject = Parameters<PersonalExport['page']>[0];

/** Exports a person's data, a page of rows at a time, so that only one page is in memory. */
@Injectable()
export class ContactExportService {
  private readonly parts: readonly PersonalExport[];

  constructor(
    @Inject(PERSONAL_TABLES) tables: readonly PersonalTable[],
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {
    this.parts = tables.flatMap(({ exported }) => exported ?? []);
  }

  /**
   * The pieces of one JSON object. It has a key for each exported table, with a list of rows; the contact is
   * a single object.
   *
   * @throws AppError `NOT_FOUND` before the first piece, also for another team's contact and for one that was
   *   erased.
   */
  async export(teamId: string, contactId: string): Promise<AsyncIterable<string>> {
    const own = permitted(this.semaphore, teamId, this.transactions.within(team(teamId)));
    const find = query(FIND_CONTACT_TO_EXPORT, teamId, contactId);
    const [row] = isUuid(contactId) ? await own.read<{ phone_number: string }>(find) : [];
    if (row === undefined) throw notFound('Contact');
    return this.pieces(own, { teamId, contactId, phoneNumber: row.phone_number });
  }

  private async *pieces(own: TeamTransactions, subject: Subject): AsyncGenerator<string> {
    yield `{"exportedAt":${JSON.stringify(new Date().toISOString())}`;
    for (const part of this.parts) {
      const items: AsyncIterable<string> = part.one ? oneOf(own, part, subject) : listOf(own, part, subject);
      yield `,${JSON.stringify(part.as)}:`;
      yield* items;
    }
    yield '}';
  }
}

type Row = ExportedRow & Record<string, unknown>;

async function* oneOf(own: TeamTransactions, { first, page }: PersonalExport, subject: Subject) {
  const [row] = await own.read<Row>(page(subject, first));
  yield row?.item ?? 'null';
}

async function* listOf(own: TeamTransactions, { first, page }: PersonalExport, subject: Subject) {
  yield '[';
  let separator = '';
  for (let after = first; ;) {
    const rows = await own.read<Row>(page(subject, after));
    for (const { item } of rows) {
      yield separator + item;
      separator = ',';
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.after;
  }
  yield ']';
}
