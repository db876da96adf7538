import { type Evidence } from '../../evidence.js';

/** The reasons by which packs refuse a call, in the order in which the first one decides. */
export const COMPLIANCE_REASONS = [
  'JURISDICTION_CAP',
  'COOL_OFF',
  'CONSENT_REQUIRED',
  'CALLING_PROHIBITED',
  'SUSPENDED',
  'ON_REGISTER',
  'REGISTER_STALE',
  'UNKNOWN_LOCATION',
] as const;
export type ComplianceReason = (typeof COMPLIANCE_REASONS)[number];

/**
 * What one rule says, whatever its mode. `reason` is null for rules that narrow the schedule. `retryAt` (epoch
 * milliseconds) is the instant from which the rule would allow the call by the same facts. It is absent if waiting does
 * not help.
 */
export type RuleOutcome =
  | { allow: true; evidence: Evidence; consent?: string | null }
  | { allow: false; reason: ComplianceReason | null; evidence: Evidence; retryAt?: number };
