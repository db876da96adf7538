import { Module } from '@nestjs/common';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { ConsentRowsModule } from '../consents/consent-rows.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { DoNotCallJournalModule } from '../suppression/do-not-call-journal.module.js';
import { ConsentBatches } from './work/consent-batches.service.js';
import { ImportBatches } from './work/import-batches.service.js';
import { ImportWorkerService } from './work/import-worker.service.js';
import { SuppressionBatches } from './work/suppression-batches.service.js';
import { UndoBatches } from './work/undo-batches.service.js';
import { UndoWorkerService } from './work/undo-worker.service.js';

/**
 * Processes and undoes imports, in the worker process only. In come uploaded rows; out go contacts, enrollments,
 * entries of the Do Not Call list, consents, and results. Tables: those of ImportsModule.
 */
@Module({
  imports: [ConsentRowsModule, DoNotCallJournalModule, ErasedNumbersModule, SettlementModule],
  providers: [
    ImportBatches,
    SuppressionBatches,
    ConsentBatches,
    ImportWorkerService,
    UndoBatches,
    UndoWorkerService,
  ],
})
export class ImportWorkModule {}
