import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Secrets } from './secrets.js';
import { SECRETS } from './secrets.token.js';
import { StoredSecrets } from './stored-secrets.js';

/**
 * Secrets at rest, injectable everywhere. In come secrets and where they stand; out goes their sealed form, and
 * back. No tables of its own.
 */
@Global()
@Module({
  providers: [
    {
      provide: SECRETS,
      inject: [Config],
      useFactory: ({ secretsKey, secretsKeyPrevious }: Config): Secrets | null =>
        secretsKey === undefined ? null : new Secrets(secretsKey, secretsKeyPrevious),
    },
    StoredSecrets,
  ],
  exports: [SECRETS, StoredSecrets],
})
export class SecretsModule {}
