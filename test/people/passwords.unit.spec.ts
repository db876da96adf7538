import { readFile } from 'node:fs/promises';
import { Passwords } from '../../src/people/passwords.service.js';

test('a password is hashed with argon2id as OWASP recommends, and is right in each way to type it', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('Zoë-orbit-mandate', 'home');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.isRight('Zoë-orbit-mandate', stored, 'home')).toBe(true);
  expect(await passwords.isRight('Zoe\u0308-orbit-mandate', stored, 'home')).toBe(true);
  expect(await passwords.isRight('zoë-orbit-mandate', stored, 'home')).toBe(false);
  expect(await passwords.isRight('Zoë-orbit-mandate', null, 'home')).toBe(false);
});

test('while many passwords are hashed, the process has threads for files', async () => {
  const passwords = new Passwords();
  let finished = 0;
  const all = Array.from({ length: 16 }, async (_, index) => {
    await passwords.isRight('not the password', null, `network-${index}`);
    finished += 1;
  });
  await readFile(__filename);
  // Without a bound, the file waits behind all of them.
  expect(finished).toBeLessThan(8);
  await Promise.all(all);
});

test('a network that guesses does not make the others wait for all of its guesses', async () => {
  const passwords = new Passwords();
  const order: string[] = [];
  const check = async (network: string) => {
    await passwords.isRight('not the password', null, network);
    order.push(network);
  };
  await Promise.all([...Array.from({ length: 8 }, () => check('guesser')), check('home')]);
  expect(order.indexOf('home')).toBeLessThan(4);
});
