import { Module } from '@nestjs/common';
import { ImportBatches } from './work/import-batches.service.js';
import { ImportWorkerService } from './work/import-worker.service.js';

/**
 * Processes imports, in the worker process only. In come uploaded rows; out go contacts, enrollments and
 * results. Tables: those of ImportsModule.
 */
@Module({ providers: [ImportBatches, ImportWorkerService] })
export class ImportWorkModule {}
