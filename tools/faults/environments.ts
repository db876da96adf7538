import { FAULT_CARRIERS, type FaultCarrier } from './carriers.js';
import { SIMULATOR_RULES } from './tenants.js';

export const OPERATOR_TOKEN = 'operator-token-of-the-faults';
export const REDIS_PREFIX = '{outdial-faults}';

/** Quick, so that many calls run their whole course; what must never break does not depend on these. */
const TIMINGS = {
  SWEEPER_INTERVAL_MS: '200',
  SWEEPER_GRACE_MS: '1000',
  CALL_TIME_LIMIT_SECONDS: '12',
  SIMULATOR_ACCEPT_MS: '30',
  SIMULATOR_RING_MS: '50',
  SIMULATOR_TALK_MS: '100',
  SIMULATOR_LATE_MS: '7000',
};

/** Of the process that plays the carrier. */
export function carrierEnvironment(
  carrier: FaultCarrier,
  settings: { port: number; controlPort: number; publicUrl: string; dialLog: string },
): NodeJS.ProcessEnv {
  return {
    ...TIMINGS,
    CARRIER_PORT: String(settings.port),
    SIMULATOR_PORT: String(settings.controlPort),
    SIMULATOR_DIAL_LOG: settings.dialLog,
    SIMULATOR_CALLBACK_URL: settings.publicUrl,
    SIMULATOR_RULES: JSON.stringify(SIMULATOR_RULES),
    ...FAULT_CARRIERS[carrier].process,
  };
}

/** Of the product's processes, beside the addresses of their servers. */
export function nodeEnvironment(
  carrier: FaultCarrier,
  carrierUrl: string,
  publicUrl: string,
): NodeJS.ProcessEnv {
  return {
    ...TIMINGS,
    NODE_ENV: 'production',
    REDIS_PREFIX,
    OPERATOR_TOKEN,
    CARRIER: carrier,
    ...FAULT_CARRIERS[carrier].product(carrierUrl, publicUrl),
    API_RATE_LIMIT: '0',
    // The endpoints of webhooks are on this host.
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  };
}
