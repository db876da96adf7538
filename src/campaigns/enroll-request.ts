import { IsOptional } from 'class-validator';
import { fieldRule } from '../http/field-rule.js';
import { oneOf, UUID_SCHEMA } from '../http/json-schema.js';
import { validateBody } from '../http/validation.js';
import { IsText, isUuid, IsUuid, MAX_LABEL } from '../http/validators.js';

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

/** A well-formed request to enroll. null means not sent. */
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
): { ok: true; value: EnrollRequest } | { ok: false; message: string } {
  const fields = validateBody(EnrollFields, body);
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
