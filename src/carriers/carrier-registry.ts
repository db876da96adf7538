import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Carrier, type CarrierEvent, type CarrierSettings } from './carrier.js';

export const CONFIGURED_CARRIERS = Symbol('configured carriers');

/** The configured carriers by name. The first carrier is the default, for agents that name no carrier. */
@Injectable()
export class CarrierRegistry {
  private readonly logger = new Logger(CarrierRegistry.name);
  private readonly byName: ReadonlyMap<string, Carrier>;
  readonly defaultName: string;

  constructor(@Inject(CONFIGURED_CARRIERS) carriers: readonly Carrier[]) {
    const [first] = carriers;
    if (first === undefined) throw new Error('No carrier is configured');
    this.defaultName = first.name;
    this.byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
  }

  get(name: string): Carrier | undefined {
    return this.byName.get(name);
  }

  get all(): Carrier[] {
    return [...this.byName.values()];
  }

  /**
   * Names the carrier host: the carrier, or the carrier and the host of the agent's settings. A carrier host
   * is reachable or unreachable as a whole.
   */
  carrierHostOf(name: string, settings: CarrierSettings): string {
    const host = this.get(name)?.hostOf?.(settings);
    return host === undefined ? name : `${name} ${host}`;
  }

  /** The carriers that limit calls per second. */
  get paced(): { name: string; callsPerSecond: number }[] {
    return [...this.byName.values()].flatMap(({ name, callsPerSecond }) =>
      callsPerSecond === null ? [] : [{ name, callsPerSecond }],
    );
  }

  /** The longest time that any carrier may take to answer, in ms. */
  get longestTimeoutMs(): number {
    return Math.max(...[...this.byName.values()].map((carrier) => carrier.timeoutMs));
  }

  /**
   * Called in the process that dials. Starts the carriers, and passes the events that arise in this process
   * to `listener`.
   */
  start(listener: (carrier: string, event: CarrierEvent) => Promise<void>): void {
    for (const carrier of this.byName.values()) {
      if (carrier.banner) this.logger.warn(carrier.banner);
      carrier.start?.();
      carrier.onEvent?.((event) => listener(carrier.name, event));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.byName.values()].map((carrier) => carrier.close()));
  }
}
