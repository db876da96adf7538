/**
 * Countries whose mobile numbers have a second form in E.164: Argentinian ones with a 9 behind the calling
 * code, and Mexican ones, until 2019, with a 1.
 */
const FORMS = [
  { code: '+54', prefix: '9' },
  { code: '+52', prefix: '1' },
] as const;

const NATIONAL_DIGITS = 10;

/**
 * The forms of one person's number in E.164. The first is the person's number, by which all rules recognize
 * the person. A number that has no second form, or is erased, is the only one. The database functions
 * `person_number` and `other_number_of_person` give the same first and second form.
 */
export function numbersOfPerson(phoneNumber: string): [person: string, ...others: string[]] {
  for (const { code, prefix } of FORMS) {
    if (!phoneNumber.startsWith(code)) continue;
    const national = phoneNumber.slice(code.length);
    if (national.length === NATIONAL_DIGITS) return [phoneNumber, `${code}${prefix}${national}`];
    if (national.length === NATIONAL_DIGITS + 1 && national.startsWith(prefix))
      return [`${code}${national.slice(1)}`, phoneNumber];
  }
  return [phoneNumber];
}

/** The number by which all rules recognize a person: the same for all forms of the person's number. */
export function personNumber(phoneNumber: string): string {
  return numbersOfPerson(phoneNumber)[0];
}
