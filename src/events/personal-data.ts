import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_EVENTS, EVENTS_A_ROUND } from './outbox/erase.sql.js';
import { DELIVERIES_A_ROUND, ERASE_ANSWERS } from './webhooks/erase.sql.js';

export const EVENT_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'events',
      personal: ['data', 'subject', 'phone_number', 'unknown_placeholders'],
      facts: ['type', 'status', 'reason', 'caller_id'],
      retention: 'events',
      erase: [
        {
          query: ({ teamId, phoneNumber, erasedNumber }) =>
            query(ERASE_EVENTS, teamId, phoneNumber, erasedNumber),
          again: (affected) => affected === EVENTS_A_ROUND,
        },
      ],
      // Copies of columns of the person's calls, contact and enrollments.
      exported: null,
    },
    {
      table: 'webhook_deliveries',
      personal: ['answer', 'subject'],
      facts: ['type', 'status', 'error'],
      retention: 'events',
      erase: [
        {
          query: ({ teamId, phoneNumber }) => query(ERASE_ANSWERS, teamId, phoneNumber),
          again: (affected) => affected === DELIVERIES_A_ROUND,
        },
      ],
      // What the team's own receivers have answered.
      exported: null,
    },
  ],
  impersonal: [
    { table: 'event_batches', holds: 'the numbers of events' },
    { table: 'event_gaps', holds: 'where events without numbers may be' },
    { table: 'event_sequences', holds: 'how far the events of a team are numbered and removed' },
    { table: 'webhook_endpoints', holds: 'addresses and secrets of a team’s receivers' },
  ],
};
