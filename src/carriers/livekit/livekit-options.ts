/** A LiveKit deployment, and the settings of all its dials. */
export interface LiveKitOptions {
  /** `https://…`, or `wss://…` as LiveKit's own pages show it. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The trunk for agents whose settings name no trunk. */
  sipTrunkId?: string;
  agentName?: string;
  /** null: Outdial keeps no limit. */
  callsPerSecond: number | null;
  /** LiveKit ends a call after this duration. */
  maxCallSeconds: number;
  /**
   * The limit for all requests of one dial, in ms. LiveKit answers the request that dials only after its SIP
   * service has joined the room, which takes seconds.
   */
  timeoutMs: number;
}

/** How long the callee's telephone may ring if the agent's settings have no limit. */
export const DEFAULT_RINGING_SECONDS = 45;
