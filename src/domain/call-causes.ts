import { type GuardrailReason } from './guardrails/guardrails.js';

/** Why a call's state changes, where no rule refused it. */
export type TransitionCause =
  | 'triggered'
  | 'campaign'
  | 'claimed'
  | 'outside_calling_hours'
  | 'expired'
  | 'next_slot_too_late'
  | 'blocked'
  | 'canceled'
  | 'contact_erased'
  | 'do_not_call'
  | 'not_dialed'
  | 'carrier_accepted'
  | 'carrier_refused'
  | 'carrier_throttled'
  | 'carrier_unreachable'
  | 'carrier_silent'
  | 'carrier_report'
  | 'carrier_listing'
  | 'no_word'
  | 'database_restored'
  | 'resolved_by_operator';

/** What may be recorded as a cause in a call's history: one of these, or the reason that refused the call when it was about to be dialed. */
export type CallCause = TransitionCause | GuardrailReason | 'NO_CALLER_ID';
