import { type ServerResponse } from 'node:http';
import { errorsOf, problemOf } from '../../http/app-error.js';
import { sendJson } from '../../http/send-json.js';
import { REFUSALS } from './refusals.js';
import { type Refused, type TriggerResult } from './command.js';

/** The body and status of the call endpoint's answer, as contract 4.1 specifies them. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Seconds after which a caller may repeat a request that the service could not decide. */
const RETRY_AFTER_SECONDS = '5';

/**
 * @param requestId the id of the request, for its refusal. A replay repeats the first answer, with the
 *   first id.
 */
export function answerOf(result: TriggerResult, requestId: string): CallAnswer {
  if (result.kind === 'replayed') return { ...result.answer, headers: { 'Idempotency-Replayed': 'true' } };
  if (result.kind === 'refused') return refusalAnswer(result, requestId);
  const { callRequestId, contactId, runsAt, warnings } = result;
  const body: Record<string, unknown> = { success: true, callRequestId, contactId };
  if (runsAt !== null) Object.assign(body, { rescheduled: true, runsAt: runsAt.toISOString() });
  if (warnings !== undefined) Object.assign(body, { warnings });
  return { status: 200, headers: {}, body };
}

/** An answer with status 500 also has `success: false`; an answer with status 400 also has `errors`. */
export function refusalAnswer(
  { reason, message, problems, warnings, hint }: Refused,
  requestId: string,
): CallAnswer {
  const { status, retryable } = REFUSALS[reason];
  return {
    status,
    headers: reason === 'SERVICE_UNAVAILABLE' ? { 'Retry-After': RETRY_AFTER_SECONDS } : {},
    body: {
      ...(status === 500 && { success: false }),
      message,
      reason,
      retryable,
      requestId,
      ...(status === 400 && { errors: errorsOf(problems ?? [problemOf(message)]) }),
      ...(warnings !== undefined && { warnings }),
      ...(hint !== undefined && { hint }),
    },
  };
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: CallAnswer): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, body);
}
