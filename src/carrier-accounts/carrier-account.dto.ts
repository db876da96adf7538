import { IsOptional } from 'class-validator';
import { CARRIERS } from '../carriers/registry.js';
import { IsJsonObject } from '../http/validators.js';
import { IsName, IsNumberWithin, IsOneOf, IsWholeNumber, MayBeAbsent } from '../http/operator-validators.js';
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

const LEAST_CALLS_PER_SECOND = 0.1;
const MOST_CALLS_PER_SECOND = 1_000;

/** Body of a new account. A limit of `null` is no limit. */
export class CreateCarrierAccount {
  @IsName()
  name: string;

  @IsOneOf(ACCOUNT_CARRIERS)
  carrier: string;

  @IsJsonObject(CREDENTIALS_SCHEMA)
  credentials: Record<string, unknown>;

  @IsOptional()
  @IsWholeNumber(1)
  maxConcurrent?: number | null;

  @IsOptional()
  @IsNumberWithin(LEAST_CALLS_PER_SECOND, MOST_CALLS_PER_SECOND)
  callsPerSecond?: number | null;
}

/** Body of a change: an absent field does not change. `credentials` replace all of the account. */
export class UpdateCarrierAccount {
  @MayBeAbsent()
  @IsName()
  name?: string;

  @MayBeAbsent()
  @IsJsonObject(CREDENTIALS_SCHEMA)
  credentials?: Record<string, unknown>;

  @IsOptional()
  @IsWholeNumber(1)
  maxConcurrent?: number | null;

  @IsOptional()
  @IsNumberWithin(LEAST_CALLS_PER_SECOND, MOST_CALLS_PER_SECOND)
  callsPerSecond?: number | null;
}

/** An account as it is shown. Its credentials are never shown. */
export interface CarrierAccountResource {
  id: string;
  name: string;
  carrier: string;
  /** The address to which the carrier reports; null without `PUBLIC_URL`. */
  reportUrl: string | null;
  /** The most active calls of the agents that name the account; null: no limit. */
  maxConcurrent: number | null;
  /** The most dials a second of these agents; null: no limit. */
  callsPerSecond: number | null;
  rotatedAt: string | null;
  createdAt: string;
}

/** The result of a check, item by item. */
export interface CarrierAccountCheck {
  ok: boolean;
  items: { what: string; ok: boolean; detail: string }[];
}
