import { IsOptional } from 'class-validator';
import { IsPhoneNumberList, REJECTABLE_NUMBER } from '../http/operator-validators.js';
import { IsText } from '../http/validators.js';
import { type ListedNumber, type RejectedNumber } from '../phone-numbers/team-number.js';

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

/** An entry of the whitelist as the operator reads it; `phoneNumber` is E.164. */
export interface WhitelistResource {
  phoneNumber: string;
  createdAt: string;
}
