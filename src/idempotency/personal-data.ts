import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ANSWER_HOURS, ERASE_ANSWERS } from './idempotency.sql.js';

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
          // By the hour, so that no statement of a busy team takes long. The last one has no end: older answers
          // are not replayed, and wait for their deletion.
          again: (_, round) => round < ANSWER_HOURS,
        },
      ],
      // Copies of the answers about the person's calls, contact and enrollments.
      exported: null,
    },
  ],
  impersonal: [],
};
