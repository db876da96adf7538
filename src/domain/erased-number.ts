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

/** What stands for the numbers of erased contacts, as the rules need it. */
export abstract class ErasedForms {
  /** Whether the deployment has the key of the forms. */
  abstract readonly configured: boolean;
  /** @throws ErasureKeyError without a key. */
  abstract formOf(teamId: string, phoneNumber: string): string;
  /** By what the key is known again. @throws ErasureKeyError without a key. */
  abstract checkValue(): string;
}

/** The deployment cannot tell what stands for its erased numbers, so nothing about a number can be judged. */
export class ErasureKeyError extends Error {
  override name = 'ErasureKeyError';
}
