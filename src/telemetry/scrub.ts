import { maskPhoneNumber } from '../domain/phone-number.js';

// A phone number with the separators that people and address books use.
const PHONE_NUMBER = /\+[1-9](?:[ ().-]{0,2}\d){6,14}/g;
const SEPARATOR = /[^+\d]/g;
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+/gi;
const API_KEY = /od_(?:live|test)_\w+/g;
const BEARER = /\b(bearer|basic) +[\w+/=.~-]{4,}/gi;
const URL_CREDENTIALS = /:\/\/[^\s"\\/@]+@/g;

const HIDDEN = '•••';

/**
 * Masks secrets and personal data in every log line. These are phone numbers in international form, e-mail
 * addresses, Outdial's API keys, authorizations, and the credentials of a URL. The function changes neither
 * quotes nor backslashes, so that JSON stays JSON.
 *
 * This is a last safeguard, not a permission to log personal data. It cannot recognise names, or phone
 * numbers in national form.
 */
export function scrub(text: string): string {
  let clean = text;
  if (clean.includes('+')) {
    clean = clean.replace(PHONE_NUMBER, (number) => maskPhoneNumber(number.replace(SEPARATOR, '')));
  }
  if (clean.includes('@')) {
    clean = clean.replace(URL_CREDENTIALS, `://${HIDDEN}@`).replace(EMAIL, HIDDEN);
  }
  if (clean.includes('od_')) clean = clean.replace(API_KEY, `od_${HIDDEN}`);
  return clean.replace(BEARER, `$1 ${HIDDEN}`);
}
