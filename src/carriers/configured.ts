import { isSet } from '../config/config-part.js';
import { type Config } from '../config/config.js';
import { type Carrier } from './carrier.js';
import { type CarrierLog } from './carrier-definition.js';
import { CARRIERS, type CarrierConfig, type CarrierName } from './registry.js';

/** The required variables that are not set; empty: the carrier is configured. */
export function missingForCarrier(carrier: CarrierName, config: Config): string[] {
  const definition = CARRIERS.find(({ name }) => name === carrier);
  return (definition?.required ?? []).filter((name) => !isSet(config, name));
}

/** The carriers of a deployment, the default first. Opens no file and no connection. */
export function configuredCarriers(config: Config, logOf: (carrier: CarrierName) => CarrierLog): Carrier[] {
  const configured = CARRIERS.filter(({ name }) => missingForCarrier(name, config).length === 0);
  const isDefault = (name: CarrierName) => (name === config.carrier ? 0 : 1);
  // The loader of the configuration has read every carrier's variables as well.
  const all = config as Config & CarrierConfig;
  return configured
    .sort((a, b) => isDefault(a.name) - isDefault(b.name))
    .map((carrier) => carrier.create(all, logOf(carrier.name)));
}
