import { Module } from '@nestjs/common';
import { SettlementModule } from '../campaigns/engine/settlement.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { DoNotCallJournalModule } from './do-not-call-journal.module.js';
import { DoNotCallReplay } from './do-not-call-replay.service.js';
import { DoNotCallService } from './do-not-call.service.js';
import { PlatformDoNotCall } from './platform-do-not-call.service.js';
import { TeamDoNotCallService } from './team-do-not-call.service.js';
import { WhitelistService } from './whitelist.service.js';

/**
 * The numbers that a team never dials, and those that a whitelist-only team may dial. In come lists of
 * numbers. An entry on the Do Not Call list also ends the pending calls and live enrollments of its number. Each change
 * of a Do Not Call list is an entry of the ledger. Tables: `do_not_call`, `limited_do_not_call`,
 * `platform_do_not_call`, `suppression_entries`, `whitelist`.
 */
@Module({
  imports: [TeamsModule, ErasedNumbersModule, SettlementModule, DoNotCallJournalModule],
  providers: [DoNotCallService, DoNotCallReplay, PlatformDoNotCall, TeamDoNotCallService, WhitelistService],
  exports: [DoNotCallService, DoNotCallReplay, PlatformDoNotCall, TeamDoNotCallService, WhitelistService],
})
export class DoNotCallModule {}
