import { ConfigError } from '../../config/config-error.js';
import { type Carrier } from '../carrier.js';
import { carrierDefinition, type CarrierLog } from '../carrier-definition.js';
import { configuredRules } from './parse-rules.js';
import { RemoteSimulatorCarrier } from './remote-simulator.carrier.js';
import { simulatorCallbacks } from './callbacks.js';
import { SimulatorCarrier } from './simulator.carrier.js';
import { SimulatorConfig } from './simulator.config.js';

export const simulator = carrierDefinition({
  name: 'simulator',
  config: SimulatorConfig,
  required: [],
  agentSettings: [],
  create,
  callbacks: simulatorCallbacks,
  securityScheme: {
    name: 'callbackToken',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: 'The `SIMULATOR_CALLBACK_TOKEN` of the deployment.',
    },
    refusal: 'Invalid callback token',
  },
});

function create(config: SimulatorConfig, log: CarrierLog): Carrier {
  const callsPerSecond = config.simulatorCallsPerSecond ?? null;
  if (config.simulatorUrl !== undefined) {
    return new RemoteSimulatorCarrier({ url: config.simulatorUrl, callsPerSecond });
  }
  const rules = configuredRules(config.simulatorRules);
  if (!rules.ok) throw new ConfigError(`Invalid environment variables:\n  SIMULATOR_RULES: ${rules.message}`);
  return new SimulatorCarrier(
    {
      callsPerSecond,
      rules: rules.rules,
      dialLogPath: config.simulatorDialLog ?? null,
      acceptMs: config.simulatorAcceptMs,
      ringMs: config.simulatorRingMs,
      talkMs: config.simulatorTalkMs,
    },
    { onGiveUp: (event) => log.error(`call ${event.callRequestId}: event ${event.status} was not taken`) },
  );
}
