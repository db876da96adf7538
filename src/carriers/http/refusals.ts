import { type RefusalOutcome } from '../../domain/refused-by.js';
import { type CarrierEvent, type CarrierEventStatus } from '../carrier.js';

/** Reasons by which runtimes report who refused a call, as the platforms behind them spell them. */
export const REFUSALS: Readonly<Record<string, RefusalOutcome>> = {
  declined: 'declined',
  user_declined: 'declined',
  sip_603: 'declined',
  sip_607: 'declined',
  network_blocked: 'network_blocked',
  marked_as_spam: 'network_blocked',
  'sip_603+': 'network_blocked',
  sip_608: 'network_blocked',
};

/** The ends of a call without an answer. */
const UNANSWERED: ReadonlySet<CarrierEventStatus> = new Set(['busy', 'no_answer', 'failed']);

/** The event of a runtime's report: a call that was refused is `failed`, whatever status the runtime reports. */
export function withRefusal(event: CarrierEvent): CarrierEvent {
  const { status, reason = '' } = event;
  const refusal = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined;
  return refusal === undefined || !UNANSWERED.has(status)
    ? event
    : { ...event, status: 'failed', reason: refusal };
}
