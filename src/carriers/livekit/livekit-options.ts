/** A LiveKit deployment, and what its dials have in common. */
export interface LiveKitOptions {
  /** `https://…`, or `wss://…` as LiveKit's own pages show it. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** Of agents whose settings name none. */
  sipTrunkId?: string;
  agentName?: string;
  /** null: no limit of ours. */
  callsPerSecond: number | null;
  /** LiveKit hangs up after this. */
  maxCallSeconds: number;
  /**
   * For all requests of one dial together: LiveKit answers the one that dials only once its SIP service has
   * joined the room, which takes seconds.
   */
  timeoutMs: number;
}

/** How long a callee may be rung where the agent's settings do not say. */
export const DEFAULT_RINGING_SECONDS = 45;
