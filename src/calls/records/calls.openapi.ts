import { RESULT_SCHEMA } from '../../http/call-result-fields.js';
import { describeBody, NATIONAL_FORM } from '../../http/body-schema.js';
import { filterParameters } from '../../http/filters.js';
import { type JsonSchema, oneOf } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { documented, filteredPages, pageOfItems } from '../../http/openapi/operation.js';
import { exportDescription, exportResponse } from '../../http/openapi/export.js';
import { BOM_PARAMETER, FORMAT_PARAMETER } from '../../http/export.js';
import {
  CALL_LIST_ITEM_SCHEMA,
  CALL_RESOURCE_SCHEMA,
  CALL_SCHEMA,
  LISTED_CALL_SCHEMA,
} from './call.schemas.js';
import { CALL_FILTERS, OWN_CALL_FILTERS } from './call-filters.js';
import { CancelCalls } from './cancel-calls.dto.js';
import { CallsAdminController } from './calls-admin.controller.js';
import { CallsController } from './calls.controller.js';
import { Resolution } from './resolution.dto.js';

const CALLS_SCHEMA = { type: 'integer', minimum: 0 } as const;

const CANCELLATIONS_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['matching', 'canceled', 'remaining'],
  properties: {
    matching: { ...CALLS_SCHEMA, description: 'Pending calls that matched when the request arrived.' },
    canceled: CALLS_SCHEMA,
    remaining: { ...CALLS_SCHEMA, description: 'Pending calls that match now.' },
  },
};

const NOT_HUNG_UP: JsonSchema = {
  title: 'NotHungUp',
  type: 'object',
  properties: { error: { type: 'string' }, reason: oneOf(['not_in_progress', 'cannot_hang_up']) },
  required: ['error', 'reason'],
};

const HANG_UP = {
  description:
    'The carrier is asked to end the call. The call is in progress until its carrier reports the end, which is then in `history` with the ' +
    'cause `hung_up`. A call that was not answered becomes `failed`. Campaigns do not retry the call. A repeated request is ' +
    'accepted while the call is in progress. A 503 means that the carrier did not confirm the hang-up.',
  refusals: {
    409: {
      description:
        'The call is not in progress (`not_in_progress`), or its carrier cannot hang up (`cannot_hang_up`).',
      schema: NOT_HUNG_UP,
      examples: {
        notInProgress: {
          error: 'The call is completed; only a call in progress can be hung up',
          reason: 'not_in_progress',
        },
        cannotHangUp: { error: 'The call’s carrier cannot hang up', reason: 'cannot_hang_up' },
      },
    },
  },
} as const;

export const CALLS_OPENAPI = documented(
  CallsController,
  { surface: 'team', tag: 'Calls' },
  {
    list: {
      id: 'listCallsByKey',
      summary: 'List the team’s calls, the newest first',
      description: `Only the answer for a single call has its \`notBefore\`, \`notAfter\`, \`prompt\` and \`history\`. ${filteredPages('calls')}`,
      success: { description: 'A page of calls.', schema: pageOfItems(LISTED_CALL_SCHEMA, 'ListedCallPage') },
    },
    export: {
      id: 'exportCalls',
      summary: 'Export the team’s calls as one file, the newest first',
      description: exportDescription('call', '`result` and `unknownPlaceholders`'),
      query: { ...filterParameters(OWN_CALL_FILTERS), format: FORMAT_PARAMETER, bom: BOM_PARAMETER },
      status: 200,
      success: exportResponse(LISTED_CALL_SCHEMA),
      refusals: { 400: errorDoc('A parameter is malformed.', 'format must be one of csv, ndjson') },
    },
    get: {
      id: 'getCall',
      summary: 'Read a call',
      success: { description: 'The call.', schema: CALL_SCHEMA },
    },
    cancel: {
      id: 'cancelCall',
      summary: 'Cancel a call that is pending',
      success: { description: 'The call, canceled.', schema: CALL_SCHEMA },
      refusals: {
        409: errorDoc('The call is not pending.', 'The call is completed and can no longer be canceled'),
      },
    },
    hangUp: {
      ...HANG_UP,
      id: 'hangUpCall',
      summary: 'Hang up a call in progress',
      success: { description: 'The carrier ends the call.', schema: CALL_SCHEMA },
    },
    report: {
      id: 'reportCallResult',
      summary: 'Report the result of a call',
      description:
        'A result is accepted after the call was claimed. The same result can be sent again; a different result is refused. ' +
        '`optOut: true` adds the number to the Do Not Call list before the answer is sent, even if the result is refused.',
      body: RESULT_SCHEMA,
      bodyExamples: {
        callback: {
          disposition: 'call_later',
          callbackAt: '2026-11-21T09:30:00+01:00',
          data: { topic: 'price' },
        },
        optOut: { optOut: true },
      },
      success: { description: 'The call with its result.', schema: CALL_SCHEMA },
      refusals: {
        409: errorDoc(
          'The call is not claimed yet, or it has another result.',
          'The call has another result',
        ),
      },
    },
  },
);

describeBody([Resolution], {
  outcome: 'The state in which the call ended, according to the carrier or the contact.',
});

export const CALLS_ADMIN_OPENAPI = documented(
  CallsAdminController,
  { surface: 'operator', tag: 'Operator: calls' },
  {
    list: {
      id: 'listCalls',
      summary: 'List a team’s calls, the newest first',
      description:
        'Only the answer for a single call has `variables`, `prompt`, `firstMessage`, `result` and `decisions`. ' +
        filteredPages('calls'),
      success: {
        description: 'A page of calls.',
        schema: pageOfItems(CALL_LIST_ITEM_SCHEMA, 'CallListPage'),
      },
    },
    get: {
      id: 'getTeamCall',
      summary: 'Read a team’s call with every decision and its evidence',
      success: { description: 'The call.', schema: CALL_RESOURCE_SCHEMA },
    },
    cancelMatching: {
      id: 'cancelCalls',
      summary: 'Cancel or count the pending calls that match',
      description:
        'A call matches if it matches every field that is set; at least one must be set. `dryRun: true` counts the calls and cancels none. ' +
        'One request cancels at most 5,000 calls. While `remaining` is above 0, a further request cancels more.',
      success: { description: 'What became of the calls.', schema: CANCELLATIONS_SCHEMA },
    },
    cancel: {
      id: 'cancelTeamCall',
      summary: 'Cancel a team’s call that is pending',
      success: { description: 'The call, canceled.', schema: CALL_RESOURCE_SCHEMA },
      refusals: {
        409: errorDoc('The call is not pending.', 'The call is completed and can no longer be canceled'),
      },
    },
    hangUp: {
      ...HANG_UP,
      id: 'hangUpTeamCall',
      summary: 'Hang up a team’s call in progress',
      success: { description: 'The carrier ends the call.', schema: CALL_RESOURCE_SCHEMA },
    },
    resolve: {
      id: 'resolveCall',
      summary: 'Resolve a call in `dial_unknown`',
      success: { description: 'The call, resolved.', schema: CALL_RESOURCE_SCHEMA },
      refusals: {
        409: errorDoc(
          'The call is not in `dial_unknown`.',
          'The call is completed; only dial_unknown can be resolved',
        ),
      },
    },
  },
);

describeBody([CancelCalls], {
  status: CALL_FILTERS.status.description,
  agentId: CALL_FILTERS.agentId.description,
  phoneNumber: `Only calls to this number. ${NATIONAL_FORM}`,
  acceptedFrom: CALL_FILTERS.acceptedFrom.description,
  acceptedTo: CALL_FILTERS.acceptedTo.description,
  dryRun: 'Counts the calls and cancels none.',
});
