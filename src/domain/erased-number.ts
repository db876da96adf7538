/** Begins what stands for a number in the rows of an erased contact. */
export const ERASED_PREFIX = 'erased:';

/** Whether a stored number is one that was erased. */
export function isErasedNumber(phoneNumber: string): boolean {
  return phoneNumber.startsWith(ERASED_PREFIX);
}

/** A stored number for people: an erased one has nothing to show. */
export function shownNumber(phoneNumber: string): string {
  return isErasedNumber(phoneNumber) ? 'an erased number' : phoneNumber;
}
