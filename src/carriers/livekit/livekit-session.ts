import { type LiveKitOptions } from './livekit-options.js';
import { type OnceRpc } from './once-rpc.js';

const load = () => import('livekit-server-sdk');

type LiveKitSdk = Awaited<ReturnType<typeof load>>;
export type RoomServiceClient = InstanceType<LiveKitSdk['RoomServiceClient']>;
export type ParticipantInfo = InstanceType<LiveKitSdk['ParticipantInfo']>;
export type WebhookReceiver = InstanceType<LiveKitSdk['WebhookReceiver']>;
export type WebhookEvent = InstanceType<LiveKitSdk['WebhookEvent']>;

let loading: Promise<LiveKitSdk> | undefined;

/** Loads the SDK on first use, so that a deployment without LiveKit does not pay for it. */
export function loadLiveKitSdk(): Promise<LiveKitSdk> {
  return (loading ??= load());
}

/** The SDK's clients for one task. Their requests end with the task. */
export interface LiveKitSession {
  rooms: RoomServiceClient;
  dispatches: InstanceType<LiveKitSdk['AgentDispatchClient']>;
  sip: InstanceType<LiveKitSdk['SipClient']>;
}

/** Opens no connection: each request opens its own. */
export async function openSession(
  { url, apiKey, apiSecret }: LiveKitOptions,
  rpc: OnceRpc,
): Promise<LiveKitSession> {
  const sdk = await loadLiveKitSdk();
  // Disables the SDK's failover, although `through` replaces the transport that contains the failover.
  const once = { failover: false };
  return {
    rooms: through(rpc, new sdk.RoomServiceClient(url, apiKey, apiSecret, once)),
    dispatches: through(rpc, new sdk.AgentDispatchClient(url, apiKey, apiSecret, once)),
    sip: through(rpc, new sdk.SipClient(url, apiKey, apiSecret, once)),
  };
}

/** Replaces the SDK's transport, for which the SDK has no option. */
function through<T extends object>(rpc: OnceRpc, client: T): T {
  if (!('rpc' in client)) throw new Error('This version of livekit-server-sdk keeps its transport elsewhere');
  return Object.assign(client, { rpc });
}
