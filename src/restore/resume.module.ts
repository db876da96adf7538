import { Module } from '@nestjs/common';
import { DoNotCallJournalModule } from '../suppression/do-not-call-journal.module.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { DoNotCallModule } from '../suppression/do-not-call.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { JournalReplay } from './journal-replay.service.js';
import { RestoreCheckModule } from './restore-check.module.js';
import { ResumeService } from './resume.service.js';

/**
 * Resumes the platform. In come the operator's request and, after a restore, the journal; out go replayed
 * opt-outs, revocations and erasures, and the end of the pause. No tables of its own. Only the API process imports it.
 */
@Module({
  imports: [
    RestoreCheckModule,
    JournalModule,
    ConsentsModule,
    DoNotCallJournalModule,
    DoNotCallModule,
    ErasureModule,
  ],
  providers: [JournalReplay, ResumeService],
  exports: [ResumeService],
})
export class ResumeModule {}
