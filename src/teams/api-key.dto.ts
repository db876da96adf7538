import { IsOptional } from 'class-validator';
import { KEY_SCOPES, type KeyScope, scopesOf } from '../domain/key-scopes.js';
import { IsName, IsOffsetInstant, IsSetOf } from '../http/operator-validators.js';
import { type ApiKey } from './api-key.entity.js';

/** Body of a new key. */
export class CreateApiKey {
  @IsName()
  name: string;

  /** Null is every scope. */
  @IsOptional()
  @IsSetOf(KEY_SCOPES)
  scopes?: KeyScope[] | null;

  /** A date-time with an offset; null: the key does not expire. */
  @IsOptional()
  @IsOffsetInstant()
  expiresAt?: string | null;
}

/** A key as the operator reads it: never the key itself. */
export interface ApiKeyResource {
  id: string;
  name: string;
  /** The key's first characters. */
  prefix: string;
  /** All scopes of the key, in the order of {@link KEY_SCOPES}. */
  scopes: KeyScope[];
  /** ISO 8601; null: the key does not expire. */
  expiresAt: string | null;
  /** ISO 8601, to the minute; null until a process has written the first use. */
  lastUsedAt: string | null;
  createdAt: string;
}

/** A key at its creation. Only this answer shows `key`. */
export type NewApiKeyResource = ApiKeyResource & { key: string };

export function apiKeyResource(apiKey: ApiKey): ApiKeyResource {
  const { id, name, prefix, scopes, expiresAt, lastUsedAt, createdAt } = apiKey;
  return {
    id,
    name,
    prefix,
    scopes: scopesOf(scopes),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
