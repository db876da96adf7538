/**
 * Why a contact that an import created was not removed: it was called, it is on the Do Not Call list, it has
 * another enrollment or one that ended otherwise, it was changed, or another import has it.
 */
export const KEPT_CONTACTS = ['called', 'opted_out', 'enrolled', 'changed', 'imported'] as const;
export type KeptContact = (typeof KEPT_CONTACTS)[number];

/** What became of a contact that an import created. `erased`: the contact was erased before. */
export type UndoneContact = 'removed' | 'erased' | KeptContact;

/** Why an enrollment that an import made was not ended: it has a call, or it had ended. */
export const KEPT_ENROLLMENTS = ['called', 'ended'] as const;
export type KeptEnrollment = (typeof KEPT_ENROLLMENTS)[number];

/** What an undo did, and what it could not undo. */
export interface UndoCounts {
  contactsRemoved: number;
  enrollmentsEnded: number;
  /** The contacts that the import created and that stay, by the reason. */
  contactsKept: Record<KeptContact, number>;
  /** The enrollments that the import made and that the undo did not end, by the reason. */
  enrollmentsKept: Record<KeptEnrollment, number>;
}

export const NOTHING_UNDONE: UndoCounts = {
  contactsRemoved: 0,
  enrollmentsEnded: 0,
  contactsKept: { called: 0, opted_out: 0, enrolled: 0, changed: 0, imported: 0 },
  enrollmentsKept: { called: 0, ended: 0 },
};

/** The counts of an undo after another batch. */
export function withBatch(
  counts: UndoCounts,
  contacts: readonly UndoneContact[],
  enrollments: readonly ('undone' | KeptEnrollment)[],
): UndoCounts {
  const sum: UndoCounts = {
    ...counts,
    contactsKept: { ...counts.contactsKept },
    enrollmentsKept: { ...counts.enrollmentsKept },
  };
  for (const one of contacts) {
    if (one === 'removed') sum.contactsRemoved += 1;
    else if (one !== 'erased') sum.contactsKept[one] += 1;
  }
  for (const one of enrollments) {
    if (one === 'undone') sum.enrollmentsEnded += 1;
    else sum.enrollmentsKept[one] += 1;
  }
  return sum;
}
