import { type DynamicModule, Module } from '@nestjs/common';
import { CarrierAccountsModule } from '../carrier-accounts/carrier-accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { type Config } from '../config/config.js';
import { CALLBACK_CONTROLLERS } from './callback-controllers.js';

/**
 * Mounts the callbacks of every carrier. In come requests of carriers, which the carriers' folders verify and
 * read; out go their reports to the calls. No tables. Only the API process imports it.
 */
@Module({})
export class CarrierCallbacksModule {
  static forRoot(config: Config): DynamicModule {
    const existing = CALLBACK_CONTROLLERS.filter(({ exists }) => exists(config));
    return {
      module: CarrierCallbacksModule,
      imports: [CallsModule, CarrierAccountsModule],
      controllers: existing.map(({ controller }) => controller),
    };
  }
}
