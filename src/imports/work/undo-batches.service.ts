import { Injectable } from '@nestjs/common';
import { undoingEnrollments, type UndoneEnrollmentRow } from '../../campaigns/engine/undo-enrollments.js';
import { lockingContacts, removingContacts } from '../../contacts/contact-removal.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { limitLockWaits, team } from '../../database/team-scope.js';
import { query, Transactions, type TransactionStep } from '../../database/transactions.js';
import { LOCK_NUMBERS } from '../../dialing/facts/locks.sql.js';
import {
  ADVANCE_UNDO,
  CONTACTS_TO_UNDO,
  type ContactToUndoRow,
  JUDGE_CONTACTS,
  type JudgedContactRow,
  LOCK_UNDO,
  type LockedUndoRow,
  NOTE_UNDONE,
  type TakenUndo,
} from '../sql/undo.sql.js';
import { type UndoneContact, withBatch } from '../undo-counts.js';

/** The most contacts of a batch. Its transaction holds the lock of each number. */
const CONTACTS_A_BATCH = 150;

/** Where the next batch begins, and how many contacts the batch had; null: there is no next batch. */
export type UndoneBatch = { after: string; contacts: number } | null;

/**
 * Undoes batches of an import. A batch is one transaction: enrollments, contacts, what became of them, and the
 * contact after which the next batch begins. Therefore a crash neither repeats nor omits a contact.
 */
@Injectable()
export class UndoBatches {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /**
   * Ends the enrollments that the import made, and removes the contacts that it created, of the next contacts.
   *
   * @param after the last contact that is done; null at the beginning.
   * @returns null after the last batch, or if another worker has done the batch.
   * @throws the database's error. Nothing of the batch is then done.
   */
  async undo({ id, team_id: teamId }: TakenUndo, after: string | null): Promise<UndoneBatch> {
    const own = this.transactions.within(team(teamId));
    const next = query(CONTACTS_TO_UNDO, id, teamId, after, CONTACTS_A_BATCH);
    const contacts = await this.semaphore.run(teamId, () => own.read<ContactToUndoRow>(next));
    const last = contacts.at(-1)?.contact_id ?? after;
    const isLast = contacts.length < CONTACTS_A_BATCH;
    const ids = contacts.map(({ contact_id: contactId }) => contactId);
    const numbers = contacts.flatMap(({ phone_number: number }) => number ?? []).sort();
    const enrollments = contacts.flatMap(({ enrollments: made }) => made ?? []);
    const opening = [
      limitLockWaits(),
      query(LOCK_UNDO, id, teamId, after),
      query(LOCK_NUMBERS, teamId, numbers),
      lockingContacts(teamId, ids),
      undoingEnrollments(teamId, enrollments),
      query(JUDGE_CONTACTS, id, teamId, ids),
    ];
    const isDone = await this.semaphore.runWithLocks(teamId, () =>
      own.run<boolean>(opening, ([, locked, , , undone, judged]): TransactionStep<boolean> => {
        const [before] = (locked?.rows ?? []) as LockedUndoRow[];
        if (before === undefined) return { rollback: false };
        const kept = new Map(
          ((judged?.rows ?? []) as JudgedContactRow[]).map((row) => [row.id, row.kept] as const),
        );
        const created = contacts.filter((contact) => contact.created).map(({ contact_id: one }) => one);
        const outcomes = created.map((one): UndoneContact => {
          const reason = kept.get(one);
          return reason === undefined ? 'erased' : (reason ?? 'removed');
        });
        const removed = created.filter((_, n) => outcomes[n] === 'removed');
        const ofEnrollments = ((undone?.rows ?? []) as UndoneEnrollmentRow[]).map(({ outcome }) => outcome);
        const counts = withBatch(before.undo, outcomes, ofEnrollments);
        return {
          commit: [
            removingContacts(teamId, removed),
            query(NOTE_UNDONE, id, teamId, created, outcomes),
            query(ADVANCE_UNDO, id, teamId, last, JSON.stringify(counts), isLast),
          ],
          value: () => true,
        };
      }),
    );
    return isDone && !isLast && last !== null ? { after: last, contacts: contacts.length } : null;
  }
}
