import { type LiveKitOptions } from './livekit-options.js';
import { type OnceRpc } from './once-rpc.js';

const load = () => import('livekit-server-sdk');

type LiveKitSdk = Awaited<ReturnType<typeof load>>;
export type RoomServiceClient = InstanceType<LiveKitSdk['RoomServiceClient']>;
export type ParticipantInfo = InstanceType<LiveKitSdk['ParticipantInfo']>;
export type WebhookReceiver = InstanceType<LiveKitSdk['WebhookReceiver']>;
export type WebhookEvent = InstanceType<LiveKitSdk['WebhookEvent']>;

let loading: Promise<LiveKitSdk> | undefined;

/** The SDK, loaded when it is first needed: a deployment without LiveKit does not pay for it. */
export function loadLiveKitSdk(): Promise<LiveKitSdk> {
  return (loading ??= load());
}

/** The SDK's clients for one task, whose requests all end with it. */
export interface LiveKitSession {
  rooms: RoomServiceClient;
  dispatches: InstanceType<LiveKitSdk['AgentDispatchClient']>;
  sip: InstanceType<LiveKitSdk['SipClient']>;
}

/** Opens nothing: each request has a connection of its own. */
export async function openSession(
  { url, apiKey, apiSecret }: LiveKitOptions,
  rpc: OnceRpc,
): Promise<LiveKitSession> {
  const sdk = await loadLiveKitSdk();
  // Said although it is not the SDK's own transport that is used.
  const once = { failover: false };
  return {
    rooms: through(rpc, new sdk.RoomServiceClient(url, apiKey, apiSecret, once)),
    dispatches: through(rpc, new sdk.AgentDispatchClient(url, apiKey, apiSecret, once)),
    sip: through(rpc, new sdk.SipClient(url, apiKey, apiSecret, once)),
  };
}

/** Puts our transport in the place of the SDK's, which cannot be chosen otherwise. */
function through<T extends object>(rpc: OnceRpc, client: T): T {
  if (!('rpc' in client)) throw new Error('This version of livekit-server-sdk keeps its transport elsewhere');
  return Object.assign(client, { rpc });
}
