import {
  type Carrier,
  type CarrierCheck,
  type CheckSubject,
  type EraseCallRequest,
  type EraseCallResult,
  type FindCallQuery,
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from './carrier.js';

/** The longest duration of a check. It is long, because a check may request many numbers one by one. */
const CHECK_MS = 60_000;

type Unknown = { kind: 'unknown'; reason: string };

/** Receives the carrier's exception for the log. The stored reason never contains the exception's message. */
export type CarrierErrorListener = (error: unknown) => void;

/**
 * Places a call; never throws, and returns within `carrier.timeoutMs`. Without an answer, the result is
 * `unknown`.
 */
export function placeCallBounded(
  carrier: Carrier,
  request: PlaceCallRequest,
  onError?: CarrierErrorListener,
): Promise<PlaceCallResult> {
  return bounded(carrier.timeoutMs, (signal) => carrier.placeCall(request, signal), onError);
}

/** Looks up an earlier dial; never throws, and returns within `carrier.timeoutMs`. */
export function findCallBounded(
  carrier: Carrier,
  query: FindCallQuery,
  onError?: CarrierErrorListener,
): Promise<FindCallResult> {
  return bounded(carrier.timeoutMs, (signal) => carrier.findCall(query, signal), onError);
}

/**
 * Hangs up; never throws, and returns within `carrier.timeoutMs`. Without an answer, the result is `unknown`.
 */
export function hangUpBounded(
  carrier: Carrier,
  request: HangUpRequest,
  onError?: CarrierErrorListener,
): Promise<HangUpResult> {
  return bounded(
    carrier.timeoutMs,
    async (signal) => (await carrier.hangUp?.(request, signal)) ?? { kind: 'cannot_hang_up' },
    onError,
  );
}

/** Erases a call; never throws, and returns within `carrier.timeoutMs`. Without an answer, it is `not_done`. */
export async function eraseCallBounded(
  carrier: Carrier,
  request: EraseCallRequest,
  onError?: CarrierErrorListener,
): Promise<EraseCallResult> {
  const result = await bounded<EraseCallResult>(
    carrier.timeoutMs,
    async (signal) =>
      (await carrier.eraseCall?.(request, signal)) ?? { kind: 'not_done', reason: 'cannot_erase' },
    onError,
  );
  return result.kind === 'unknown' ? { kind: 'not_done', reason: result.reason } : result;
}

/**
 * Checks a carrier; never throws, and takes no longer than {@link CHECK_MS}. A carrier without a check
 * passes.
 */
export async function checkBounded(
  carrier: Carrier,
  numbers: readonly string[],
  subject: CheckSubject = {},
): Promise<CarrierCheck> {
  if (carrier.check === undefined) return { ok: true, items: [] };
  const result = await bounded(
    CHECK_MS,
    async (signal) => (await carrier.check?.(numbers, signal, subject)) ?? { ok: true, items: [] },
    undefined,
  );
  if (!('kind' in result)) return result;
  return { ok: false, items: [{ what: carrier.name, ok: false, detail: result.reason }] };
}

async function bounded<T>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  onError: CarrierErrorListener | undefined,
): Promise<T | Unknown> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      // Resolves before the abort, so that a carrier's answer to the abort cannot win the race.
      resolve({ kind: 'unknown', reason: 'carrier_timeout' });
      controller.abort();
    }, timeoutMs);
  });
  // The catch also handles a rejection after the timeout, when nothing awaits the answer any more.
  const answer = invoke(ask, controller.signal).catch((error: unknown): Unknown => {
    notify(onError, error);
    return { kind: 'unknown', reason: errorReason(error) };
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

// Async, so that an exception which a carrier throws synchronously is caught as well.
async function invoke<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return await ask(signal);
}

function notify(onError: CarrierErrorListener | undefined, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // A failing log must not turn an answer into an exception.
  }
}

// Keeps only a code, because messages of HTTP clients can contain URLs, credentials and phone numbers.
function errorReason(error: unknown): string {
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  return code === undefined ? 'carrier_error' : `carrier_error_${code.toLowerCase()}`;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && /^[A-Z][A-Z_]{2,40}$/.test(code) ? code : undefined;
}
