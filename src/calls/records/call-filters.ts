import { CALL_STATES } from '../../domain/call-states.js';
import {
  type FilterOf,
  type FilterValues,
  instantFilter,
  oneOfFilter,
  phoneNumberFilter,
  textFilter,
  uuidFilter,
} from '../../http/filters.js';
import { inSql } from '../../lists/filter-sql.js';

/** Stands for calls that have no reason. */
export const NO_REASON = '-';

const MAX_REASON = 200;

/*
 * The filters of the lists of calls. `matches` is SQL for a call `r`. `IS TRUE` keeps Postgres from using another
 * index than the one that is walked. The statements apply the range of acceptance with the order of the list.
 */

const STATUS = inSql(
  oneOfFilter(CALL_STATES, 'Only calls in this state.'),
  'text',
  (value) => `r.status = ${value}`,
);

const AGENT = inSql(
  uuidFilter('Only calls of this voice agent.'),
  'uuid',
  (value) => `(r.agent_id = ${value}) IS TRUE`,
);

const CAMPAIGN = inSql(
  uuidFilter('Only calls of this campaign.'),
  'uuid',
  (value) => `EXISTS (SELECT FROM enrollments e WHERE e.id = r.enrollment_id AND e.campaign_id = ${value})`,
);

const ACCEPTED = {
  acceptedFrom: instantFilter('Only calls accepted at this instant or later.'),
  acceptedTo: instantFilter('Only calls accepted before this instant.'),
};

/** The filters of a team's list of its calls, and of its export. */
export const OWN_CALL_FILTERS = {
  status: STATUS,
  /** The value of the condition is an array of the forms under which the number may be stored. */
  phoneNumber: inSql(
    phoneNumberFilter(
      'Only calls to this number, in any notation. The calls of an erased contact are included.',
    ),
    'text[]',
    (forms) => `r.phone_number = ANY(${forms})`,
  ),
  agentId: AGENT,
  campaignId: CAMPAIGN,
  contactId: inSql(uuidFilter('Only calls to this contact.'), 'uuid', (value) => `r.contact_id = ${value}`),
  ...ACCEPTED,
};
export type OwnCallFilter = FilterOf<typeof OWN_CALL_FILTERS>;

/** The filters of the operator's list of a team's calls. */
export const CALL_FILTERS = {
  status: STATUS,
  phoneNumber: phoneNumberFilter('Only calls to this number, in any notation.'),
  agentId: AGENT,
  campaignId: CAMPAIGN,
  reason: inSql(
    textFilter(
      MAX_REASON,
      `Only calls with this reason, such as \`DO_NOT_CALL\`. With \`${NO_REASON}\`, only calls without a reason.`,
    ),
    'text',
    (value) => `r.reason IS NOT DISTINCT FROM nullif(${value}, '${NO_REASON}')`,
  ),
  ...ACCEPTED,
};
export type CallFilter = FilterOf<typeof CALL_FILTERS>;
export type CallFilterValues = FilterValues<typeof CALL_FILTERS>;
