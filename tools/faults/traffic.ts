import { pause } from '../services/run.js';
import { type TriggerRecord } from './history.js';
import { type Random } from './random.js';
import { OPT_OUT_WAYS } from './result-client.js';
import { type Tenant } from './tenants.js';
import { type World } from './world.js';

/** Requests under way at a time; more wait, so that an API that hangs is not drowned. */
const MOST_UNDER_WAY = 40;
const REPEATED = 0.06;
const LISTED = 0.03;
const OPTED_OUT = 0.03;
const OPTS_OUT = 0.02;
/** Before, during and after the call. */
const OPTED_OUT_WITHIN_MS = 3_000;
const REMEMBERED = 50;
/**
 * Once there are enough calls, so much of the rate is left: campaigns may need more time for their attempts.
 */
const RATE_AFTER_ENOUGH = 0.2;

/**
 * Places calls at a steady rate, some to numbers of a moment ago, and adds some numbers to Do Not Call
 * meanwhile.
 */
export class Traffic {
  placed = 0;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly recent: { tenant: Tenant; phoneNumber: string }[] = [];
  private stopped = false;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {}

  /** Goes on until `stop`, more slowly after `enough` calls, and resolves when every answer is there. */
  async run(callsPerSecond: number, enough = Infinity): Promise<void> {
    const startedAt = performance.now();
    while (!this.stopped) {
      const atFullRate = ((performance.now() - startedAt) / 1_000) * callsPerSecond;
      const due = Math.min(atFullRate, enough) + Math.max(atFullRate - enough, 0) * RATE_AFTER_ENOUGH;
      while (!this.stopped && this.placed < due) await this.place();
      await pause(20);
    }
    await Promise.all(this.underWay);
  }

  stop(): void {
    this.stopped = true;
  }

  private async place(): Promise<void> {
    while (this.underWay.size >= MOST_UNDER_WAY) await Promise.race(this.underWay);
    const call = this.next();
    this.placed += 1;
    const triggered = this.world.client.trigger(call.tenant, call.phoneNumber);
    this.track(triggered);
    if (this.random.chance(OPTED_OUT)) this.track(this.optOut(call.tenant, triggered));
    if (!this.random.chance(LISTED)) return;
    // One that is being dialed just now, or one that will be called in a moment.
    const listed = this.random.chance(0.7) ? this.random.pick(this.recent) : this.call();
    this.track(this.world.client.addToDoNotCall(listed.tenant, [listed.phoneNumber]));
    this.remember(listed);
  }

  private next(): { tenant: Tenant; phoneNumber: string } {
    if (this.recent.length > 0 && this.random.chance(REPEATED)) return this.random.pick(this.recent);
    return this.remember(this.call());
  }

  private call(): { tenant: Tenant; phoneNumber: string } {
    let draw = this.random.between(1, 100);
    const tenant = this.world.tenants.find(({ share }) => (draw -= share) <= 0);
    const { numbers } = this.world;
    const phoneNumber = this.random.chance(OPTS_OUT) ? numbers.optingOut() : numbers.next();
    return { tenant: tenant ?? (this.world.tenants[0] as Tenant), phoneNumber };
  }

  private async optOut(tenant: Tenant, triggered: Promise<TriggerRecord>): Promise<void> {
    const way = this.random.pick(OPT_OUT_WAYS);
    const afterMs = this.random.between(0, OPTED_OUT_WITHIN_MS);
    const { callRequestId } = await triggered;
    if (callRequestId === null) return;
    await pause(afterMs);
    await this.world.results.optOut(tenant, callRequestId, way);
  }

  private remember(call: { tenant: Tenant; phoneNumber: string }): { tenant: Tenant; phoneNumber: string } {
    this.recent.push(call);
    if (this.recent.length > REMEMBERED) this.recent.shift();
    return call;
  }

  private track(request: Promise<unknown>): void {
    const tracked = request.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}
