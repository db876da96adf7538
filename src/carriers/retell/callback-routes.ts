import { FLAG_SCHEMA, type JsonSchema } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type OperationDoc } from '../../http/openapi/operation.js';
import { ACCOUNT_REPORTS, type CallbackRoute } from '../callbacks.js';
import { REPORT_TOO_LARGE } from '../report-body.js';

const TEXT: JsonSchema = { type: 'string' };

/** The fields of Retell's report that Outdial reads. */
const REPORT: JsonSchema = {
  title: 'RetellReport',
  description: 'Retell’s report about a call; other fields are ignored.',
  type: 'object',
  properties: {
    event: {
      ...TEXT,
      description:
        'The kind of report. Kinds other than `call_started`, `call_ended` and `call_analyzed` are ignored.',
    },
    call: {
      type: 'object',
      description: 'The call, as Retell’s API describes it.',
      properties: {
        call_id: TEXT,
        call_status: TEXT,
        metadata: {
          type: 'object',
          description: 'Calls without Outdial’s ids in it are ignored.',
          additionalProperties: true,
        },
        disconnection_reason: TEXT,
        start_timestamp: { type: 'integer', description: 'In milliseconds since 1970-01-01 UTC.' },
        end_timestamp: { type: 'integer', description: 'In milliseconds since 1970-01-01 UTC.' },
        transcript: TEXT,
        recording_url: TEXT,
        call_analysis: { type: 'object', additionalProperties: true },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
};

const DOC: Omit<OperationDoc, 'id'> = {
  summary: 'Retell reports the state of a call',
  description:
    'Outdial names this address with each call. The signature covers the exact bytes of the body; its time is at most five minutes ' +
    'off. A report may be sent twice, and reports may arrive in any order.',
  body: REPORT,
  success: {
    description: 'The report was accepted, or ignored because it does not concern a call of Outdial.',
    schema: {
      title: 'RetellReportTaken',
      type: 'object',
      properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' } },
      required: ['moved'],
    },
  },
  refusals: {
    401: errorDoc('The signature is missing, wrong or too old.', 'Invalid signature'),
    404: errorDoc(
      'The call does not exist, belongs to another carrier or another team’s account, or has another `call_id`.',
      'Call not found',
    ),
    413: errorDoc('The report is too large.', REPORT_TOO_LARGE),
  },
};

export const RETELL_ROUTES = {
  own: { ...DOC, path: 'events', id: 'reportRetellCall' },
  account: {
    ...DOC,
    path: ACCOUNT_REPORTS,
    id: 'reportRetellCallOfAccount',
    summary: 'Retell reports the state of a call of a team’s own account',
  },
} satisfies Record<string, CallbackRoute>;
