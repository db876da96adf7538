import { type Config } from '../../config/config.js';
import { ConfigError } from '../../config/config-error.js';
import { carrierDefinition } from '../carrier-definition.js';
import { livekitCallbacks } from './callbacks.js';
import { LiveKitCarrier } from './livekit.carrier.js';
import { LIVEKIT_REQUIRED, LiveKitConfig } from './livekit.config.js';
import { LIVEKIT_SETTINGS } from './livekit-settings.js';

export const livekit = carrierDefinition({
  name: 'livekit',
  config: LiveKitConfig,
  required: LIVEKIT_REQUIRED,
  agentSettings: LIVEKIT_SETTINGS,
  create,
  callbacks: livekitCallbacks,
  securityScheme: {
    name: 'livekitSignature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'A token without `Bearer`, signed with the `LIVEKIT_API_SECRET` of the deployment. ' +
        'Its claim `sha256` is the SHA-256 digest of the body.',
    },
    refusal: 'Invalid webhook signature',
  },
});

function create(config: Config & LiveKitConfig): LiveKitCarrier {
  const { livekitUrl: url, livekitApiKey: apiKey, livekitApiSecret: apiSecret } = config;
  if (url === undefined || apiKey === undefined || apiSecret === undefined) {
    throw new ConfigError('LiveKit is not configured');
  }
  return new LiveKitCarrier({
    url,
    apiKey,
    apiSecret,
    sipTrunkId: config.livekitSipTrunkId,
    agentName: config.livekitAgentName,
    callsPerSecond: config.livekitCallsPerSecond ?? null,
    maxCallSeconds: config.callTimeLimitSeconds,
    timeoutMs: config.livekitTimeoutMs,
  });
}
