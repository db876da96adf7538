import { Module } from '@nestjs/common';
import { CarrierAccountsModule } from '../carrier-accounts/carrier-accounts.module.js';
import { PlatformErasureWork } from './platform-erasure-work.service.js';

/**
 * Erases the calls of erased persons at the platforms of voice agents. In come rows that an erasure wrote; out go
 * requests to the platforms. Table: `platform_erasures`. Only the worker imports it.
 */
@Module({ imports: [CarrierAccountsModule], providers: [PlatformErasureWork] })
export class PlatformErasureWorkModule {}
