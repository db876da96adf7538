import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Carrier, type CarrierEventListener } from './carrier.js';

export const CARRIERS = Symbol('carriers');

/** The configured carriers by name; the first is that of agents which name none. */
@Injectable()
export class CarrierRegistry {
  private readonly logger = new Logger(CarrierRegistry.name);
  private readonly byName: ReadonlyMap<string, Carrier>;
  readonly defaultName: string;

  constructor(@Inject(CARRIERS) carriers: readonly Carrier[]) {
    const [first] = carriers;
    if (first === undefined) throw new Error('No carrier is configured');
    this.defaultName = first.name;
    this.byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
    for (const carrier of carriers) if (carrier.banner) this.logger.warn(carrier.banner);
  }

  get(name: string): Carrier | undefined {
    return this.byName.get(name);
  }

  /** The longest time that any carrier may take to answer, in ms. */
  get longestTimeoutMs(): number {
    return Math.max(...[...this.byName.values()].map((carrier) => carrier.timeoutMs));
  }

  /** Hands the events that arise in this process to `listener`. */
  onEvent(listener: CarrierEventListener): void {
    for (const carrier of this.byName.values()) carrier.onEvent?.(listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.byName.values()].map((carrier) => carrier.close()));
  }
}
