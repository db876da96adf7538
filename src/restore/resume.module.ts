import { Module } from '@nestjs/common';
import { DoNotCallModule } from '../do-not-call/do-not-call.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { JournalReplay } from './journal-replay.service.js';
import { RestoreCheckModule } from './restore-check.module.js';
import { ResumeService } from './resume.service.js';

/** Resuming the platform, after a restore with the journal; for the operator's surfaces in the API process. */
@Module({
  imports: [RestoreCheckModule, JournalModule, DoNotCallModule, ErasureModule],
  providers: [JournalReplay, ResumeService],
  exports: [ResumeService],
})
export class ResumeModule {}
