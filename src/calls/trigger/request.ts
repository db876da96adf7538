import {
  type SentFields,
  TRIGGER_FIELD_KEYS,
  type TriggerFieldAlias,
  type TriggerFieldName,
  type TriggerFieldValues,
  triggerFieldValues,
} from '../../domain/contact-fields.js';
import { ANY_TIME, type CallWindow } from '../../domain/call-window.js';
import { callKeys } from '../../domain/near-misses.js';
import { splitFields } from '../../domain/known-fields.js';
import { MAX_PHONE_NUMBER_TEXT, parsePhoneNumber, readRequiredNumber } from '../../domain/phone-number.js';
import { type Faulty, faulty, problemOf, problemsOf } from '../../http/app-error.js';
import { IsContactField } from '../../http/contact-field-rule.js';
import { IsText, isUuid, IsUuid, jsonBytes, MAX_JSON_BYTES } from '../../http/validators.js';
import { validateBody } from '../../http/validation.js';
import { IsOptional } from 'class-validator';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { type ReadWindow } from './window.js';

/** The fields of contract 4.1 that are checked by shape; numbers and the pool have refusals of their own. */
export class TriggerFields implements SentFields<TriggerFieldName | TriggerFieldAlias> {
  @IsContactField()
  fullName: string | undefined;

  /** Alias of `fullName`. If both are sent, `fullName` is used. */
  @IsContactField()
  name: string | undefined;

  @IsContactField()
  email: string | undefined;

  @IsContactField()
  companyName: string | undefined;

  @IsContactField()
  companyWebsite: string | undefined;

  @IsContactField()
  timezone: string | undefined;

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
  ...TRIGGER_FIELD_KEYS,
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
  contact: TriggerFieldValues;
  /** E.164. */
  fromPhoneNumber: string | null;
  numberPoolId: string | null;
  teamId: string | null;
  /** Every key of the body that the contract does not name. */
  variables: Record<string, unknown>;
  /** Of the parameters, and not checked at any instant yet. */
  window: CallWindow;
}

export type ParsedTrigger =
  { ok: true; value: TriggerRequest } | (Required<Faulty> & { reason: RefusalReason });

type Fault = Faulty & { reason?: RefusalReason };

/** One field that has a refusal of its own; null: not sent. */
type ReadField = { ok: true; value: string | null } | (Faulty & { reason: RefusalReason });

/**
 * Reads the body of a trigger, with its window. A refusal has the reason of the first bad field and a message that names all
 * bad fields.
 *
 * @param defaultCountry the country of numbers in national form; null: such numbers are refused.
 */
export function parseTriggerRequest(
  body: Record<string, unknown>,
  defaultCountry: string | null,
  acceptUnknownRanges = false,
  window: ReadWindow = { ok: true, value: ANY_TIME },
): ParsedTrigger {
  const { sent, others: variables } = splitFields(body, KNOWN_KEYS);
  const phoneNumber = readRequiredNumber(sent.phoneNumber, defaultCountry, acceptUnknownRanges);
  const fields = validateBody(TriggerFields, sent);
  const from = readFromNumber(sent.fromPhoneNumber, defaultCountry);
  const pool = readPool(sent.numberPoolId);
  const size = checkSize(variables);
  if (!phoneNumber.ok || !fields.ok || !from.ok || !pool.ok || !size.ok || !window.ok) {
    const read: ({ ok: true } | Fault)[] = [phoneNumber, fields, from, pool, size, window];
    const [first] = read.filter((one) => !one.ok);
    return { ...faulty(problemsOf(...read)), reason: first?.reason ?? 'INVALID_REQUEST' };
  }
  return {
    ok: true,
    value: {
      phoneNumber: phoneNumber.e164,
      country: phoneNumber.country,
      unknownRange: phoneNumber.unknownRange === true,
      contact: triggerFieldValues(fields.value),
      fromPhoneNumber: from.value,
      numberPoolId: pool.value,
      teamId: fields.value.teamId ?? null,
      variables,
      window: window.value,
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
