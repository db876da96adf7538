import { IsOptional } from 'class-validator';
import { type Actor } from '../database/actor.js';
import { type Purpose, PURPOSES } from '../domain/compliance/pack.js';
import { type SuppressionScope, type SuppressionSource } from '../domain/limited-entry.js';
import {
  IsOffsetInstant,
  IsOneOf,
  IsPhoneNumberList,
  REJECTABLE_NUMBER,
} from '../http/operator-validators.js';
import { IsText, IsUuid } from '../http/validators.js';
import { type ListedNumber, type RejectedNumber } from '../phone-numbers/team-number.js';
import { TEAM_SCOPES } from './entry-limits.js';
import { type EntryScope } from './suppressing.js';

/** The most numbers in one request. */
export const MAX_NUMBERS = 10_000;
const MAX_REASON = 500;

/** Body that adds to the Do Not Call list. */
export class AddToDoNotCall {
  @IsPhoneNumberList(MAX_NUMBERS, 1, REJECTABLE_NUMBER)
  phoneNumbers: unknown[];

  @IsOptional()
  @IsText(MAX_REASON)
  reason?: string | null;

  @IsOptional()
  @IsOneOf(TEAM_SCOPES)
  scope?: EntryScope['scope'] | null;

  @IsOptional()
  @IsUuid()
  campaignId?: string | null;

  @IsOptional()
  @IsUuid()
  agentId?: string | null;

  @IsOptional()
  @IsOneOf(PURPOSES)
  purpose?: Purpose | null;

  @IsOptional()
  @IsOffsetInstant()
  effectiveFrom?: string | null;

  @IsOptional()
  @IsOffsetInstant()
  expiresAt?: string | null;
}

/** Body that adds to the platform's own list. */
export class AddToPlatformDoNotCall {
  @IsPhoneNumberList(MAX_NUMBERS, 1, REJECTABLE_NUMBER)
  phoneNumbers: unknown[];

  @IsOptional()
  @IsText(MAX_REASON)
  reason?: string | null;
}

/** Body that adds to the whitelist. */
export class AddToWhitelist {
  @IsPhoneNumberList(MAX_NUMBERS, 1, REJECTABLE_NUMBER)
  phoneNumbers: unknown[];
}

/** The result of a request that adds numbers. */
export interface Added {
  /** How many numbers were not on the list before. */
  added: number;
  /** Items that are no numbers; all others are on the list. */
  rejected: RejectedNumber[];
}

/** The result of a request that adds to the Do Not Call list. */
export interface AddedToDoNotCall extends Added {
  /** The numbers that are on the list for each item that was not rejected. */
  listed: ListedNumber[];
}

/**
 * An entry of the Do Not Call list as the operator or the team reads it. `phoneNumber` is E.164 or an erased
 * number.
 */
export interface DoNotCallResource {
  phoneNumber: string;
  reason: string | null;
  createdAt: string;
}

/** An entry that holds only for a campaign, an agent, a purpose or a time. Instants are ISO 8601 in UTC. */
export interface LimitedDoNotCallResource extends DoNotCallResource {
  scope: EntryScope['scope'];
  campaignId: string | null;
  agentId: string | null;
  /** null: for every purpose. */
  purpose: Purpose | null;
  effectiveFrom: string;
  /** null: never. */
  expiresAt: string | null;
}

/** An entry of the ledger about one number. Instants are ISO 8601 in UTC. */
export interface SuppressionEntryResource {
  action: 'added' | 'removed';
  scope: SuppressionScope;
  campaignId: string | null;
  agentId: string | null;
  purpose: Purpose | null;
  source: SuppressionSource;
  actorKind: Actor['kind'];
  actorName: string | null;
  reason: string | null;
  effectiveFrom: string;
  expiresAt: string | null;
  recordedAt: string;
}

/** An entry of the whitelist as the operator reads it; `phoneNumber` is E.164. */
export interface WhitelistResource {
  phoneNumber: string;
  createdAt: string;
}
