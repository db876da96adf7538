import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ANSWER_HOURS, ERASE_ANSWERS } from './idempotency.sql.js';

/**
 * How many last digits of the number are searched for in the digits of a key, however the key spells the
 * number.
 */
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
          // Each round covers one hour, so that no statement takes long for a busy team. The last round also
          // covers all older answers, which are no longer replayed and not yet removed.
          again: (_, round) => round < ANSWER_HOURS,
        },
      ],
      // The answers repeat data of the person's calls, contact, consents and enrollments, which other tables export.
      exported: null,
    },
  ],
  impersonal: [],
};
