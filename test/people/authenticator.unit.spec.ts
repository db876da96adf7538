import { Secret, URI } from 'otpauth';
import {
  acceptedStep,
  authenticatorAddress,
  hashOfRecoveryCode,
  newAuthenticatorSecret,
  newRecoveryCodes,
} from '../../src/people/authenticator.js';

// Of RFC 6238, appendix B: at 1111111109 seconds the code is 07081804, of which six digits are used.
const SECRET = Secret.fromUTF8('12345678901234567890').base32;
const CODE = '081804';
const STEP = 37037036;
const at = (step: number) => new Date(step * 30_000 + 15_000);

test('the code of RFC 6238 is accepted, also with a space in it', () => {
  expect(acceptedStep(SECRET, CODE, new Date(1_111_111_109_000), null)).toBe(STEP);
  expect(acceptedStep(SECRET, '081 804', at(STEP), null)).toBe(STEP);
});

test.each([
  [-2, null],
  [-1, STEP],
  [1, STEP],
  [2, null],
])('on a clock that is %d steps ahead, the code gives %p', (ahead, step) => {
  expect(acceptedStep(SECRET, CODE, at(STEP + ahead), null)).toBe(step);
});

test('no code is accepted twice, nor one from before the last', () => {
  expect(acceptedStep(SECRET, CODE, at(STEP), STEP - 1)).toBe(STEP);
  expect(acceptedStep(SECRET, CODE, at(STEP), STEP)).toBeNull();
  expect(acceptedStep(SECRET, CODE, at(STEP), STEP + 1)).toBeNull();
});

test.each(['', '081805', '81804', '0081804', '07081804', 'abcdef'])('%p is no code', (code) => {
  expect(acceptedStep(SECRET, code, at(STEP), null)).toBeNull();
});

test('an authenticator reads a new secret and the person from the address', () => {
  const secret = newAuthenticatorSecret();
  expect(newAuthenticatorSecret()).not.toBe(secret);
  const read = URI.parse(authenticatorAddress(secret, 'ada@example.com'));
  expect(read).toMatchObject({ issuer: 'Outdial', label: 'ada@example.com', digits: 6, period: 30 });
  expect(read.secret.base32).toBe(secret);
});

test('there are ten different recovery codes, known again however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(hashOfRecoveryCode(` ${code.toLowerCase().replaceAll('-', ' ')}`)).toBe(hashOfRecoveryCode(code));
  }
  expect(new Set(codes.map(hashOfRecoveryCode)).size).toBe(10);
});
