import { isEmail } from 'class-validator';
import { invalid } from '../http/app-error.js';
import { MAX_EMAIL } from '../http/validators.js';

/** An e-mail address as it is stored and compared. */
export const normalEmail = (text: string): string => text.trim().toLowerCase();

/** @throws AppError `INVALID_REQUEST` for a text that is no e-mail address. */
export function emailOf(text: string): string {
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL || !isEmail(email)) throw invalid('email must be an e-mail address');
  return email;
}
