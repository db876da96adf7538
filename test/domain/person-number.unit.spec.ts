import { numbersOfPerson, personNumber } from '../../src/domain/person-number.js';

test.each([
  ['+541157447711', '+5491157447711'],
  ['+525512345678', '+5215512345678'],
])('%s and %s are one person', (person, other) => {
  for (const number of [person, other]) {
    expect(numbersOfPerson(number)).toEqual([person, other]);
    expect(personNumber(number)).toBe(person);
  }
});

test.each([
  '+14155552671',
  '+5491157',
  '+52155123456789',
  '+4915112345678',
  '+541157447711000',
  'erased:01ab',
])('%s has no second form', (number) => {
  expect(numbersOfPerson(number)).toEqual([number]);
});
