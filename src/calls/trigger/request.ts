import { callKeys } from '../../domain/near-misses.js';
import { splitFields } from '../../domain/known-fields.js';
import { MAX_PHONE_NUMBER_TEXT, parsePhoneNumber, readRequiredNumber } from '../../domain/phone-number.js';
import { type Faulty, faulty, problemOf, problemsOf } from '../../http/app-error.js';
import {
  IsEmailAddress,
  IsText,
  IsTimeZone,
  isUuid,
  IsUuid,
  jsonBytes,
  MAX_COMPANY_NAME,
  MAX_COMPANY_WEBSITE,
  MAX_JSON_BYTES,
  MAX_NAME,
} from '../../http/validators.js';
import { validateBody } from '../../http/validation.js';
import { IsOptional } from 'class-validator';
import { REFUSALS, type RefusalReason } from './refusals.js';

/** The fields of contract 4.1 that are checked by shape; numbers and the pool have refusals of their own. */
export class TriggerFields {
  @IsOptional()
  @IsText(MAX_NAME)
  fullName?: string;

  /** Alias of `fullName`. If both are sent, `fullName` is used. */
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
  @IsText(MAX_PHONE_NUMBER_TEXT)
  fromPhoneNumber?: string;

  /** Not a variable; if sent, it must be the key's own team. */
  @IsOptional()
  @IsUuid()
  teamId?: string;
}

/** The keys of a body that are not variables. Every other key is a variable. */
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

export const CALL_KEYS = callKeys(KNOWN_KEYS);

const VARIABLES_TOO_LARGE = `variables (all fields that are not named) must be at most ${MAX_JSON_BYTES} bytes of JSON`;

/** A well-formed trigger. A field is null if it was not sent, or was sent as null or as the empty string. */
export interface TriggerRequest {
  /** E.164. */
  phoneNumber: string;
  country: string | null;
  /** See `ParsedPhoneNumber`. */
  unknownRange: boolean;
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
  { ok: true; value: TriggerRequest } | (Required<Faulty> & { reason: RefusalReason });

type Fault = Faulty & { reason?: RefusalReason };

/** One field that has a refusal of its own; null: not sent. */
type ReadField = { ok: true; value: string | null } | (Faulty & { reason: RefusalReason });

/**
 * Reads the body of a trigger. A refusal has the reason of the first bad field and a message that names all
 * bad fields.
 *
 * @param defaultCountry the country of numbers in national form; null: such numbers are refused.
 */
export function parseTriggerRequest(
  body: Record<string, unknown>,
  defaultCountry: string | null,
  acceptUnknownRanges = false,
): ParsedTrigger {
  const { sent, others: variables } = splitFields(body, KNOWN_KEYS);
  const phoneNumber = readRequiredNumber(sent.phoneNumber, defaultCountry, acceptUnknownRanges);
  const fields = validateBody(TriggerFields, sent);
  const from = readFromNumber(sent.fromPhoneNumber, defaultCountry);
  const pool = readPool(sent.numberPoolId);
  const size = checkSize(variables);
  if (!phoneNumber.ok || !fields.ok || !from.ok || !pool.ok || !size.ok) {
    const read: ({ ok: true } | Fault)[] = [phoneNumber, fields, from, pool, size];
    const [first] = read.filter((one) => !one.ok);
    return { ...faulty(problemsOf(...read)), reason: first?.reason ?? 'INVALID_REQUEST' };
  }
  const { fullName, name, email, companyName, companyWebsite, timezone, teamId } = fields.value;
  return {
    ok: true,
    value: {
      phoneNumber: phoneNumber.e164,
      country: phoneNumber.country,
      unknownRange: phoneNumber.unknownRange === true,
      contact: {
        name: fullName ?? name ?? null,
        email: email ?? null,
        companyName: companyName ?? null,
        companyWebsite: companyWebsite ?? null,
        timezone: timezone ?? null,
      },
      fromPhoneNumber: from.value,
      numberPoolId: pool.value,
      teamId: teamId ?? null,
      variables,
    },
  };
}

function readFromNumber(sent: unknown, defaultCountry: string | null): ReadField {
  // `TriggerFields` refuses a value that is not a text, or is too long.
  if (typeof sent !== 'string' || sent.length > MAX_PHONE_NUMBER_TEXT) return { ok: true, value: null };
  const from = parsePhoneNumber(sent, defaultCountry, 'fromPhoneNumber');
  return from.ok ? { ok: true, value: from.e164 } : refusedField('FROM_NUMBER_INVALID');
}

function readPool(sent: unknown = null): ReadField {
  return sent === null || isUuid(sent) ? { ok: true, value: sent } : refusedField('NUMBER_POOL_INVALID');
}

function checkSize(variables: Record<string, unknown>): ReadField {
  return jsonBytes(variables) <= MAX_JSON_BYTES
    ? { ok: true, value: null }
    : { ...faulty([problemOf(VARIABLES_TOO_LARGE, '')]), reason: 'INVALID_REQUEST' };
}

function refusedField(reason: RefusalReason): ReadField {
  return { ok: false, reason, message: REFUSALS[reason].message };
}
