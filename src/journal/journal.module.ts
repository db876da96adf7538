import { Module } from '@nestjs/common';
import { JournalHeartbeat } from './journal-heartbeat.service.js';
import { Journal } from './journal.service.js';

/** Input: committed opt-outs and erasures. Output: their records, once they are on the disk. No tables. */
@Module({ providers: [Journal], exports: [Journal] })
export class JournalModule {}

/** The journal of the API and the worker, which also write heartbeats. */
@Module({ imports: [JournalModule], providers: [JournalHeartbeat] })
export class JournalHeartbeatModule {}
