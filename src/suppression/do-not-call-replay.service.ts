import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { addBatchIn, NUMBERS_A_TRANSACTION } from './add-batch.js';

const CONTACTS_A_PAGE = 5_000;
const REASON = 'replayed from the journal after a restore';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Puts opt-outs of the journal back on the list. */
@Injectable()
export class DoNotCallReplay {
  constructor(
    private readonly dataSource: DataSource,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /**
   * Adds the numbers. The number of a contact is added as it is, and its pending calls and live enrollments
   * end. A number without a contact is added in its erased form, which the rules check, too.
   *
   * @param forms the erased forms of the numbers.
   * @returns how many numbers were not on the list.
   * @throws AppError `CONFLICT` where numbers of this database were erased under another key.
   */
  async replay(teamId: string, forms: ReadonlySet<string>): Promise<number> {
    const teams = await this.dataSource.query<unknown[]>('SELECT FROM teams WHERE id = $1', [teamId]);
    // The team was created after the backup.
    if (teams.length === 0) return 0;
    const known = await this.numbersOf(teamId, forms);
    let added = 0;
    const numbers = [...known.values()].sort();
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      const erased = batch.map((number) => this.erasedNumbers.formOf(teamId, number));
      added += await this.dataSource.transaction((manager) =>
        addBatchIn(manager, { teamId, numbers: batch, erased, reason: REASON }),
      );
    }
    return added + (await this.addForms(teamId, [...forms].filter((form) => !known.has(form)).sort()));
  }

  /** The numbers of contacts whose erased form is in `forms`, by this form. */
  private async numbersOf(teamId: string, forms: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let after = FIRST_ID; ;) {
      const rows = await this.dataSource.query<{ id: string; number: string }[]>(
        `SELECT id, phone_number AS number FROM contacts
         WHERE team_id = $1 AND id > $2 AND erased_at IS NULL ORDER BY id LIMIT ${CONTACTS_A_PAGE}`,
        [teamId, after],
      );
      for (const { number } of rows) {
        const form = this.erasedNumbers.formOf(teamId, number);
        if (forms.has(form)) found.set(form, number);
      }
      const last = rows.at(-1);
      if (last === undefined) return found;
      after = last.id;
    }
  }

  private async addForms(teamId: string, forms: string[]): Promise<number> {
    if (forms.length === 0) return 0;
    return this.dataSource.transaction(async (manager) => {
      await this.erasedNumbers.noteForms(manager, teamId);
      const inserted = await manager.query<unknown[]>(
        `INSERT INTO do_not_call (team_id, phone_number, reason) SELECT $1, form, $3 FROM unnest($2::text[]) AS form
         ON CONFLICT (team_id, phone_number) DO NOTHING RETURNING 1`,
        [teamId, forms, REASON],
      );
      return inserted.length;
    });
  }
}
