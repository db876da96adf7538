import { Logger, Module } from '@nestjs/common';
import { Config, ConfigError } from '../config/config.js';
import { type Carrier } from './carrier.js';
import { CarrierRegistry, CARRIERS } from './carrier-registry.js';
import { parseSimulatorRules } from './simulator/parse-rules.js';
import { RemoteSimulatorCarrier } from './simulator/remote-simulator.carrier.js';
import { SimulatorCarrier } from './simulator/simulator.carrier.js';

/** Everything that dials, chosen by configuration. */
@Module({
  providers: [
    { provide: CARRIERS, inject: [Config], useFactory: (config: Config) => [simulator(config)] },
    CarrierRegistry,
  ],
  exports: [CarrierRegistry],
})
export class CarriersModule {}

function simulator(config: Config): Carrier {
  if (config.simulatorUrl !== undefined) return new RemoteSimulatorCarrier({ url: config.simulatorUrl });
  const rules = parseSimulatorRules(config.simulatorRules ?? '[]');
  if (!rules.ok) throw new ConfigError(`Invalid environment variables:\n  SIMULATOR_RULES: ${rules.message}`);
  const logger = new Logger('Simulator');
  return new SimulatorCarrier(
    {
      rules: rules.rules,
      dialLogPath: config.simulatorDialLog ?? null,
      acceptMs: config.simulatorAcceptMs,
      ringMs: config.simulatorRingMs,
      talkMs: config.simulatorTalkMs,
    },
    { onGiveUp: (event) => logger.error(`call ${event.callRequestId}: event ${event.status} was not taken`) },
  );
}
