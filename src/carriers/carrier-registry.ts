import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import { type Carrier, type CarrierEvent, type CarrierSettings } from './carrier.js';
import { missingForCarrier } from './configured.js';
import { CARRIER_NAMES } from './registry.js';

export const CONFIGURED_CARRIERS = Symbol('configured carriers');

/** The configured carriers by name; the first is that of agents which name none. */
@Injectable()
export class CarrierRegistry {
  private readonly logger = new Logger(CarrierRegistry.name);
  private readonly byName: ReadonlyMap<string, Carrier>;
  readonly defaultName: string;

  constructor(
    @Inject(CONFIGURED_CARRIERS) carriers: readonly Carrier[],
    private readonly config: Config,
  ) {
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

  /** Names what is reachable or not as a whole: the carrier, or the host that the agent's settings lead to. */
  destinationOf(name: string, settings: CarrierSettings): string {
    const host = this.get(name)?.hostOf?.(settings);
    return host === undefined ? name : `${name} ${host}`;
  }

  /** Those that take so many calls a second. */
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
   * What keeps an agent from using a carrier (null: the deployment's own choice) with these settings, naming the field;
   * null: nothing.
   */
  problemWith(name: string | null, settings: CarrierSettings): string | null {
    const carrier = this.get(name ?? this.defaultName);
    if (carrier) return carrier.checkSettings?.(settings) ?? null;
    const known = CARRIER_NAMES.find((candidate) => candidate === name);
    const missing = known === undefined ? [] : missingForCarrier(known, this.config);
    return `carrier is not configured here: ${name} needs ${missing.join(', ') || 'another version'}`;
  }

  /** For the process that dials: gets the carriers ready, and hands the events that arise in it to `listener`. */
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
