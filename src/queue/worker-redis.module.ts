import { Module } from '@nestjs/common';
import { WorkerConnection } from './worker-connection.js';

/**
 * The worker's connection for taking jobs. In comes the configuration; out goes the connection for BullMQ. No
 * tables.
 */
@Module({
  providers: [WorkerConnection],
  exports: [WorkerConnection],
})
export class WorkerRedisModule {}
