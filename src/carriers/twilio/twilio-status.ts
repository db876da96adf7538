import { type RefusalOutcome } from '../../domain/refused-by.js';
import { type CarrierEvent, type CarrierEventStatus } from '../carrier.js';

/**
 * Every status of a Twilio call, with Outdial's status. `answered`: whether a person or a machine has
 * answered.
 */
export const TWILIO_STATUSES = {
  queued: { status: 'in_progress', answered: false },
  initiated: { status: 'in_progress', answered: false },
  ringing: { status: 'in_progress', answered: false },
  'in-progress': { status: 'in_progress', answered: true },
  completed: { status: 'completed', answered: true },
  busy: { status: 'busy', answered: false },
  'no-answer': { status: 'no_answer', answered: false },
  // Canceled at Twilio's console or API before the call was answered.
  canceled: { status: 'failed', answered: false },
  failed: { status: 'failed', answered: false },
} as const satisfies Record<string, { status: CarrierEventStatus; answered: boolean }>;

export type TwilioStatus = keyof typeof TWILIO_STATUSES;

/** What the SIP codes and errors of calls that were not connected tell about who refused the call. */
export const REFUSALS_BY_SIP_CODE: Readonly<Record<number, RefusalOutcome>> = {
  603: 'declined',
  607: 'declined',
  608: 'network_blocked',
};
export const REFUSALS_BY_ERROR: Readonly<Record<number, RefusalOutcome>> = {
  31603: 'declined',
};

/** Every result of Twilio's answering machine detection, with the outcome of a completed call. */
export const ANSWERED_BY = {
  human: 'completed',
  unknown: 'completed',
  machine: 'voicemail',
  machine_start: 'voicemail',
  machine_end_beep: 'voicemail',
  machine_end_silence: 'voicemail',
  machine_end_other: 'voicemail',
  fax: 'voicemail',
} as const satisfies Record<string, CarrierEventStatus>;

export type AnsweredBy = keyof typeof ANSWERED_BY;

/** The state of a call, from a callback or a listing of Twilio. */
export interface TwilioReport {
  callSid: string | null;
  status: TwilioStatus;
  answeredBy: AnsweredBy | null;
  /** The time of the status; for an ended call, its end. */
  at: Date;
  /** From the answer to the end, in seconds. */
  durationSeconds: number | null;
  /** SIP response code of a call that was not connected. */
  sipCode: number | null;
  /** Whether Twilio says that the SIP response is a 603+, by `isNetworkBlock`. */
  networkBlocked?: boolean;
  /** Twilio's error code, if there is one. */
  errorCode: number | null;
}

export function isTwilioStatus(value: unknown): value is TwilioStatus {
  return typeof value === 'string' && Object.hasOwn(TWILIO_STATUSES, value);
}

/** Null if there is no result, or a result that this version does not know. */
export function answeredByOf(value: unknown): AnsweredBy | null {
  return typeof value === 'string' && Object.hasOwn(ANSWERED_BY, value) ? (value as AnsweredBy) : null;
}

export function eventOf(callRequestId: string, report: TwilioReport): CarrierEvent {
  const { callSid: carrierCallId, at, answeredBy, durationSeconds } = report;
  const { status, answered } = TWILIO_STATUSES[report.status];
  const event: CarrierEvent = { callRequestId, carrierCallId, status, at };
  if (status === 'completed') {
    if (answeredBy !== null) event.status = ANSWERED_BY[answeredBy];
    if (durationSeconds !== null) {
      event.durationSeconds = durationSeconds;
      event.answeredAt = new Date(at.getTime() - durationSeconds * 1_000);
    }
  } else if (answered) {
    event.answeredAt = at;
  } else {
    const refusal = status === 'in_progress' ? undefined : refusalOf(report);
    if (refusal !== undefined) return { ...event, status: 'failed', reason: refusal };
    const reason = reasonOf(report);
    if (reason !== undefined) event.reason = reason;
  }
  return event;
}

/** Who refused a call that was not connected. */
function refusalOf({ sipCode, errorCode, networkBlocked }: TwilioReport): RefusalOutcome | undefined {
  if (networkBlocked === true) return 'network_blocked';
  return REFUSALS_BY_SIP_CODE[sipCode ?? 0] ?? REFUSALS_BY_ERROR[errorCode ?? 0];
}

/** The reason why a call was not connected. */
function reasonOf({ status, sipCode, errorCode }: TwilioReport): string | undefined {
  if (TWILIO_STATUSES[status].status === 'in_progress') return undefined;
  if (sipCode !== null) return `sip_${sipCode}`;
  if (errorCode !== null) return `twilio_${errorCode}`;
  return status === 'canceled' || status === 'failed' ? `carrier_${status}` : undefined;
}
