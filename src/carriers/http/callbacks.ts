import { type Config } from '../../config/config.js';
import { notFound } from '../../http/app-error.js';
import { jsonObjectOf, rawBytesOf } from '../../http/body.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { EVENT_SCHEMA, EVENT_TAKEN_SCHEMA } from '../event-openapi.js';
import { reportedEvent } from '../reported-event.js';
import { type HttpCarrierConfig } from './http.config.js';
import { withRefusal } from './refusals.js';
import { Signature } from './signature.js';

type Settings = Config & HttpCarrierConfig;

/**
 * Receives the reports of the runtimes behind the HTTP carrier. A report must be signed, and must be about
 * one of this carrier's calls.
 */
export const httpCallbacks: CarrierCallbacks<Settings> = {
  path: 'api/carriers/http/events',
  routes: {
    post: {
      path: '',
      id: 'reportHttpCarrierEvent',
      summary: 'The service behind the HTTP carrier reports the state of a call',
      description:
        'The request is signed as Standard Webhooks specifies, with `webhook-id`, `webhook-timestamp` and `webhook-signature`. ' +
        'The signature covers the exact bytes of the body. The timestamp is in seconds and at most five minutes off. ' +
        'A report may be sent twice, and reports may arrive in any order.',
      body: EVENT_SCHEMA,
      bodyExamples: {
        completed: {
          callRequestId: '0198c7a2-5b0e-7d7c-9a55-0d6a3f1f2b10',
          carrierCallId: 'line-7-4711',
          status: 'completed',
          at: '2026-11-20T14:00:33.120Z',
          answeredAt: '2026-11-20T14:00:03.120Z',
          durationSeconds: 30,
          disposition: 'call_later',
          callbackAt: '2026-11-21T09:30:00+01:00',
        },
      },
      success: { description: 'The report was accepted.', schema: EVENT_TAKEN_SCHEMA },
      refusals: {
        404: errorDoc(
          'The call does not exist, belongs to another carrier, or has another `carrierCallId`.',
          'Call not found',
        ),
        409: errorDoc(
          'The call has another result. The rest of the report is recorded, and an opt-out takes effect.',
          'The call has another result',
        ),
      },
    },
  },
  open: (context) => ({ routes: { post: report(context) } }),
};

function report({ config, reports, unauthorized }: CallbackContext<Settings>): CallbackHandler {
  const { httpCarrierSecret: secret } = config;
  const signature = secret === undefined ? null : new Signature(secret);
  return async (request) => {
    const { headers } = request;
    const signed = signature !== null && Signature.isIn(headers);
    if (!signed || !signature.verifies(await rawBytesOf(request), headers)) throw unauthorized(request);
    const event = await reportedEvent(await jsonObjectOf(request), reports);
    const result = await reports.record(withRefusal(event));
    if (result === 'unknown') throw notFound('Call');
    return { moved: result === 'changed' };
  };
}
