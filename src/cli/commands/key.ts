import { KEY_SCOPES } from '../../domain/key-scopes.js';
import { CreateApiKey } from '../../teams/api-key.dto.js';
import { ApiKeysService } from '../../teams/api-keys.service.js';
import { type Command, done, type FieldsOf, pageOutput, record } from '../command.js';
import { list, text } from '../field-kinds.js';

const FIELDS: FieldsOf<CreateApiKey> = {
  name: text('<text>', 'who uses it', { required: true }),
  scopes: list('<names>', `what it may do, of ${KEY_SCOPES.join(', ')}; everything unless given`),
  expiresAt: text('<instant>', 'when it ends, such as 2027-03-28T09:00:00+02:00; never unless given'),
};

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key create',
    summary: 'Create an API key; it is shown only once',
    team: true,
    fields: FIELDS,
    run: async ({ service, teamId, body }) => {
      const key = await service(ApiKeysService).create(teamId, body(CreateApiKey));
      return record(key, 'Store the key now: only its hash is stored, and it cannot be shown again.');
    },
  },
  {
    name: 'key list',
    summary: 'List the API keys that are not revoked',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const keys = await service(ApiKeysService).list(teamId, page());
      return pageOutput(keys, 'id', 'name', 'prefix', 'scopes', 'expiresAt', 'lastUsedAt', 'createdAt');
    },
  },
  {
    name: 'key revoke',
    summary: 'Revoke an API key at once; this is final',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      await service(ApiKeysService).revoke(teamId, arg('id'));
      return done('Revoked: requests with this key are refused.', { id: arg('id'), revoked: true });
    },
  },
];
