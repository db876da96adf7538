import { IsOptional } from 'class-validator';
import {
  CONSENT_LEVELS,
  type ConsentLevel,
  PURPOSES,
  type Purpose,
  type Voice,
  VOICES,
} from '../domain/compliance/pack.js';
import { MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import { IsName, IsOffsetInstant, IsOneOf } from '../http/operator-validators.js';
import { IsText } from '../http/validators.js';

/** The longest text of an evidence, in UTF-16 units. */
const MAX_EVIDENCE = 2_000;
/** The longest reason of a revocation, in UTF-16 units. */
export const MAX_REASON = 500;

/** Body that records a consent; a row of a file has the same fields. */
export class RecordConsent {
  /** In any notation that the team's settings allow. */
  @IsText(MAX_PHONE_NUMBER_TEXT)
  phoneNumber: string;

  @IsOneOf(CONSENT_LEVELS)
  level: ConsentLevel;

  @IsOptional()
  @IsOneOf(PURPOSES)
  purpose?: Purpose | null;

  @IsOptional()
  @IsOneOf(VOICES)
  voice?: Voice | null;

  @IsName()
  source: string;

  @IsOptional()
  @IsText(MAX_EVIDENCE)
  evidence?: string | null;

  /** A date-time with an offset; so is `expiresAt`. */
  @IsOffsetInstant()
  grantedAt: string;

  @IsOptional()
  @IsOffsetInstant()
  expiresAt?: string | null;
}

/** Body that revokes a consent. */
export class RevokeConsent {
  @IsOptional()
  @IsText(MAX_REASON)
  reason?: string | null;

  /** A date-time with an offset; by default, now. */
  @IsOptional()
  @IsOffsetInstant()
  at?: string | null;
}

export const CONSENT_STATES = ['in_force', 'expired', 'revoked', 'opted_out'] as const;
/** Whether a consent is in force, or what has ended it first. */
export type ConsentState = (typeof CONSENT_STATES)[number];

/** A consent as lists and answers show it. Instants are ISO 8601 in UTC. */
export interface ConsentResource {
  id: string;
  /** E.164, or an erased number. */
  phoneNumber: string;
  level: ConsentLevel;
  /** Null: for every purpose; the same for `voice`. */
  purpose: Purpose | null;
  voice: Voice | null;
  /** Null: the person was erased. */
  source: string | null;
  evidence: string | null;
  grantedAt: string;
  expiresAt: string | null;
  status: ConsentState;
  /** Null while the consent is in force. */
  endedAt: string | null;
  /** Of a revocation. */
  endReason: string | null;
  /** When the consent was recorded. */
  createdAt: string;
}
