import { IsOptional } from 'class-validator';
import {
  BODY_FIELDS,
  CONTACT_FIELD_NAMES,
  type ContactFieldName,
  type ContactFieldValues,
  contactFieldValues,
  type SentFields,
} from '../domain/contact-fields.js';
import { contactKeys } from '../domain/near-misses.js';
import { splitFields } from '../domain/known-fields.js';
import { readRequiredNumber } from '../domain/phone-number.js';
import { IsContactField } from '../http/contact-field-rule.js';
import { type Faulty, faulty, problemsOf } from '../http/app-error.js';
import { validateBody } from '../http/validation.js';
import { IsUuid, MAX_JSON_BYTES } from '../http/validators.js';

/**
 * The error for properties that are too large. Merged properties can be too large even if the properties of
 * the request are not.
 */
export const TOO_LARGE = `The custom properties of a contact must be at most ${MAX_JSON_BYTES} bytes of JSON in all`;

/**
 * The fields of a contact, of contract 4.2 and 4.4, that validators check. The phone number has a parser of its
 * own.
 */
export class ContactFields implements SentFields<ContactFieldName> {
  @IsOptional()
  @IsUuid()
  teamId?: string;

  @IsOptional()
  @IsUuid()
  campaignId?: string;

  @IsContactField()
  externalId: string | undefined;

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
}

const OTHER_KEYS = ['phoneNumber', 'teamId', 'campaignId'];

/** The keys of a body of contract 4.2 and 4.4. Every other key is a custom property. */
export const CONTRACT_KEYS: ReadonlySet<string> = new Set([
  ...OTHER_KEYS,
  ...BODY_FIELDS.map(({ name }) => name),
]);

/** The keys of a change, and of a row of an import. Every other key is a custom property. */
export const FIELD_KEYS: ReadonlySet<string> = new Set([...OTHER_KEYS, ...CONTACT_FIELD_NAMES]);

export const CONTACT_KEYS = contactKeys(CONTRACT_KEYS);

/**
 * A well-formed request for a contact. null: not sent. In the body, null and the empty string count as not
 * sent.
 */
export interface ContactRequest extends ContactFieldValues {
  teamId: string | null;
  campaignId: string | null;
  /** E.164. */
  phoneNumber: string;
  /** ISO 3166 code of the country of the number; null: the number belongs to none. */
  country: string | null;
  /** Every other key of the body with its value as it was sent, null and the empty string included. */
  customProperties: Record<string, unknown>;
}

/**
 * Reads the body of contract 4.2 and 4.4, which have the same keys, or a row of an import.
 *
 * @param defaultCountry the country of a number in national form; null: such a number is refused.
 * @param keys {@link CONTRACT_KEYS} or {@link FIELD_KEYS}.
 */
export function parseContactRequest(
  body: Record<string, unknown>,
  defaultCountry: string | null,
  acceptUnknownRanges: boolean,
  keys: ReadonlySet<string>,
): { ok: true; value: ContactRequest } | Faulty {
  const { sent, others: customProperties } = splitFields(body, keys);
  const phoneNumber = readRequiredNumber(sent.phoneNumber, defaultCountry, acceptUnknownRanges);
  const fields = validateBody(ContactFields, sent);
  if (!phoneNumber.ok || !fields.ok) return faulty(problemsOf(phoneNumber, fields));
  const { teamId, campaignId } = fields.value;
  return {
    ok: true,
    value: {
      teamId: teamId ?? null,
      campaignId: campaignId ?? null,
      phoneNumber: phoneNumber.e164,
      country: phoneNumber.country,
      ...contactFieldValues(fields.value),
      customProperties,
    },
  };
}
