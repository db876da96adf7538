import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { CarrierAccountsModule } from './carrier-accounts.module.js';
import { CarrierAccountsService } from './carrier-accounts.service.js';

/**
 * Changes of carrier accounts. In come requests of teams and operators; out go accounts without their credentials,
 * and checks. Table: `carrier_accounts`.
 */
@Module({
  imports: [CarrierAccountsModule, TeamsModule],
  providers: [CarrierAccountsService],
  exports: [CarrierAccountsService],
})
export class CarrierAccountsApiModule {}
