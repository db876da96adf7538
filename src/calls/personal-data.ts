import { LOCK_TEAM_SHARED } from '../database/team-scope.js';
import { query } from '../database/transactions.js';
import { type PersonalDataPart } from '../database/personal-data.js';
import { enlistPlatformErasures } from '../platform-erasures/enlist.sql.js';
import { EXPORT_CALLS } from './records/export.sql.js';
import { CALLS_A_ROUND, CANCEL_CALLS_OF_NUMBER, ERASE_CALLS } from '../dialing/outcome/erase.sql.js';
import { ERASE_RESULTS } from '../results/results.sql.js';

/** The cursor before the first call. */
const FIRST_CALL = ['-infinity', '00000000-0000-0000-0000-000000000000'];

export const CALL_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'call_results',
      personal: ['disposition', 'data'],
      facts: [],
      retention: 'owner',
      // This runs while the calls still have the number.
      erase: [{ query: ({ teamId, phoneNumber }) => query(ERASE_RESULTS, teamId, phoneNumber) }],
      // Each result is exported with its call.
      exported: null,
    },
    {
      table: 'call_requests',
      personal: [
        'phone_number',
        'timezone',
        'variables',
        'prompt',
        'first_message',
        'unknown_placeholders',
        'decisions',
      ],
      facts: [
        'status',
        'reason',
        'history',
        'carrier',
        'carrier_call_id',
        // The team's own numbers.
        'from_phone_number',
        'caller_id',
      ],
      retention: 'calls',
      erase: [
        // The team's lock, which the release of usage needs, is taken after the number's.
        { query: ({ teamId }) => query(LOCK_TEAM_SHARED, teamId) },
        { query: ({ teamId, phoneNumber }) => enlistPlatformErasures(teamId, phoneNumber) },
        { query: ({ teamId, phoneNumber }) => query(CANCEL_CALLS_OF_NUMBER, teamId, [phoneNumber]) },
      ],
      exported: {
        as: 'calls',
        first: FIRST_CALL,
        page: ({ teamId, phoneNumber }, [at, id]) => query(EXPORT_CALLS, teamId, phoneNumber, at, id),
      },
    },
    {
      table: 'call_details',
      personal: ['decision', 'prompt', 'first_message', 'variables'],
      facts: [],
      retention: 'calls',
      erase: [
        // This erases both tables: a database trigger of `call_requests` erases the details. A later
        // statement could not find the details by the number.
        {
          query: ({ teamId, phoneNumber, erasedNumber }) =>
            query(ERASE_CALLS, teamId, phoneNumber, erasedNumber),
          again: (affected) => affected === CALLS_A_ROUND,
        },
      ],
      // The details are exported with their calls.
      exported: null,
    },
  ],
  impersonal: [{ table: 'sweeper_runs', holds: 'counts of a worker’s repairs' }],
};
