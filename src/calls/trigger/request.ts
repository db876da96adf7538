import { splitFields } from '../../domain/known-fields.js';
import { parsePhoneNumber } from '../../domain/phone-number.js';
import { jsonBytes, MAX_JSON_BYTES } from '../../http/json-size.js';
import { validateBody } from '../../http/validation.js';
import {
  IsEmailAddress,
  isUuid,
  IsText,
  IsTimeZone,
  IsUuid,
  MAX_COMPANY_NAME,
  MAX_COMPANY_WEBSITE,
  MAX_NAME,
} from '../../http/validators.js';
import { IsOptional } from 'class-validator';
import { type RefusalReason } from './refusals.js';

/** The fields of contract 4.1 that are checked by shape; numbers and the pool have refusals of their own. */
export class TriggerFields {
  @IsOptional()
  @IsText(MAX_NAME)
  fullName?: string;

  /** Alias of `fullName`, which wins. */
  @IsOptional()
  @IsText(MAX_NAME)
  name?: string;

  @IsOptional()
  @IsEmailAddress()
  email?: string;

  @IsOptional()
  @IsText(MAX_COMPANY_NAME)
  companyName?: string;

  @IsOptional()
  @IsText(MAX_COMPANY_WEBSITE)
  companyWebsite?: string;

  @IsOptional()
  @IsTimeZone()
  timezone?: string;

  @IsOptional()
  @IsText(64)
  fromPhoneNumber?: string;

  /** Not a variable; if sent, it must be the key's own team. */
  @IsOptional()
  @IsUuid()
  teamId?: string;
}

/** Every other key is a variable. */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'phoneNumber',
  'fullName',
  'name',
  'email',
  'companyName',
  'companyWebsite',
  'timezone',
  'fromPhoneNumber',
  'numberPoolId',
  'teamId',
]);

const VARIABLES_TOO_LARGE = `variables (all fields that are not named) must be at most ${MAX_JSON_BYTES} bytes of JSON`;

/** A well-formed trigger. null means not sent, as null and the empty string do in the body. */
export interface TriggerRequest {
  /** E.164. */
  phoneNumber: string;
  country: string | null;
  contact: {
    name: string | null;
    email: string | null;
    companyName: string | null;
    companyWebsite: string | null;
    timezone: string | null;
  };
  /** E.164. */
  fromPhoneNumber: string | null;
  numberPoolId: string | null;
  teamId: string | null;
  /** Every key of the body that the contract does not name. */
  variables: Record<string, unknown>;
}

export type ParsedTrigger =
  { ok: true; value: TriggerRequest } | { ok: false; reason: RefusalReason; message?: string };

/**
 * Reads the body of a trigger.
 *
 * @param defaultCountry in which numbers in national form are read; null refuses them.
 */
export function parseTriggerRequest(
  body: Record<string, unknown>,
  defaultCountry: string | null,
): ParsedTrigger {
  const refuse = (message: string): ParsedTrigger => ({ ok: false, reason: 'INVALID_REQUEST', message });
  const { sent, others: variables } = splitFields(body, KNOWN_KEYS);
  if (sent.phoneNumber === undefined) return refuse('phoneNumber is required');
  const phoneNumber = parsePhoneNumber(sent.phoneNumber, defaultCountry);
  if (!phoneNumber.ok) return refuse(phoneNumber.message);
  const fields = validateBody(TriggerFields, sent);
  if (!fields.ok) return refuse(fields.message);
  const { fullName, name, email, companyName, companyWebsite, timezone, teamId } = fields.value;

  let fromPhoneNumber: string | null = null;
  if (fields.value.fromPhoneNumber !== undefined) {
    const from = parsePhoneNumber(fields.value.fromPhoneNumber, defaultCountry, 'fromPhoneNumber');
    if (!from.ok) return { ok: false, reason: 'FROM_NUMBER_INVALID' };
    fromPhoneNumber = from.e164;
  }
  const pool = sent.numberPoolId ?? null;
  if (pool !== null && !isUuid(pool)) return { ok: false, reason: 'NUMBER_POOL_INVALID' };

  if (jsonBytes(variables) > MAX_JSON_BYTES) return refuse(VARIABLES_TOO_LARGE);

  return {
    ok: true,
    value: {
      phoneNumber: phoneNumber.e164,
      country: phoneNumber.country,
      contact: {
        name: fullName ?? name ?? null,
        email: email ?? null,
        companyName: companyName ?? null,
        companyWebsite: companyWebsite ?? null,
        timezone: timezone ?? null,
      },
      fromPhoneNumber,
      numberPoolId: pool,
      teamId: teamId ?? null,
      variables,
    },
  };
}
