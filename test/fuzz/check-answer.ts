import { METHODS } from 'node:http';
import { type Conformance, type WireAnswer } from '../openapi/conformance.js';
import { type Fills, filledBody, type FuzzRequest, isBroken } from './fuzz-request.js';
import { type Outcome } from './wire.js';

/**
 * Stands in every text of the other team, and its numbers begin so. Never sent, and in no example of the
 * documentation.
 */
export const FOREIGN_MARK = 'xqzforeignmark';
export const FOREIGN_NUMBERS = '+441914980';

// A busy machine takes seconds for what takes milliseconds; what waits for something that never comes takes
// longer.
const SLOW_MS = 10_000;
// A forecast plays for as long as it needs, up to five minutes, and gives way to everything else.
const FORECAST = /\/forecast(?:$|\?)/;
const SLOW_FORECAST_MS = 60_000;
// The only 500s that the contract words; INTERNAL and SERVICE_UNAVAILABLE must not happen here.
const NAMED_500 =
  /"reason":"(?:AGENT_NOT_FOUND|INVALID_API_KEY|DO_NOT_CALL|RECENTLY_CALLED|ALREADY_SCHEDULED)"/;
// Node's own refusals of what is hardly HTTP, before any of our code; they have no body.
const PROTOCOL_REFUSALS = [400, 408, 413, 417, 431];

/** What is wrong with what came of a request, or null. */
export function checkAnswer(
  request: FuzzRequest,
  fills: Fills,
  outcome: Outcome,
  conformance: Conformance,
): string | null {
  const broken = isBroken(request) || !METHODS.includes(request.method);
  if (outcome.kind === 'silent') return 'no answer';
  if (outcome.kind === 'closed') return broken ? null : 'the connection was closed without an answer';
  const { answer, ms } = outcome;
  if (ms > (FORECAST.test(request.target) ? SLOW_FORECAST_MS : SLOW_MS))
    return `answered after ${Math.round(ms)} ms`;
  if (!mayShowForeign(request) && shows(answer)) return `another team's data: ${answer.text}`;
  if (broken && answer.text === '' && PROTOCOL_REFUSALS.includes(answer.status)) return null;
  return checkStatusAndBody(request, fills, answer, conformance);
}

function checkStatusAndBody(
  request: FuzzRequest,
  fills: Fills,
  answer: WireAnswer,
  conformance: Conformance,
): string | null {
  const path = request.target.replace(/^http:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
  const { status, text } = answer;
  const found = conformance.find(request.method, path);
  // The path of another route, such as `/api/campaigns/enrollments`, may also be one of `/api/campaigns/{id}`.
  const isOfOtherMethods = conformance.operations.some(
    (one) => !one.path.includes('{') && one.address.test(path),
  );
  const known = status === 405 && isOfOtherMethods ? undefined : found;
  const said = `${status} ${text}`;
  const isCall = ['triggerCall', 'explainCall'].includes(known?.operation.operationId ?? '');
  if (status >= 500 && !(isCall && NAMED_500.test(text))) return said;
  if (request.method === 'HEAD') return text === '' ? null : `HEAD with a body: ${said}`;
  if (known === undefined) {
    if (request.method === 'OPTIONS' && status < 300) return null;
    return [404, 405].includes(status) && /^{"error":"[^"]+","requestId":"[^"]+"}$/.test(text)
      ? null
      : `no route, and yet ${said}`;
  }
  const fault = conformance.fault(known, answer);
  if (fault !== null) return fault;
  const body = status < 300 && known.operation.requestBody ? filledBody(request, fills) : undefined;
  if (body !== undefined && !conformance.acceptsBody(known, body))
    return 'the document forbids what was taken';
  return null;
}

/** The operator reads every team. */
function mayShowForeign({ headers, target }: FuzzRequest): boolean {
  const operator = headers.some(([, value]) => value.includes('<operatorToken>'));
  return (
    operator &&
    (target.includes('/teams/<foreign.') ||
      /^\/api\/admin\/(?:teams|do-not-call|audit)\/?(?:\?|$)/i.test(target))
  );
}

function shows({ headers, text }: WireAnswer): boolean {
  const all = `${JSON.stringify(headers)} ${text}`;
  return all.includes(FOREIGN_MARK) || all.includes(FOREIGN_NUMBERS);
}
