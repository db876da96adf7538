import { Module } from '@nestjs/common';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { DoNotCallJournal } from './do-not-call-journal.service.js';

/**
 * In come numbers that were added to or removed from the Do Not Call list; out go their records in the
 * journal. No tables.
 */
@Module({
  imports: [ErasedNumbersModule, JournalModule],
  providers: [DoNotCallJournal],
  exports: [DoNotCallJournal],
})
export class DoNotCallJournalModule {}
