import { Global, Module } from '@nestjs/common';
import { CarriersModule } from '../carriers/carriers.module.js';
import { CarrierAccountOpener } from './carrier-account-opener.service.js';

/**
 * The credentials of teams' own accounts at carriers. In come ids of accounts; out go opened credentials for dials,
 * look-ups, hang-ups and reports. Table: `carrier_accounts`. Global, because every process that asks a carrier
 * needs it.
 */
@Global()
@Module({
  imports: [CarriersModule],
  providers: [CarrierAccountOpener],
  exports: [CarrierAccountOpener],
})
export class CarrierAccountsModule {}
