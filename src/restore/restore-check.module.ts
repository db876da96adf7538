import { Module } from '@nestjs/common';
import { RestoreCheck } from './restore-check.service.js';
import { RestoreWatch } from './restore-watch.service.js';

/** A process that starts on a restored database pauses the platform. Table: `database_identity`. */
@Module({ providers: [RestoreCheck], exports: [RestoreCheck] })
export class RestoreCheckModule {}

/** The same for a worker, which keeps checking. */
@Module({ imports: [RestoreCheckModule], providers: [RestoreWatch] })
export class RestoreWatchModule {}
