import { Logger, Module } from '@nestjs/common';
import { callsPerSecond } from '../config/calls-per-second.js';
import { CARRIER_NAMES, type CarrierName } from '../config/carrier-names.js';
import { Config, ConfigError, missingForCarrier } from '../config/config.js';
import { type Carrier } from './carrier.js';
import { CarrierCheckService } from './carrier-check.service.js';
import { CarrierRegistry, CARRIERS } from './carrier-registry.js';
import { Circuits } from './circuits.service.js';
import { HttpCarrier } from './http/http.carrier.js';
import { LiveKitCarrier } from './livekit/livekit.carrier.js';
import { parseSimulatorRules } from './simulator/parse-rules.js';
import { RemoteSimulatorCarrier } from './simulator/remote-simulator.carrier.js';
import { SimulatorCarrier } from './simulator/simulator.carrier.js';
import { TwilioCarrier } from './twilio/twilio.carrier.js';
import { twilioOptionsOf } from './twilio/twilio-options.js';

/** How each carrier is made of the configuration, once that has all that the carrier needs. Opens nothing. */
const FACTORIES: Record<CarrierName, (config: Config) => Carrier> = {
  simulator,
  http: HttpCarrier.from,
  twilio,
  livekit,
};

/** Everything that dials, chosen by configuration. */
@Module({
  providers: [
    { provide: CARRIERS, inject: [Config], useFactory: configuredCarriers },
    CarrierRegistry,
    CarrierCheckService,
    { provide: Circuits, useFactory: () => new Circuits() },
  ],
  exports: [CarrierRegistry, CarrierCheckService, Circuits],
})
export class CarriersModule {}

/** The default first. */
function configuredCarriers(config: Config): Carrier[] {
  const names = CARRIER_NAMES.filter((name) => missingForCarrier(name, config).length === 0);
  const isDefault = (name: CarrierName) => (name === config.carrier ? 0 : 1);
  return names.sort((a, b) => isDefault(a) - isDefault(b)).map((name) => FACTORIES[name](config));
}

function simulator(config: Config): Carrier {
  const { simulator: limit = null } = callsPerSecond(config);
  if (config.simulatorUrl !== undefined) {
    return new RemoteSimulatorCarrier({ url: config.simulatorUrl, callsPerSecond: limit });
  }
  const rules = parseSimulatorRules(config.simulatorRules ?? '[]');
  if (!rules.ok) throw new ConfigError(`Invalid environment variables:\n  SIMULATOR_RULES: ${rules.message}`);
  const logger = new Logger('Simulator');
  return new SimulatorCarrier(
    {
      callsPerSecond: limit,
      rules: rules.rules,
      dialLogPath: config.simulatorDialLog ?? null,
      acceptMs: config.simulatorAcceptMs,
      ringMs: config.simulatorRingMs,
      talkMs: config.simulatorTalkMs,
    },
    { onGiveUp: (event) => logger.error(`call ${event.callRequestId}: event ${event.status} was not taken`) },
  );
}

function twilio(config: Config): Carrier {
  const options = twilioOptionsOf(config);
  if (options === null) throw new ConfigError('Twilio is not configured');
  return new TwilioCarrier(options);
}

function livekit(config: Config): Carrier {
  const { livekitUrl: url, livekitApiKey: apiKey, livekitApiSecret: apiSecret } = config;
  if (url === undefined || apiKey === undefined || apiSecret === undefined) {
    throw new Error('LiveKit is not configured');
  }
  return new LiveKitCarrier({
    ...{ url, apiKey, apiSecret, sipTrunkId: config.livekitSipTrunkId, agentName: config.livekitAgentName },
    callsPerSecond: config.livekitCallsPerSecond ?? null,
    maxCallSeconds: config.callTimeLimitSeconds,
    timeoutMs: config.livekitTimeoutMs,
  });
}
