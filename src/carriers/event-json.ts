import { UUID } from '../domain/uuid.js';
import { type ReportedResult, readResult, saysResult } from '../http/call-result-fields.js';
import { CARRIER_EVENT_STATUSES, type CarrierEvent, type CarrierEventStatus } from './carrier.js';

/**
 * An event as JSON: the body of a report by the simulator or the HTTP carrier, and the event in an answer to
 * a look-up.
 */
export interface CarrierEventJson {
  callRequestId: string;
  carrierCallId: string | null;
  status: CarrierEventStatus;
  at: string;
  answeredAt?: string;
  reason?: string;
  durationSeconds?: number;
  disposition?: string;
  callbackAt?: string;
  optOut?: boolean;
  data?: Record<string, unknown>;
}

/**
 * `optOutOf` is the call request whose contact opts out, if a report with an opt-out is otherwise malformed.
 */
export type ParsedCarrierEvent =
  { ok: true; event: CarrierEvent } | { ok: false; message: string; optOutOf?: string };

export function carrierEventToJson(event: CarrierEvent): CarrierEventJson {
  const { answeredAt, result, ...rest } = event;
  return {
    ...rest,
    at: event.at.toISOString(),
    ...(answeredAt && { answeredAt: answeredAt.toISOString() }),
    ...(result && resultToJson(result)),
  };
}

function resultToJson({ disposition, callbackAt, optOut, data }: ReportedResult): Partial<CarrierEventJson> {
  return {
    ...(disposition !== null && { disposition }),
    ...(callbackAt && { callbackAt: callbackAt.toISOString() }),
    optOut,
    ...(data && { data }),
  };
}

/** Reads an event from untrusted JSON; the message names the invalid field. */
export function carrierEventFromJson(value: unknown): ParsedCarrierEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return no('the body must be an object');
  const fields = value as Record<string, unknown>;
  const parsed = readEvent(fields);
  const { callRequestId, optOut } = fields;
  if (parsed.ok || optOut !== true || typeof callRequestId !== 'string' || !UUID.test(callRequestId))
    return parsed;
  return { ...parsed, optOutOf: callRequestId };
}

function readEvent(fields: Record<string, unknown>): ParsedCarrierEvent {
  const { callRequestId, carrierCallId, status, at, answeredAt, reason, durationSeconds } = fields;
  if (typeof callRequestId !== 'string' || !UUID.test(callRequestId))
    return no('callRequestId must be a UUID');
  if (carrierCallId !== null && !isShortText(carrierCallId))
    return no('carrierCallId must be a short string or null');
  const known = CARRIER_EVENT_STATUSES.find((candidate) => candidate === status);
  if (known === undefined) return no(`status must be one of ${CARRIER_EVENT_STATUSES.join(', ')}`);
  const instant = instantFrom(at);
  if (instant === null) return no('at must be a UTC date-time');
  const event: CarrierEvent = { callRequestId, carrierCallId, status: known, at: instant };
  if (answeredAt !== undefined) {
    const answered = instantFrom(answeredAt);
    if (answered === null) return no('answeredAt must be a UTC date-time');
    event.answeredAt = answered;
  }
  if (reason !== undefined) {
    if (!isShortText(reason)) return no('reason must be a short string');
    event.reason = reason;
  }
  if (durationSeconds !== undefined) {
    if (typeof durationSeconds !== 'number' || !Number.isInteger(durationSeconds) || durationSeconds < 0) {
      return no('durationSeconds must be a whole number from 0');
    }
    event.durationSeconds = durationSeconds;
  }
  if (saysResult(fields)) {
    const result = readResult(fields);
    if (!result.ok) return no(result.message);
    event.result = result.value;
  }
  return { ok: true, event };
}

function instantFrom(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return null;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

// Printable ASCII only: these texts are stored and shown, and Postgres refuses NUL.
function isShortText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value);
}

function no(message: string): ParsedCarrierEvent {
  return { ok: false, message };
}
