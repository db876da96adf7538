import { type ConsentLevel, type Purpose, type RuleKind, type Voice } from './pack.js';
import { type Place } from './place.js';

export const COMPLIANCE_MODES = ['off', 'warn', 'enforce'] as const;
export type ComplianceMode = (typeof COMPLIANCE_MODES)[number];

/** A team's `compliance`. An unset `purpose` or `voice` counts as the strictest. */
export interface ComplianceSetting {
  mode: ComplianceMode;
  packs: 'auto' | readonly string[];
  purpose: Purpose | null;
  voice: Voice | null;
  /** The custom property with the contact's region, ISO 3166-2. */
  regionProperty: string | null;
  /** The custom property with the contact's level of consent. */
  consentProperty: string | null;
  /** Modes of single kinds; a kind without one has `mode`. */
  kinds: Readonly<Partial<Record<RuleKind, ComplianceMode>>>;
}

/** A consent that was granted, has not expired, and was neither revoked nor ended by a later opt-out. */
export interface ConsentFact {
  /** null: by the contact's custom property. */
  id: string | null;
  level: ConsentLevel;
  /** null: for every purpose, every voice. */
  purpose: Purpose | null;
  voice: Voice | null;
  /** ISO 8601, UTC; `expiresAt` null: never. */
  grantedAt: string | null;
  expiresAt: string | null;
}

/** What a register says of the number. A register that was never imported has no fact. */
export interface RegisterFact {
  register: string;
  /** ISO 8601, UTC: when the list of the version in force was made. */
  asOf: string;
  listed: boolean;
}

/** What the rules of packs read about one call to one number. */
export interface ComplianceFacts {
  setting: ComplianceSetting;
  /** The purpose of the campaign or the agent, which beats the team's. */
  purpose: Purpose | null;
  place: Place;
  /** The value of the contact's `regionProperty`, if it is ISO 3166-2. */
  region: string | null;
  consents: readonly ConsentFact[];
  registers: readonly RegisterFact[];
  /** Instants (ms) at which other calls to the number were processed, as far back as a cap reaches. */
  processedAt: readonly number[];
  /** When the last conversation with the person ended (ms). */
  lastConversationAt: number | null;
}
