import { Global, Logger, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { PACED_CARRIERS } from '../config/paced-carriers.js';
import { AgentCarrierService } from './agent-carrier.service.js';
import { CarrierCheckService } from './carrier-check.service.js';
import { CarrierRegistry, CONFIGURED_CARRIERS } from './carrier-registry.js';
import { Circuits } from './circuits.service.js';
import { configuredCarriers } from './configured.js';

/**
 * The carriers that this deployment has. In comes the configuration; out go the carriers, their checks, and
 * the circuits of unreachable carriers. No tables. Global, because the queue needs the names of the carriers
 * with a limit.
 */
@Global()
@Module({
  providers: [
    {
      provide: CONFIGURED_CARRIERS,
      inject: [Config],
      useFactory: (config: Config) => configuredCarriers(config, (carrier) => new Logger(carrier)),
    },
    CarrierRegistry,
    CarrierCheckService,
    AgentCarrierService,
    { provide: Circuits, useFactory: () => new Circuits() },
    {
      provide: PACED_CARRIERS,
      inject: [CarrierRegistry],
      useFactory: ({ paced }: CarrierRegistry) => paced.map(({ name }) => name),
    },
  ],
  exports: [CarrierRegistry, CarrierCheckService, AgentCarrierService, Circuits, PACED_CARRIERS],
})
export class CarriersModule {}
