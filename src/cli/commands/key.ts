import { CreateApiKey } from '../../teams/api-key.dto.js';
import { ApiKeysService } from '../../teams/api-keys.service.js';
import { type Command, done, type FieldsOf, pageOutput, record } from '../command.js';
import { text } from '../field-kinds.js';

const FIELDS: FieldsOf<CreateApiKey> = {
  name: text('<text>', 'who uses it', { required: true }),
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
      return pageOutput(keys, 'id', 'name', 'prefix', 'createdAt');
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
