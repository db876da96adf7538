import { Module } from '@nestjs/common';
import { RestoreCheck } from './restore-check.service.js';
import { RestoreWatch } from './restore-watch.service.js';

/**
 * Recognizes a restored database when a process starts. In comes the identity of the database; out goes a
 * pause of the platform. Table: `database_identity`.
 */
@Module({ providers: [RestoreCheck], exports: [RestoreCheck] })
export class RestoreCheckModule {}

/** The same for a worker, which also repeats the check every few seconds. */
@Module({ imports: [RestoreCheckModule], providers: [RestoreWatch] })
export class RestoreWatchModule {}
