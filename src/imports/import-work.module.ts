import { Module } from '@nestjs/common';
import { ImportBatches } from './work/import-batches.service.js';
import { ImportWorkerService } from './work/import-worker.service.js';
import { UndoBatches } from './work/undo-batches.service.js';
import { UndoWorkerService } from './work/undo-worker.service.js';

/**
 * Processes and undoes imports, in the worker process only. In come uploaded rows; out go contacts, enrollments
 * and results. Tables: those of ImportsModule.
 */
@Module({ providers: [ImportBatches, ImportWorkerService, UndoBatches, UndoWorkerService] })
export class ImportWorkModule {}
