import { type CarrierName } from './carrier-names.js';
import { type Config } from './config.js';

/** How many calls a second each carrier takes, of those carriers that have a limit. */
export function callsPerSecond(config: Config): Partial<Record<CarrierName, number>> {
  return config.simulatorCallsPerSecond === undefined ? {} : { simulator: config.simulatorCallsPerSecond };
}
