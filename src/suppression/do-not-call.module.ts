import { Module } from '@nestjs/common';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { DoNotCallJournalModule } from './do-not-call-journal.module.js';
import { DoNotCallReplay } from './do-not-call-replay.service.js';
import { DoNotCallService } from './do-not-call.service.js';
import { TeamDoNotCallService } from './team-do-not-call.service.js';
import { WhitelistService } from './whitelist.service.js';

/**
 * The numbers that a team never dials, and those that a whitelist-only team may dial. In come lists of
 * numbers. An entry on the Do Not Call list also ends the pending calls and live enrollments of its number.
 * Tables: `do_not_call`, `whitelist`.
 */
@Module({
  imports: [TeamsModule, ErasedNumbersModule, SettlementModule, DoNotCallJournalModule],
  providers: [DoNotCallService, DoNotCallReplay, TeamDoNotCallService, WhitelistService],
  exports: [DoNotCallService, DoNotCallReplay, TeamDoNotCallService, WhitelistService],
})
export class DoNotCallModule {}
