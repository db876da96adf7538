import { type IncomingMessage } from 'node:http';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { keyHashOf } from './key-of-request.js';
import { KeyUses } from './key-uses.service.js';
import { KnownKeys } from './known-keys.js';

/** One memory of keys for the whole process. */
@Global()
@Module({ providers: [KnownKeys, KeyUses], exports: [KnownKeys] })
export class KnownKeysModule {
  /** Tells the team whose key a request sends, as far as that is known without asking. For scheduling alone. */
  static teamTeller(app: INestApplicationContext): (request: IncomingMessage) => string | null {
    const keys = app.get(KnownKeys);
    return (request) => {
      const keyHash = keyHashOf(request);
      return keyHash === null ? null : keys.lastTeamOf(keyHash);
    };
  }
}
