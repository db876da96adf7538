import { type ConsentLevel, type Purpose, type Voice } from '../domain/compliance/pack.js';
import { parseStoredNumber } from '../domain/phone-number.js';
import { type Faulty, faulty, type Problem, problemOf } from '../http/app-error.js';
import { instantOf } from '../http/call-result-fields.js';
import { type RecordConsent } from './consent.dto.js';

/** A consent that can be recorded. */
export interface NewConsent {
  /** E.164. */
  phoneNumber: string;
  level: ConsentLevel;
  purpose: Purpose | null;
  voice: Voice | null;
  source: string;
  evidence: string | null;
  grantedAt: Date;
  expiresAt: Date | null;
}

export const IN_FUTURE = 'grantedAt must not be in the future';

/**
 * Reads fields that are valid one by one. Any plausible number is accepted, as on the Do Not Call list. Whether
 * `grantedAt` is in the future is decided by the clock of the database, see {@link futureFault}.
 *
 * @param country the team's default country as of `parsePhoneNumber`.
 */
export function readConsent(
  fields: RecordConsent,
  country: string | null,
): { ok: true; value: NewConsent } | Required<Faulty> {
  const { level, purpose = null, voice = null, source, evidence = null } = fields;
  const problems: Problem[] = [];
  const number = parseStoredNumber(fields.phoneNumber, country);
  if (!number.ok) problems.push(problemOf(number.message));
  const grantedAt = instantOf(fields.grantedAt);
  const expiresAt = instantOf(fields.expiresAt) ?? null;
  if (grantedAt === undefined) throw new Error('The fields were not validated');
  if (expiresAt !== null && expiresAt <= grantedAt)
    problems.push(problemOf('expiresAt must be later than grantedAt'));
  if (!number.ok || problems.length > 0) return faulty(problems);
  const phoneNumber = number.e164;
  return {
    ok: true,
    value: { phoneNumber, level, purpose, voice, source, evidence: evidence || null, grantedAt, expiresAt },
  };
}

/** What is wrong with the instant of a consent; null: nothing. @param now of the database. */
export function futureFault({ grantedAt }: NewConsent, now: Date): string | null {
  return grantedAt > now ? IN_FUTURE : null;
}
