import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Outdial';
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;
/** How many steps a clock may be early or late. */
const WINDOW = 1;

export const RECOVERY_CODES = 10;
/** Crockford's base 32: no letter is taken for a digit. 16 of them are 80 bits, so a plain hash suffices. */
const RECOVERY_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_LENGTH = 16;

/** A new secret of 160 bits for an authenticator, in base 32. */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth://` address that a QR code shows to an authenticator. */
export function authenticatorAddress(secret: string, email: string): string {
  return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * @param lastStep the step of the last accepted code, or null. Only codes of later steps are accepted.
 * @returns the step of the code, which the caller keeps as the last one, or null if the code is refused.
 */
export function acceptedStep(secret: string, code: string, at: Date, lastStep: number | null): number | null {
  const digits = code.replace(/\s/g, '');
  if (!CODE.test(digits)) return null;
  const timestamp = at.getTime();
  const key = Secret.fromBase32(secret);
  const delta = TOTP.validate({ token: digits, secret: key, timestamp, window: WINDOW });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}

/** New recovery codes such as `7K3M-Q2XF-91TB-V0HD`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(
      { length: RECOVERY_LENGTH },
      () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)],
    );
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The SHA-256 of a recovery code in hexadecimal digits. Case, spaces and hyphens do not matter. */
export function hashOfRecoveryCode(code: string): string {
  const letters = code.toUpperCase().replace(/[\s-]/g, '');
  return createHash('sha256').update(letters).digest('hex');
}
