import { type CarrierName } from './carrier-names.js';
import { type Config } from './config.js';

/** How many calls a second each carrier takes, of those carriers that have a limit. */
export function callsPerSecond(config: Config): Partial<Record<CarrierName, number>> {
  const limits: Record<CarrierName, number | undefined> = {
    simulator: config.simulatorCallsPerSecond,
    http: config.httpCarrierCallsPerSecond,
    twilio: config.twilioCallsPerSecond,
    livekit: config.livekitCallsPerSecond,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
