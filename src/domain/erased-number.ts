/** The beginning of every erased number. */
export const ERASED_PREFIX = 'erased:';

/** Whether a stored number is an erased number. */
export function isErasedNumber(phoneNumber: string): boolean {
  return phoneNumber.startsWith(ERASED_PREFIX);
}

const ERASED_FORM = /^erased:[0-9a-f-]{1,64}$/;

/** Whether a text that was sent can be an erased number. */
export function hasErasedForm(text: string): boolean {
  return ERASED_FORM.test(text);
}

/** A stored number for display; an erased number shows no digits. */
export function shownNumber(phoneNumber: string): string {
  return isErasedNumber(phoneNumber) ? 'an erased number' : phoneNumber;
}

/** Computes the erased forms of numbers. */
export abstract class ErasedForms {
  /** Whether the deployment has the key for the erased forms. */
  abstract readonly configured: boolean;
  /** @throws ErasureKeyError without a key. */
  abstract formOf(teamId: string, phoneNumber: string): string;
  /** The check value by which the key is recognized. @throws ErasureKeyError without a key. */
  abstract checkValue(): string;
}

/** The deployment cannot compute erased numbers, so it cannot decide about a number. */
export class ErasureKeyError extends Error {
  override name = 'ErasureKeyError';
}
