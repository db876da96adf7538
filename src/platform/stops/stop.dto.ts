/** The result of a stop. */
export interface Stop {
  paused: true;
  /** Calls that their carriers end. */
  hungUp: number;
  /** Calls whose carriers cannot hang up. */
  cannotHangUp: number;
  /** Calls that may go on: still being dialed, or not confirmed by their carriers in time. */
  remaining: number;
}
