import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isErasedNumber } from '../domain/erased-number.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { type JournalLimits } from '../journal/journal-record.js';
import { addMissingIn, listMissingIn, NUMBERS_A_TRANSACTION } from './add-batch.js';
import { type NotedAddition } from './do-not-call-journal.service.js';
import { REPLAYED, type Suppression } from './suppressing.js';

const NUMBERS_A_PAGE = 5_000;

/** Each has pages of numbers with the key by which they are paged. $1 team, $2 the key to begin after, $3 how many. */
const NUMBERS = {
  contacts: {
    first: '00000000-0000-0000-0000-000000000000',
    page: `
      SELECT id AS key, phone_number AS number FROM contacts
      WHERE team_id = $1 AND id > $2 AND erased_at IS NULL ORDER BY id LIMIT $3`,
  },
  listed: {
    first: '',
    page: `
      SELECT phone_number AS key, phone_number AS number FROM do_not_call
      WHERE team_id = $1 AND phone_number > $2 ORDER BY phone_number LIMIT $3`,
  },
  limited: {
    first: '',
    page: `
      SELECT DISTINCT phone_number AS key, phone_number AS number FROM limited_do_not_call
      WHERE team_id = $1 AND phone_number > $2 ORDER BY phone_number LIMIT $3`,
  },
};

/** What a record says of its entries. */
export type ReplayedAddition = Omit<NotedAddition, 'limits'> & { limits?: JournalLimits };

/** Puts opt-outs of the journal back on the list. */
@Injectable()
export class DoNotCallReplay {
  constructor(
    private readonly dataSource: DataSource,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /**
   * Adds the numbers that are not on the list. The number of a contact is added as it is, and its pending calls and live
   * enrollments end. A number that the database does not know is added in its erased form, which the rules check, too.
   * Entries that have expired since, or whose campaign or agent the database does not have, are left out.
   *
   * @param forms the erased forms of the numbers.
   * @returns how many numbers were not on the list.
   * @throws AppError `CONFLICT` where numbers of this database were erased under another key.
   */
  async replay(teamId: string, forms: ReadonlySet<string>, addition: ReplayedAddition): Promise<number> {
    const limits = addition.limits && {
      ...addition.limits,
      effectiveFrom: new Date(addition.limits.effectiveFrom),
      expiresAt: addition.limits.expiresAt === null ? null : new Date(addition.limits.expiresAt),
    };
    // The team was created after the backup.
    if (!(await this.knows(teamId, addition.limits))) return 0;
    if (limits !== undefined && limits.expiresAt !== null && limits.expiresAt <= new Date()) return 0;
    const entry = { teamId, reason: REPLAYED, source: addition.source, purpose: addition.purpose, limits };
    const known = new Map<string, string>();
    await this.addNumbersOf('contacts', teamId, forms, known);
    await this.addNumbersOf(limits === undefined ? 'listed' : 'limited', teamId, forms, known);
    let added = 0;
    const numbers = [...known.values()].sort();
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      const erased = batch.map((number) => this.erasedNumbers.formOf(teamId, number));
      added += await this.dataSource.transaction((manager) =>
        addMissingIn(manager, { ...entry, numbers: batch, erased }),
      );
    }
    return added + (await this.addForms(entry, [...forms].filter((form) => !known.has(form)).sort()));
  }

  private async knows(teamId: string, limits?: JournalLimits): Promise<boolean> {
    const [row] = await this.dataSource.query<{ known: boolean }[]>(
      `SELECT EXISTS (SELECT FROM teams WHERE id = $1)
         AND ($2::uuid IS NULL OR EXISTS (SELECT FROM campaigns WHERE team_id = $1 AND id = $2))
         AND ($3::uuid IS NULL OR EXISTS (SELECT FROM voice_agents WHERE team_id = $1 AND id = $3)) AS known`,
      [teamId, limits?.campaignId ?? null, limits?.agentId ?? null],
    );
    return row?.known === true;
  }

  /** Adds to `known` the numbers whose erased form is in `forms`, by this form. */
  private async addNumbersOf(
    source: keyof typeof NUMBERS,
    teamId: string,
    forms: ReadonlySet<string>,
    known: Map<string, string>,
  ): Promise<void> {
    const { first, page } = NUMBERS[source];
    for (let after = first; ;) {
      const rows = await this.dataSource.query<{ key: string; number: string }[]>(page, [
        teamId,
        after,
        NUMBERS_A_PAGE,
      ]);
      for (const { number } of rows) {
        if (isErasedNumber(number)) continue;
        const form = this.erasedNumbers.formOf(teamId, number);
        if (forms.has(form)) known.set(form, number);
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.key;
    }
  }

  private async addForms(entry: Omit<Suppression, 'numbers' | 'erased'>, forms: string[]): Promise<number> {
    if (forms.length === 0) return 0;
    return this.dataSource.transaction(async (manager) => {
      await this.erasedNumbers.noteForms(manager, entry.teamId);
      return listMissingIn(manager, { ...entry, numbers: forms, erased: forms.map(() => null) });
    });
  }
}
