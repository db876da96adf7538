import { FLAG_SCHEMA, type JsonSchema } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type OperationDoc } from '../../http/openapi/operation.js';
import { ACCOUNT_REPORTS, type CallbackRoute } from '../callbacks.js';
import { REPORT_TOO_LARGE } from '../report-body.js';

const TEXT: JsonSchema = { type: 'string' };
const OTHER: JsonSchema = { type: 'object', additionalProperties: true };

export const NOT_READ = 'The conversation cannot be read at ElevenLabs';

/** The fields of ElevenLabs' report that Outdial reads. */
const REPORT: JsonSchema = {
  title: 'ElevenLabsReport',
  description: 'ElevenLabs’ report about a conversation; other fields are ignored.',
  type: 'object',
  properties: {
    type: {
      ...TEXT,
      description:
        'The kind of report. Kinds other than `post_call_transcription` and `call_initiation_failure` are ignored.',
    },
    event_timestamp: { type: 'number', description: 'In seconds since 1970-01-01 UTC.' },
    data: {
      type: 'object',
      description: 'The conversation, as ElevenLabs’ API describes it, or why it was not started.',
      properties: {
        conversation_id: TEXT,
        status: TEXT,
        failure_reason: TEXT,
        metadata: OTHER,
        analysis: { description: 'An object; null if there is none.' },
        conversation_initiation_client_data: {
          ...OTHER,
          description: 'Conversations without Outdial’s ids in it are ignored.',
        },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
};

const DOC: Omit<OperationDoc, 'id'> = {
  summary: 'ElevenLabs reports the end of a conversation',
  description:
    'The address of the workspace’s webhook. The signature covers the exact bytes of the body; its time is at most five minutes ' +
    'off. A report may be sent twice, and reports may arrive in any order.',
  body: REPORT,
  success: {
    description: 'The report was accepted, or ignored because it does not concern a call of Outdial.',
    schema: {
      title: 'ElevenLabsReportTaken',
      type: 'object',
      properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' } },
      required: ['moved'],
    },
  },
  refusals: {
    401: errorDoc('The signature is missing, wrong or too old.', 'Invalid signature'),
    404: errorDoc(
      'The call does not exist, belongs to another carrier or another team’s account, or has another `conversation_id`.',
      'Call not found',
    ),
    413: errorDoc('The report is too large.', REPORT_TOO_LARGE),
    503: errorDoc('The report has no id of Outdial, and the conversation could not be read.', NOT_READ),
  },
};

export const ELEVENLABS_ROUTES = {
  own: { ...DOC, path: 'events', id: 'reportElevenLabsCall' },
  account: {
    ...DOC,
    path: ACCOUNT_REPORTS,
    id: 'reportElevenLabsCallOfAccount',
    summary: 'ElevenLabs reports the end of a conversation of a team’s own account',
  },
} satisfies Record<string, CallbackRoute>;
