import { FLAG_SCHEMA, type JsonSchema } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type OperationDoc } from '../../http/openapi/operation.js';
import { ACCOUNT_REPORTS, type CallbackRoute } from '../callbacks.js';
import { REPORT_TOO_LARGE } from '../report-body.js';

const TEXT: JsonSchema = { type: 'string' };
const INSTANT: JsonSchema = { type: 'string', description: 'A date-time in ISO 8601.' };
const OTHER: JsonSchema = { type: 'object', additionalProperties: true };

/** The fields of Vapi's report that Outdial reads. */
const REPORT: JsonSchema = {
  title: 'VapiReport',
  description: 'Vapi’s report about a call; other fields are ignored.',
  type: 'object',
  properties: {
    message: {
      type: 'object',
      properties: {
        type: {
          ...TEXT,
          description:
            'The kind of report. Kinds other than `status-update` and `end-of-call-report` are ignored.',
        },
        status: TEXT,
        endedReason: TEXT,
        startedAt: INSTANT,
        endedAt: INSTANT,
        call: { ...OTHER, description: 'The call, as Vapi’s API describes it.' },
        analysis: OTHER,
        artifact: OTHER,
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
};

const DOC: Omit<OperationDoc, 'id'> = {
  summary: 'Vapi reports the state of a call',
  description:
    'Outdial names this address with each call, and a secret that allows reports about this call alone. A report may be sent ' +
    'twice, and reports may arrive in any order.',
  body: REPORT,
  success: {
    description: 'The report was accepted, or ignored because it changes nothing.',
    schema: {
      title: 'VapiReportTaken',
      type: 'object',
      properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' } },
      required: ['moved'],
    },
  },
  refusals: {
    401: errorDoc('The secret is missing or wrong.', 'Invalid secret'),
    404: errorDoc(
      'The call does not exist, belongs to another carrier or another team’s account, or has another `id` at Vapi.',
      'Call not found',
    ),
    413: errorDoc('The report is too large.', REPORT_TOO_LARGE),
  },
};

export const VAPI_ROUTES = {
  own: { ...DOC, path: 'events', id: 'reportVapiCall' },
  account: {
    ...DOC,
    path: ACCOUNT_REPORTS,
    id: 'reportVapiCallOfAccount',
    summary: 'Vapi reports the state of a call of a team’s own account',
  },
} satisfies Record<string, CallbackRoute>;
