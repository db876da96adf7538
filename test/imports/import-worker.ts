import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { type Calling } from '../support/calling.js';

/** The service of a worker that processes imports, which a test runs by hand if `sweeperIntervalMs` is long. */
export async function workerOf(calling: Calling, sweeperIntervalMs: number): Promise<ImportWorkerService> {
  const worker = await calling.startWorker({ sweeperIntervalMs });
  return worker.get(ImportWorkerService, { strict: false });
}
