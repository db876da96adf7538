import { IsOptional } from 'class-validator';
import { enrollKeys } from '../../domain/near-misses.js';
import { splitFields } from '../../domain/known-fields.js';
import { type Faulty } from '../../http/app-error.js';
import { fieldRule } from '../../http/field-rule.js';
import { oneOf, UUID_SCHEMA } from '../../http/json-schema.js';
import { validateBody } from '../../http/validation.js';
import { IsText, isUuid, IsUuid, MAX_LABEL } from '../../http/validators.js';

const NAMED_VERSIONS = ['current', 'draft'];

/** The fields of contract 4.3; every other key is ignored. */
export class EnrollFields {
  @IsUuid()
  contactId: string;

  @IsUuid()
  campaignId: string;

  @IsOptional()
  @IsUuid()
  teamId?: string;

  @IsOptional()
  @IsText(MAX_LABEL)
  source?: string;

  @IsOptional()
  @fieldRule(
    'isVersion',
    (value) =>
      isUuid(value) || NAMED_VERSIONS.includes(value as string)
        ? null
        : 'must be current, draft or the id of a campaign version',
    { anyOf: [oneOf(NAMED_VERSIONS), UUID_SCHEMA] },
  )
  version?: string;
}

/** Every other key is ignored. */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'contactId',
  'campaignId',
  'teamId',
  'source',
  'version',
] satisfies (keyof EnrollFields)[]);

export const ENROLL_KEYS = enrollKeys(KNOWN_KEYS);

/**
 * A well-formed request to enroll. null: not sent. In the body, null and the empty string count as not sent.
 */
export interface EnrollRequest {
  teamId: string | null;
  contactId: string;
  campaignId: string;
  version: 'current' | 'draft' | { id: string };
  source: string | null;
}

/** Reads the body of contract 4.3. */
export function parseEnrollRequest(
  body: Record<string, unknown>,
): { ok: true; value: EnrollRequest } | Faulty {
  const fields = validateBody(EnrollFields, splitFields(body, KNOWN_KEYS).sent);
  if (!fields.ok) return fields;
  const { teamId, contactId, campaignId, source, version = 'current' } = fields.value;
  return {
    ok: true,
    value: {
      teamId: teamId ?? null,
      contactId,
      campaignId,
      version: version === 'current' || version === 'draft' ? version : { id: version },
      source: source ?? null,
    },
  };
}
