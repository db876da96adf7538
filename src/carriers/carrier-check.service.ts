import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { checkBounded } from './bounded.js';
import { type CarrierCheck, type CheckSubject } from './carrier.js';
import { CarrierRegistry } from './carrier-registry.js';
import { missingForCarrier } from './configured.js';
import { CARRIER_NAMES, type CarrierName } from './registry.js';

/** The result of one carrier's check. */
export interface CarrierReport extends CarrierCheck {
  carrier: CarrierName;
  /** Whether all required variables are set. */
  configured: boolean;
  /** Whether agents that name no carrier use this carrier. */
  isDefault: boolean;
}

/** Checks whether carriers can be used, without dialing. */
@Injectable()
export class CarrierCheckService {
  constructor(
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
  ) {}

  /** @param numbers the caller IDs to check, in E.164. */
  checkAll(numbers: readonly string[]): Promise<CarrierReport[]> {
    return Promise.all(CARRIER_NAMES.map((name) => this.check(name, numbers)));
  }

  /** The required variables of a carrier that are not set; empty: it is configured. */
  missing(name: CarrierName): string[] {
    return missingForCarrier(name, this.config);
  }

  /**
   * An unconfigured carrier fails the check only if it is the default carrier or was requested by name
   * (`asked`).
   *
   * @param subject by default, the deployment's account.
   */
  async check(
    name: CarrierName,
    numbers: readonly string[],
    asked = false,
    subject: CheckSubject = {},
  ): Promise<CarrierReport> {
    const isDefault = name === this.config.carrier;
    const carrier = this.carriers.get(name);
    if (carrier === undefined) {
      const ok = !asked && !isDefault;
      const items = missingForCarrier(name, this.config).map((what) => ({ what, ok, detail: 'is not set' }));
      return { carrier: name, configured: false, isDefault, ok, items };
    }
    return { carrier: name, configured: true, isDefault, ...(await checkBounded(carrier, numbers, subject)) };
  }
}
