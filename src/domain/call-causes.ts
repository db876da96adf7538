import { type GuardrailReason } from './guardrails/guardrails.js';

/** The causes of transitions, apart from the reasons of refusals. */
export type TransitionCause =
  | 'triggered'
  | 'campaign'
  | 'claimed'
  | 'outside_calling_hours'
  | 'zone_data_changed'
  | 'expired'
  | 'next_slot_too_late'
  | 'blocked'
  | 'canceled'
  | 'canceled_by_operator'
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
  | 'hung_up'
  | 'no_word'
  | 'database_restored'
  | 'resolved_by_operator';

/** A cause in a call's history: one of these, or the reason of the refusal at the claim. */
export type CallCause = TransitionCause | GuardrailReason | 'NO_CALLER_ID';
