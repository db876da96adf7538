import { Module } from '@nestjs/common';
import { CarrierAccountsApiModule } from './carrier-accounts/carrier-accounts-api.module.js';
import { CarrierAccountsController } from './carrier-accounts/carrier-accounts.controller.js';
import { ConsentsController } from './consents/consents.controller.js';
import { ConsentsModule } from './consents/consents.module.js';
import { DoNotCallController } from './suppression/do-not-call.controller.js';
import { DoNotCallModule } from './suppression/do-not-call.module.js';
import { NumberPoolsController } from './phone-numbers/number-pools.controller.js';
import { PhoneNumbersController } from './phone-numbers/phone-numbers.controller.js';
import { PhoneNumbersModule } from './phone-numbers/phone-numbers.module.js';
import { StopsController } from './platform/stops/stops.controller.js';
import { StopsModule } from './platform/stops/stops.module.js';
import { OwnKeyController } from './teams/own-key.controller.js';
import { TeamsModule } from './teams/teams.module.js';
import { VoiceAgentsController } from './voice-agents/voice-agents.controller.js';
import { VoiceAgentsModule } from './voice-agents/voice-agents.module.js';

/**
 * A team's own configuration. In come requests with the team's API key; out go its numbers, pools, agents,
 * consents and Do Not Call list, changes of them, and stops. No tables. Only the API process imports it.
 */
@Module({
  imports: [
    TeamsModule,
    CarrierAccountsApiModule,
    ConsentsModule,
    DoNotCallModule,
    PhoneNumbersModule,
    StopsModule,
    VoiceAgentsModule,
  ],
  controllers: [
    OwnKeyController,
    StopsController,
    DoNotCallController,
    ConsentsController,
    PhoneNumbersController,
    NumberPoolsController,
    VoiceAgentsController,
    CarrierAccountsController,
  ],
})
export class TeamApiModule {}
