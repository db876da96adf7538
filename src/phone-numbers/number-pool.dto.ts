import { IsName, IsPhoneNumberList, MayBeAbsent } from '../http/operator-validators.js';

const MAX_POOL_SIZE = 1_000;

/** Body of a new pool; `phoneNumbers` must be phone numbers of the team. */
export class CreateNumberPool {
  @IsName()
  name: string;

  @IsPhoneNumberList(MAX_POOL_SIZE)
  phoneNumbers: unknown[];
}

/**
 * Body of a change: an absent field does not change; `phoneNumbers` replaces all phone numbers of the pool.
 */
export class UpdateNumberPool extends CreateNumberPool {
  @MayBeAbsent()
  declare name: string;

  @MayBeAbsent()
  declare phoneNumbers: unknown[];
}

/** A pool as the operator reads it. */
export interface NumberPoolResource {
  id: string;
  name: string;
  /** E.164, in ascending order. */
  phoneNumbers: string[];
  createdAt: string;
}
