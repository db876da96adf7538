import { Inject, Injectable } from '@nestjs/common';
import { auditing } from '../audit/audited-change.js';
import { type ErasureStep, type Person, type PersonalTable } from '../database/personal-data.js';
import { limitLockWaits, team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, Transactions, type TransactionStep } from '../database/transactions.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { AppError, notFound } from '../http/app-error.js';
import { isUuid } from '../http/validators.js';
import { Journal } from '../journal/journal.service.js';
import { CallQueue } from '../queue/call-queue.js';
import { ErasedNumbers } from './erased-numbers.service.js';
import { PERSONAL_TABLES } from './personal-tables.js';
import {
  type ContactToEraseRow,
  IS_ERASED_CONTACT,
  ERASURE_KEY_CHECK,
  type ErasureKeyRow,
  KEEP_ERASURE_KEY_CHECK,
  LOCK_CONTACT,
  LOCK_NUMBER_OF_CONTACT,
  NOTE_ERASED_NUMBERS,
} from './sql/erase.sql.js';

/** A call that the erasure has ended, and whose job is removed. */
interface EndedCall {
  callRequestId: string;
  generation: number;
}

type Erased = { kind: 'erased'; ended: EndedCall[] } | { kind: 'not_found' | 'no_key' | 'other_key' };

/**
 * Erases persons. The API, the operations pages and the command `contact erase` use {@link erase}; a restore
 * uses {@link replay}.
 */
@Injectable()
export class ErasureService {
  private readonly steps: readonly ErasureStep[];

  constructor(
    @Inject(PERSONAL_TABLES) tables: readonly PersonalTable[],
    private readonly numbers: ErasedNumbers,
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly queue: CallQueue,
    private readonly journal: Journal,
  ) {
    this.steps = tables.flatMap(({ erase }) => erase);
  }

  /**
   * Erases a contact from every table in one transaction, under the lock of its number. Its calls stay with
   * the erased number. Pending calls end `canceled`, and live enrollments end `exited`. The Do Not Call list,
   * the re-dial window and the number's limits still apply to the number.
   *
   * @throws AppError `NOT_FOUND`, also for another team's contact and for one that is erased already;
   *   `CONFLICT` without `ERASURE_KEY` or with another key; `SERVICE_UNAVAILABLE` if the journal cannot be
   *   written.
   */
  async erase(teamId: string, contactId: string): Promise<void> {
    if (!isUuid(teamId) || !isUuid(contactId)) throw notFound('Contact');
    const erased = await this.run(teamId, contactId);
    // An earlier request may have erased the contact and not reached the journal.
    const happened =
      erased.kind === 'erased' || (erased.kind === 'not_found' && (await this.isErased(teamId, contactId)));
    if (happened) await this.journal.append({ kind: 'contact.erased', teamId, contactId });
    if (erased.kind !== 'erased') throw refusalOf(erased.kind);
  }

  /**
   * After a restore, repeats an erasure that the journal records.
   *
   * @returns whether there was a contact to erase. @throws AppError `CONFLICT`, like {@link erase}.
   */
  async replay(teamId: string, contactId: string): Promise<boolean> {
    const erased = await this.run(teamId, contactId);
    if (erased.kind === 'no_key' || erased.kind === 'other_key') throw refusalOf(erased.kind);
    return erased.kind === 'erased';
  }

  private async isErased(teamId: string, contactId: string): Promise<boolean> {
    if (!this.journal.on) return false;
    const rows = await this.transactions
      .within(team(teamId))
      .read(query(IS_ERASED_CONTACT, teamId, contactId));
    return rows.length > 0;
  }

  private async run(teamId: string, contactId: string): Promise<Erased> {
    const own = this.transactions.within(team(teamId));
    const erased = await this.semaphore.runWithLocks(teamId, () =>
      own.run<Erased>(
        [
          limitLockWaits(),
          query(LOCK_NUMBER_OF_CONTACT, teamId, contactId),
          query(LOCK_CONTACT, teamId, contactId),
        ],
        (results) => {
          const row = results.at(-1)?.rows[0] as ContactToEraseRow | undefined;
          if (row === undefined) return { rollback: { kind: 'not_found' } };
          if (!this.numbers.configured) return { rollback: { kind: 'no_key' } };
          const { phone_number: phoneNumber, email } = row;
          const erasedNumber = this.numbers.formOf(teamId, phoneNumber);
          const otherNumber = numbersOfPerson(phoneNumber).find((number) => number !== phoneNumber) ?? null;
          const otherErasedNumber = otherNumber && this.numbers.formOf(teamId, otherNumber);
          return this.checkKey({
            teamId,
            contactId,
            phoneNumber,
            erasedNumber,
            otherNumber,
            otherErasedNumber,
            email,
          });
        },
      ),
    );
    // The removal of the jobs is best effort, because a wake-up of an ended call has no effect.
    if (erased.kind === 'erased') await Promise.all(erased.ended.map((call) => this.queue.forget(call)));
    return erased;
  }

  /** Stores the check value of the key at the first erasure, and compares it at later ones. */
  private checkKey(person: Person): TransactionStep<Erased> {
    const checkValue = this.numbers.checkValue();
    return {
      next: [query(KEEP_ERASURE_KEY_CHECK, checkValue), query(ERASURE_KEY_CHECK)],
      decide: ([, kept]) => {
        const row = kept?.rows[0] as ErasureKeyRow | undefined;
        if (row?.check_value !== checkValue) return { rollback: { kind: 'other_key' } };
        return this.runSteps(person, [], 0, 0);
      },
    };
  }

  /**
   * Runs the steps from `index` on. Each step is a statement of its own, so it sees the rows that other
   * transactions committed while earlier statements waited. Its result decides whether it is repeated.
   */
  private runSteps(
    person: Person,
    ended: EndedCall[],
    index: number,
    round: number,
  ): TransactionStep<Erased> {
    const step = this.steps[index];
    if (step === undefined) {
      const { teamId } = person;
      const target = { type: 'contact', id: person.contactId };
      return {
        commit: [query(NOTE_ERASED_NUMBERS, teamId), auditing({ teamId, action: 'contact.erased', target })],
        value: () => ({ kind: 'erased', ended }),
      };
    }
    return {
      next: [step.query(person, round)],
      decide: ([result]) => {
        const rows = (result?.rows ?? []) as Partial<EndedCall>[];
        const calls = rows.filter((row): row is EndedCall => row.callRequestId !== undefined);
        const again = step.again?.(result?.rowCount ?? 0, round) === true;
        return this.runSteps(person, [...ended, ...calls], again ? index : index + 1, again ? round + 1 : 0);
      },
    };
  }
}

function refusalOf(kind: 'not_found' | 'no_key' | 'other_key'): AppError {
  switch (kind) {
    case 'not_found':
      return notFound('Contact');
    case 'no_key':
      return new AppError('CONFLICT', 'Contacts cannot be erased: ERASURE_KEY is not set');
    case 'other_key':
      return new AppError(
        'CONFLICT',
        'Contacts cannot be erased: ERASURE_KEY is not the key with which numbers were erased before',
      );
  }
}
