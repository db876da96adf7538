import { Module } from '@nestjs/common';
import { JournalHeartbeat } from './journal-heartbeat.service.js';
import { Journal } from './journal.service.js';

/** In come opt-outs and erasures that have happened; out go their records, once they are on the disk. No tables. */
@Module({ providers: [Journal], exports: [Journal] })
export class JournalModule {}

/** For the processes that run on. */
@Module({ imports: [JournalModule], providers: [JournalHeartbeat] })
export class JournalHeartbeatModule {}
