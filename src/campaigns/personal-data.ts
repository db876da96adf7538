import { type PersonalDataPart } from '../database/personal-data.js';
import { query } from '../database/transactions.js';
import { ERASE_ENROLLMENTS, EXPORT_ENROLLMENTS } from './enrollment/erase.sql.js';

export const CAMPAIGN_PERSONAL_DATA: PersonalDataPart = {
  personal: [
    {
      table: 'enrollments',
      personal: ['source'],
      facts: ['status', 'step', 'waiting_for', 'end_reason', 'timeline', 'calls'],
      // Ended enrollments stay, too: they decide whether the contact may enter the campaign again.
      retention: 'contact',
      erase: [{ query: ({ teamId, contactId }) => query(ERASE_ENROLLMENTS, teamId, contactId) }],
      exported: {
        as: 'enrollments',
        first: ['00000000-0000-0000-0000-000000000000'],
        page: ({ teamId, contactId }, [after]) => query(EXPORT_ENROLLMENTS, teamId, contactId, after),
      },
    },
  ],
  impersonal: [
    {
      table: 'enrollment_dials',
      holds: 'ids of enrollments and calls, and keys of steps; removed with the call',
    },
    { table: 'campaign_counts', holds: 'numbers of enrollments and calls that are alike' },
    { table: 'campaign_count_changes', holds: 'changes that are not yet added to these counts' },
    { table: 'campaign_states', holds: 'whether campaigns have finished or stalled, and by which rule' },
    { table: 'campaigns', holds: 'names and states of campaigns' },
    { table: 'campaign_versions', holds: 'definitions, which name steps and agents' },
  ],
};
