// Milliseconds.
export const FIRST_PAUSE = 5_000;
export const LONGEST_PAUSE = 300_000;
/**
 * If a probe neither succeeds nor fails within this time, for example because its claim was lost, another
 * call becomes the probe.
 */
const PROBE_WITHIN = 30_000;

/**
 * The fractional part of the golden ratio. The fractional parts of its first n multiples are spread evenly
 * between 0 and 1, for any n. So the calls that are put off return evenly over a pause.
 */
const SPREAD = 0.618034;

interface OpenCircuit {
  pauseMs: number;
  /** When the carrier host may be dialed again, by the monotonic clock. */
  retryAt: number;
  probing: boolean;
  /** The number of calls that were put off since the last probe. */
  putOff: number;
}

/**
 * The carrier hosts (`CarrierRegistry.carrierHostOf`) that this process could not reach. While a carrier host
 * is unreachable, one call at a time is claimed as a probe. The pauses between probes double from 5 seconds
 * to 5 minutes. The other calls are put off unclaimed. Each worker process has circuits of its own.
 */
export class Circuits {
  private readonly open = new Map<string, OpenCircuit>();

  /** @param now monotonic, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Decides whether a call may be dialed now. If the circuit is open and its pause is over, this call becomes
   * the probe. The worker must then invoke {@link report} or {@link forgo}.
   *
   * @returns null if the call may be dialed, else the number of milliseconds for which to put the call off.
   */
  putOffMs(carrierHost: string): number | null {
    const waitMs = this.waitMs(carrierHost);
    const circuit = this.open.get(carrierHost);
    if (waitMs === null && circuit !== undefined) {
      Object.assign(circuit, { retryAt: this.now() + PROBE_WITHIN, probing: true, putOff: 0 });
    }
    return waitMs;
  }

  /**
   * As {@link putOffMs}, but the call never becomes the probe. For calls that do not have a pacing slot yet.
   */
  waitMs(carrierHost: string): number | null {
    const circuit = this.open.get(carrierHost);
    if (circuit === undefined) return null;
    const leftMs = circuit.retryAt - this.now();
    if (leftMs <= 0) return null;
    const shareOfPause = (circuit.putOff * SPREAD) % 1;
    circuit.putOff += 1;
    // While a probe is under way, the calls return when its result should be known.
    const untilProbe = circuit.probing ? FIRST_PAUSE : leftMs;
    return Math.ceil(Math.min(LONGEST_PAUSE, untilProbe + shareOfPause * circuit.pauseMs));
  }

  /**
   * Whether the circuit is open. If it is open just after {@link putOffMs} returned null for a call, the call
   * is the probe.
   */
  isOpen(carrierHost: string): boolean {
    return this.open.has(carrierHost);
  }

  /** Records whether a dial reached the carrier host. */
  report(carrierHost: string, reached: boolean): void {
    if (reached) return void this.open.delete(carrierHost);
    const circuit = this.open.get(carrierHost);
    // No probe is under way, so this call was dialed before the pause began. It does not double the pause.
    if (circuit !== undefined && !circuit.probing) return;
    const pauseMs = circuit === undefined ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, 2 * circuit.pauseMs);
    this.open.set(carrierHost, { pauseMs, retryAt: this.now() + pauseMs, probing: false, putOff: 0 });
  }

  /** Ends the probe of a call that was not dialed after all. Another call may then become the probe. */
  forgo(carrierHost: string): void {
    const circuit = this.open.get(carrierHost);
    if (circuit?.probing) Object.assign(circuit, { retryAt: this.now(), probing: false });
  }
}
