import { CARRIERS } from '../carriers/registry.js';
import { IsJsonObject } from '../http/validators.js';
import { IsName, IsOneOf, MayBeAbsent } from '../http/operator-validators.js';
import { type JsonSchema } from '../http/json-schema.js';

/** The carriers at which a team can have an account of its own. */
export const ACCOUNT_CARRIERS = CARRIERS.flatMap(
  (carrier: { name: string; accountFields?: readonly object[] }) =>
    carrier.accountFields === undefined ? [] : [carrier.name],
);

/** What `readCredentials` accepts; each carrier has fields of its own. */
const CREDENTIALS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'string' },
};

/** Body of a new account. */
export class CreateCarrierAccount {
  @IsName()
  name: string;

  @IsOneOf(ACCOUNT_CARRIERS)
  carrier: string;

  @IsJsonObject(CREDENTIALS_SCHEMA)
  credentials: Record<string, unknown>;
}

/** Body of a change: an absent field does not change. `credentials` replace all of the account. */
export class UpdateCarrierAccount {
  @MayBeAbsent()
  @IsName()
  name?: string;

  @MayBeAbsent()
  @IsJsonObject(CREDENTIALS_SCHEMA)
  credentials?: Record<string, unknown>;
}

/** An account as it is shown. Its credentials are never shown. */
export interface CarrierAccountResource {
  id: string;
  name: string;
  carrier: string;
  /** The address to which the carrier reports; null without `PUBLIC_URL`. */
  reportUrl: string | null;
  rotatedAt: string | null;
  createdAt: string;
}

/** The result of a check, item by item. */
export interface CarrierAccountCheck {
  ok: boolean;
  items: { what: string; ok: boolean; detail: string }[];
}
