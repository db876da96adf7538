import { type IncomingMessage } from 'node:http';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { keyHashOf } from './key-of-request.js';
import { KeyUses } from './key-uses.service.js';
import { KnownKeys } from './known-keys.js';

/**
 * The cache of API keys, one for the whole process. In come the keys of requests; out go teams, scopes, and
 * the last uses of keys. Table: `api_keys`, of TeamsModule.
 */
@Global()
@Module({ providers: [KnownKeys, KeyUses], exports: [KnownKeys, KeyUses] })
export class KnownKeysModule {
  /**
   * Returns a function that finds the team of a request's key in the cache, without a query. The function is
   * only for scheduling.
   */
  static teamTeller(app: INestApplicationContext): (request: IncomingMessage) => string | null {
    const keys = app.get(KnownKeys);
    return (request) => {
      const keyHash = keyHashOf(request);
      return keyHash === null ? null : keys.lastTeamOf(keyHash);
    };
  }
}
