import { COMMON_WORDS, LEAST_PASSWORD, RUNS } from './common-words.js';

/** In characters. A longer text is not hashed. */
const MOST_PASSWORD = 200;
/** So many different characters must be left beside common words and runs. */
const LEAST_OWN = 5;
const SHORTEST_RUN = 3;
/** Parts of the person's own e-mail address from this length on are as well known as common words. */
const SHORTEST_PART = 4;

const YEAR = /(?:19|20)\d\d/g;
const REPEATED = /(.+?)\1+/gs;
/** Signs that stand for letters in common passwords. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

const WORDS = byLength(COMMON_WORDS);
const RUN_PARTS = byLength(RUNS.flatMap((run) => [...partsOf(run), ...partsOf(reversed(run))]));

/**
 * Why a password is refused, as the end of a sentence about it; null if it is accepted. There are no rules about
 * kinds of characters: length counts, and that the password is on no list of common ones, nor a variation of one.
 */
export function passwordFault(password: string, email: string): string | null {
  const length = [...normalPassword(password)].length;
  if (length < LEAST_PASSWORD) return `must have at least ${LEAST_PASSWORD} characters`;
  if (length > MOST_PASSWORD) return `must have at most ${MOST_PASSWORD} characters`;
  return isCommon(password, email)
    ? 'is too easy to guess: it is a common one, a variation of one, or made of your e-mail address'
    : null;
}

/** The same characters are the same password, whichever way a keyboard composes them. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

function isCommon(password: string, email: string): boolean {
  const plain = normalPassword(password).toLowerCase();
  const asLetters = plain.replace(/./gsu, (sign) => LETTERS[sign] ?? sign);
  const own = partsOfEmail(email.toLowerCase());
  return [plain, asLetters].some((text) => new Set(ownPartOf(text, own)).size < LEAST_OWN);
}

/** `ada.lovelace@northwind.example` → its words, and `adalovelace`. */
function partsOfEmail(email: string): string[] {
  const [name = [], host = []] = email.split('@').map((part) => part.split(/[^\p{L}\d]+/u));
  return byLength([...name, ...host, name.join('')]).filter((part) => part.length >= SHORTEST_PART);
}

/** What is left without common words, runs, years, repetitions and blanks. */
function ownPartOf(text: string, own: readonly string[]): string {
  let rest = text.replace(/[\s._-]+/g, '');
  rest = without(rest, own);
  rest = without(rest.replace(YEAR, ''), WORDS);
  rest = without(rest, RUN_PARTS);
  return rest.replace(REPEATED, '$1');
}

const without = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, part) => rest.replaceAll(part, ''), text);

/** The longest first, so that none is cut by a part of it. */
function byLength(parts: readonly string[]): string[] {
  return [...new Set(parts)].sort((one, other) => other.length - one.length);
}

/** Every part of three and more characters. */
function partsOf(run: string): string[] {
  return [...run].flatMap((_, start) =>
    [...run].flatMap((_, end) => (end - start + 1 >= SHORTEST_RUN ? [run.slice(start, end + 1)] : [])),
  );
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
