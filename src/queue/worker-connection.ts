import { type ConnectionOptions } from 'bullmq';

/** How the worker reaches Redis to take jobs. */
export abstract class WorkerConnection {
  abstract readonly connection: ConnectionOptions;
}
