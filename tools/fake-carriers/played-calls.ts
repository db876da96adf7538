import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type SimulatorEngine } from '../../src/carriers/simulator/engine.js';

/** A carrier in front of the simulator's engine, which decides the outcome of each dial and logs it. */
export interface PlayedCarrier {
  /** Sends a report of the engine to the dialing process, once. @throws if it was not accepted. */
  report(event: CarrierEvent): Promise<void>;
  close(): Promise<void>;
}

/** Makes a carrier that listens at a port of this host. */
export type Play = (engine: SimulatorEngine, port: number, publicUrl: string) => Promise<PlayedCarrier>;

/** The caller IDs of the harness and of its tests, for carriers that have ids of numbers. */
export const CALLER_IDS = ['+16502530000', '+14155550199'];

/** How far what a carrier shows may be behind what is. */
const LAG_MS = 20;

/**
 * Calls that go on, for what a carrier shows of them. The engine reports only what its rules let it report,
 * and a carrier shows more than it reports.
 */
export class PlayedCalls<Call> {
  private readonly underWay = new Map<string, Call>();
  private readonly timer: NodeJS.Timeout;

  /**
   * @param show brings what the carrier shows of a call up to date; calls that it hides are not shown at all.
   */
  constructor(
    private readonly engine: SimulatorEngine,
    private readonly show: (call: Call, event: CarrierEvent) => void,
  ) {
    this.timer = setInterval(() => this.update(), LAG_MS);
  }

  add(callRequestId: string, call: Call): void {
    this.underWay.set(callRequestId, call);
  }

  remove(callRequestId: string): void {
    this.underWay.delete(callRequestId);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private update(): void {
    for (const [callRequestId, call] of this.underWay) {
      const event = this.engine.find(callRequestId);
      if (event === null) continue;
      this.show(call, event);
      if (event.status !== 'in_progress') this.underWay.delete(callRequestId);
    }
  }
}
