/** Wakes the engine of campaigns when a call of one has ended. Best effort: what is not told, the engine finds within a second. */
export abstract class EngineWakeUps {
  /** Returns at once and never throws. */
  abstract wake(): void;
}
