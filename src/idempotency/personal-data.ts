import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_ANSWERS } from './idempotency.sql.js';

/** Answers are looked through by the hour, so that no statement of a busy team takes long. */
const HOURS = 24;

/** Digits at the end of a number that a key may have in any spelling. */
const DIGITS = 9;

export const IDEMPOTENCY_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'idempotency_keys',
      personal: ['key', 'fingerprint', 'body'],
      facts: [],
      retention: 'day',
      erase: [
        {
          query: ({ teamId, contactId, phoneNumber, email }, round) =>
            query(
              ERASE_ANSWERS,
              teamId,
              contactId,
              phoneNumber.slice(-DIGITS).replace('+', ''),
              email,
              round,
            ),
          // The last one has no end: what is older is not given again, and waits for its deletion.
          again: (_, round) => round < HOURS,
        },
      ],
      // A repetition of the answers that the person's calls, contact and enrollments have got.
      exported: null,
    },
  ],
  impersonal: [],
};
