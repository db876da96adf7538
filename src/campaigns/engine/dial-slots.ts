import { MAX_BATCH } from '../../database/batch-work.js';
import { type Pacer } from '../../pacing/pacer.js';
import { type DialLimit } from './dial-limit.js';
import { type CarrierOfBatch } from './engine.service.js';

/** How long to wait for a free dial before the next look whether the worker stops, in milliseconds. */
const FULL_MS = 500;

/** The slots of one batch. */
export interface FreeSlots {
  /** The most calls that the batch may dial. */
  count: number;
  /** As for `EngineService.run`. */
  only?: CarrierOfBatch;
}

/** The free slots of some carriers, for which the engine's loop claims calls. */
export interface DialSlots {
  /** null: all carriers without a calls-per-second limit. */
  readonly carrier: string | null;
  /** Of the dials in progress. */
  readonly limit: DialLimit;
  /**
   * Has a batch use free slots. If there are none, waits for them, at most `withinMs`.
   *
   * @param claim decides a batch. Returns whether it has claimed a call.
   * @throws PacingStoppedError, or what `claim` throws.
   */
  use(withinMs: number, claim: (free: FreeSlots) => Promise<boolean>): Promise<void>;
}

/** The free dials of one team at the carriers without a calls-per-second limit. */
export class UnpacedSlots implements DialSlots {
  readonly carrier = null;

  /**
   * @param teamsAtATime divide the free dials, so that none of them waits for another's batch.
   * @param looks whether to decide one batch without dials if no dial is free: it finds calls at carriers
   *   that have limits of their own.
   */
  constructor(
    readonly limit: DialLimit,
    private readonly teamsAtATime: number,
    private looks: boolean,
  ) {}

  async use(withinMs: number, claim: (free: FreeSlots) => Promise<boolean>): Promise<void> {
    const count = Math.min(MAX_BATCH, Math.ceil(this.limit.free / this.teamsAtATime));
    if (count > 0) await this.limit.reserve(count, () => claim({ count }));
    else if (this.looks) {
      this.looks = false;
      await claim({ count: 0, only: { carrier: null, pacingSlot: null } });
    } else await this.limit.waitForChange(withinMs);
  }
}

/** The pacing slots of one carrier. */
export class PacedSlots implements DialSlots {
  constructor(
    readonly carrier: string,
    readonly limit: DialLimit,
    private readonly pacer: Pacer,
  ) {}

  async use(_withinMs: number, claim: (free: FreeSlots) => Promise<boolean>): Promise<void> {
    const { carrier, limit, pacer } = this;
    if (limit.free === 0) return limit.waitForChange(FULL_MS);
    await limit.reserve(1, async () => {
      const pacingSlot = await pacer.take(carrier);
      await pacer.approach(carrier, pacingSlot);
      let isUsed = false;
      try {
        isUsed = await claim({ count: 1, only: { carrier, pacingSlot } });
      } finally {
        if (!isUsed) pacer.release(carrier, pacingSlot);
      }
    });
  }
}
