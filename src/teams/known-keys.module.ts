import { Global, Module } from '@nestjs/common';
import { KnownKeys } from './known-keys.js';

/** One memory of keys for the whole process. */
@Global()
@Module({ providers: [KnownKeys], exports: [KnownKeys] })
export class KnownKeysModule {}
