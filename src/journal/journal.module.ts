import { Module } from '@nestjs/common';
import { JournalHeartbeat } from './journal-heartbeat.service.js';
import { Journal } from './journal.service.js';

/**
 * The journal. In come committed opt-outs and erasures; out go their records, once they are on the disk. No
 * tables.
 */
@Module({ providers: [Journal], exports: [Journal] })
export class JournalModule {}

/** The journal of the API and the worker, which also write heartbeats to it. No tables. */
@Module({ imports: [JournalModule], providers: [JournalHeartbeat] })
export class JournalHeartbeatModule {}
