import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ContactExportService } from './contact-export.service.js';
import { ErasedNumbersModule } from './erased-numbers.module.js';
import { ErasureService } from './erasure.service.js';

/**
 * Erases persons and exports their data, by the register of tables. In come contacts and numbers; out go
 * erased rows, records in the journal, and exports. No tables of its own.
 */
@Module({
  imports: [QueueModule, ErasedNumbersModule, JournalModule],
  providers: [ErasureService, ContactExportService],
  exports: [ErasureService, ContactExportService],
})
export class ErasureModule {}
