import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js';
import { isErasedNumber } from '../../domain/erased-number.js';
import { type FindCallQuery, type FindCallResult } from '../carrier.js';
import { type TwilioAnswer, type TwilioApi } from './twilio-api.js';
import { TWILIO_CALLBACKS_PATH } from './twilio-paths.js';
import { answeredByOf, eventOf, isTwilioStatus } from './twilio-status.js';

/** Clocks differ, and Twilio's instants are whole seconds. */
const CLOCK_SKEW_MS = 5_000;
/** A claimed call is dialed within 5 seconds or not at all. */
const CLAIM_MS = 5_000;
/** With more candidates than this, the look-up is ambiguous. */
const MOST_CANDIDATES = 5;
const PAGE_SIZE = 20;

/**
 * Finds an earlier dial by its SID if the SID is known, else by numbers, time and callbacks. A match by
 * numbers and time only is `inferred`.
 */
export async function findTwilioCall(
  api: TwilioApi,
  query: FindCallQuery,
  signal: AbortSignal,
): Promise<FindCallResult> {
  const { carrierCallId, callRequestId } = query;
  if (carrierCallId !== null) {
    const fetched = await api.ask(signal, (client) => client.calls(carrierCallId).fetch());
    if (fetched.kind !== 'ok') return failure(fetched);
    return found(callRequestId, fetched.value);
  }
  // Twilio lists calls by number, and the number of this call is erased.
  if (isErasedNumber(query.to)) return { kind: 'not_found' };
  const listed = await api.ask(signal, (client) =>
    client.calls.page({
      to: query.to,
      from: query.from,
      startTimeAfter: new Date(query.claimedAt.getTime() - CLOCK_SKEW_MS),
      pageSize: PAGE_SIZE,
    }),
  );
  if (listed.kind !== 'ok') return failure(listed);
  if (listed.value.nextPageUrl) return ambiguous();
  const candidates = listed.value.instances.filter((call) => mayBe(call, query, api.timeoutMs));
  if (candidates.length === 0) return { kind: 'not_found' };
  if (candidates.length > MOST_CANDIDATES) return ambiguous();
  return choose(api, callRequestId, candidates, signal);
}

/**
 * Whether a listed call may be the dial that is looked up. The numbers must be equal. The direction and the
 * creation time, if Twilio returns them, must fit the claim.
 */
function mayBe(call: CallInstance, { to, from, claimedAt }: FindCallQuery, timeoutMs: number): boolean {
  if (call.to !== to || call.from !== from || call.parentCallSid) return false;
  if (call.direction && call.direction !== 'outbound-api') return false;
  const created = instantOf(call.dateCreated) ?? instantOf(call.startTime);
  if (created === null) return true;
  const sinceClaim = created.getTime() - claimedAt.getTime();
  return sinceClaim >= -CLOCK_SKEW_MS && sinceClaim <= CLAIM_MS + timeoutMs + CLOCK_SKEW_MS;
}

/**
 * Chooses a candidate by its callbacks, whose URLs contain the id of the call request. Numbers and time are
 * no proof, because several teams or programs may share an account. Twilio lists a call's callbacks only some
 * time after the call's end.
 */
async function choose(
  api: TwilioApi,
  callRequestId: string,
  candidates: CallInstance[],
  signal: AbortSignal,
): Promise<FindCallResult> {
  const asked = await Promise.all(candidates.map(({ sid }) => ownersOf(api, sid, signal)));
  const owners = asked.filter((ids) => ids !== null);
  if (owners.length < asked.length) return { kind: 'unknown', reason: 'carrier_events_unreadable' };
  const [proven] = candidates.filter((_, index) => owners[index]?.includes(callRequestId.toLowerCase()));
  if (proven !== undefined) return found(callRequestId, proven);
  const untold = candidates.filter((_, index) => owners[index]?.length === 0);
  const [only] = untold;
  if (only === undefined) return { kind: 'not_found' };
  if (untold.length > 1) return ambiguous();
  const result = found(callRequestId, only);
  return result.kind === 'found' ? { ...result, inferred: true } : result;
}

const OUR_CALLBACK = new RegExp(`/${TWILIO_CALLBACKS_PATH}/(?:status|amd|twiml)/([0-9a-f-]{36})`, 'i');

/**
 * The ids of call requests in the callback URLs that Twilio has requested for a call. Empty: Twilio lists
 * none; null: the list could not be read.
 */
async function ownersOf(api: TwilioApi, callSid: string, signal: AbortSignal): Promise<string[] | null> {
  const answer = await api.ask(signal, (client) => client.calls(callSid).events.page({ pageSize: 50 }));
  if (answer.kind === 'error' && answer.status === 404) return [];
  if (answer.kind !== 'ok') return null;
  return answer.value.instances.flatMap(({ request }) => {
    const { url } = (request ?? {}) as { url?: unknown };
    const [, id] = (typeof url === 'string' && OUR_CALLBACK.exec(url)) || [];
    return id === undefined ? [] : [id.toLowerCase()];
  });
}

function found(callRequestId: string, call: CallInstance): FindCallResult {
  const { status, sid, duration } = call;
  if (!isTwilioStatus(status)) return { kind: 'unknown', reason: 'carrier_unreadable' };
  const at = instantOf(call.endTime) ?? instantOf(call.dateUpdated) ?? new Date();
  const seconds = duration ? Number(duration) : NaN;
  const event = eventOf(callRequestId, {
    callSid: sid,
    status,
    answeredBy: answeredByOf(call.answeredBy),
    at,
    durationSeconds: Number.isInteger(seconds) && seconds >= 0 ? seconds : null,
    sipCode: null,
    errorCode: null,
  });
  return { kind: 'found', event };
}

/** The SDK does not convert a date that it cannot read. */
function instantOf(value: unknown): Date | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : null;
}

function failure(answer: Exclude<TwilioAnswer<unknown>, { kind: 'ok' }>): FindCallResult {
  if (answer.kind !== 'error') return { kind: 'unknown', reason: answer.reason };
  return { kind: 'unknown', reason: `carrier_http_${answer.status}` };
}

function ambiguous(): FindCallResult {
  return { kind: 'unknown', reason: 'carrier_ambiguous' };
}
