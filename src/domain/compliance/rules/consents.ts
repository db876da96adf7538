import { CONSENT_LEVELS, type ConsentLevel, type PackRule, type Purpose, type Voice } from '../pack.js';
import { type ConsentFact } from '../facts.js';

/** A consent, and whether a call relies on it: null if no consent suffices. */
export interface Consenting {
  consents: readonly ConsentFact[];
  /** null: not set, which counts as the strictest. */
  purpose: Purpose | null;
  voice: Voice | null;
}

/**
 * The consent of at least `level` on which a call relies under a rule. Without a purpose of the call, a consent for one
 * purpose suffices only if the rule has no other purpose; the same holds for the voice.
 *
 * @param now epoch milliseconds. @returns undefined if no consent suffices.
 */
export function consentFor(
  { appliesTo }: Pick<PackRule, 'appliesTo'>,
  level: ConsentLevel,
  { consents, purpose, voice }: Consenting,
  now: number,
): ConsentFact | undefined {
  const enough = consents.filter(
    (consent) =>
      CONSENT_LEVELS.indexOf(consent.level) >= CONSENT_LEVELS.indexOf(level) &&
      isInForce(consent, now) &&
      covers(consent.purpose, purpose, appliesTo.purpose) &&
      covers(consent.voice, voice, appliesTo.voice),
  );
  // A consent of the ledger is the better proof.
  return enough.find(({ id }) => id !== null) ?? enough[0];
}

function isInForce({ grantedAt, expiresAt }: ConsentFact, now: number): boolean {
  return (
    (grantedAt === null || Date.parse(grantedAt) <= now) &&
    (expiresAt === null || Date.parse(expiresAt) > now)
  );
}

/** @param given null: for all. @param asked of the call; null: not set. @param possible of the rule. */
function covers<T>(given: T | null, asked: T | null, possible: readonly T[]): boolean {
  if (given === null) return true;
  return asked === null ? possible.every((one) => one === given) : asked === given;
}
