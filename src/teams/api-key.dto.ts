import { IsName } from '../http/operator-validators.js';
import { type ApiKey } from './api-key.entity.js';

/** Body of a new key. */
export class CreateApiKey {
  @IsName()
  name: string;
}

/** A key as the operator reads it: never the key itself. */
export interface ApiKeyResource {
  id: string;
  name: string;
  /** The key's first characters. */
  prefix: string;
  createdAt: string;
}

/** A key at its creation: `key` is shown this once. */
export type NewApiKeyResource = ApiKeyResource & { key: string };

export function apiKeyResource(apiKey: ApiKey): ApiKeyResource {
  const { id, name, prefix, createdAt } = apiKey;
  return { id, name, prefix, createdAt: createdAt.toISOString() };
}
