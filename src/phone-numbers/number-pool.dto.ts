import { IsName, IsPhoneNumberList, MayBeAbsent } from '../http/operator-validators.js';

const MAX_POOL_SIZE = 1_000;

/** Body of a new pool; `phoneNumbers` are of the team's own. */
export class CreateNumberPool {
  @IsName()
  name: string;

  @IsPhoneNumberList(MAX_POOL_SIZE)
  phoneNumbers: unknown[];
}

/** Body of a change: what is absent stays; `phoneNumbers` replaces all of them. */
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
