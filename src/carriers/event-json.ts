import { UUID } from '../domain/uuid.js';
import { CARRIER_EVENT_STATUSES, type CarrierEvent, type CarrierEventStatus } from './carrier.js';

/** An event as it travels: the body of a callback of the simulator and of the HTTP carrier, and what these find. */
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
}

export type ParsedCarrierEvent = { ok: true; event: CarrierEvent } | { ok: false; message: string };

export function carrierEventToJson(event: CarrierEvent): CarrierEventJson {
  const { answeredAt, result, ...rest } = event;
  const { callbackAt, ...said } = result ?? {};
  return {
    ...rest,
    at: event.at.toISOString(),
    ...(answeredAt && { answeredAt: answeredAt.toISOString() }),
    ...said,
    ...(callbackAt && { callbackAt: callbackAt.toISOString() }),
  };
}

/** Reads what came over the network, but for the result; the message names the field at fault. */
export function carrierEventFromJson(value: unknown): ParsedCarrierEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return no('the body must be an object');
  const { callRequestId, carrierCallId, status, at, answeredAt, reason, durationSeconds } = value as Record<
    string,
    unknown
  >;
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
  return { ok: true, event };
}

function instantFrom(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return null;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

// Visible ASCII only: these are stored and shown, and Postgres refuses NUL.
function isShortText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value);
}

function no(message: string): ParsedCarrierEvent {
  return { ok: false, message };
}
