import { Module } from '@nestjs/common';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { ConsentReplay } from './consent-replay.service.js';
import { ConsentsService } from './consents.service.js';

/**
 * The ledger of consents to be called. In come consents and revocations; out go lists, and by the function
 * `consents_of` the consents on which decisions rely. The opt-outs that end consents are written by a trigger of
 * `do_not_call`. Tables: `consents`, `consent_endings`.
 */
@Module({
  imports: [TeamsModule, ErasedNumbersModule, JournalModule],
  providers: [ConsentsService, ConsentReplay],
  exports: [ConsentsService, ConsentReplay],
})
export class ConsentsModule {}
