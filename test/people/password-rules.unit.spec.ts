import { passwordFault } from '../../src/people/password-rules.js';

const EMAIL = 'ada.lovelace@northwind.example';
const faultOf = (password: string) => passwordFault(password, EMAIL);

test('a password has twelve characters or more, and no other rule about its characters', () => {
  expect(faultOf('kxvqzmwbtrd')).toBe('must have at least 12 characters');
  expect(faultOf('kxvqzmwbtrdh')).toBeNull();
  // Characters, not the units in which they are stored.
  expect(faultOf('🦊🦉🐝🐢🦀🐙')).toBe('must have at least 12 characters');
  expect(faultOf('rusty lanterns hum in fog')).toBeNull();
  expect(faultOf('x9'.repeat(101))).toBe('must have at most 200 characters');
});

test.each([
  'password1234',
  'Password2024!',
  'P@ssw0rd2024',
  'passwordpassword',
  'qwertyuiop12',
  '1q2w3e4r5t6y',
  '123456789012',
  '210987654321',
  'aaaaaaaaaaaa',
  'abababababab',
  'abcdefghijkl',
  'iloveyou12345',
  'Welcome-Admin-2025',
  'letmein letmein',
  'Outdial12345',
  'correct horse battery staple',
  'correcthorsebatterystaple',
  'Summer2026Summer',
  'adalovelace1815',
  'lovelace.northwind',
  EMAIL,
])('%s is too easy to guess', (password) => {
  expect(faultOf(password)).toMatch(/^is too easy to guess/);
});

test.each(['tulip-orbit-mandate', 'Wq7#nL2vTz9p', 'das blaue Fahrrad singt', '8391 0472 6658 13'])(
  '%s is accepted',
  (password) => {
    expect(faultOf(password)).toBeNull();
  },
);
