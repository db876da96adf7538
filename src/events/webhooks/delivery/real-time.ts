import { Logger } from '@nestjs/common';
import { type Statement } from '../../../database/transactions.js';

/** The real time of Postgres, also where `outdial_now()` is another. It comes with each claim. */
export const READ_REAL_TIME: Statement = {
  name: 'read_real_time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
};

export interface RealTimeRow {
  ms: number;
}

/** A difference of more than this many milliseconds is logged. Receivers refuse one of five minutes. */
export const WRONG_MS = 5_000;

/** The pause between two warnings, in milliseconds. */
const WARNING_PAUSE_MS = 60_000;

/**
 * The time at which requests are signed: the real time of Postgres, carried on by the monotonic clock of this
 * process. Receivers refuse a signature whose time is minutes off, and the clock of a worker's machine may be. A
 * time is used only for the requests of the claim with which it came.
 */
export class RealTime {
  private readonly logger = new Logger(RealTime.name);
  private warnedAt = -Infinity;

  /**
   * Notes what Postgres has just answered, and warns if the clock of this process differs from it.
   *
   * @returns the time from now on.
   */
  noted({ ms }: RealTimeRow, processNow = Date.now()): () => Date {
    const at = performance.now();
    const offsetMs = processNow - ms;
    if (Math.abs(offsetMs) > WRONG_MS && at - this.warnedAt >= WARNING_PAUSE_MS) {
      this.warnedAt = at;
      this.logger.warn({
        message: 'the clock of this process differs from that of Postgres, whose time signs webhooks',
        offsetSeconds: Math.round(offsetMs / 1_000),
      });
    }
    return () => new Date(ms + performance.now() - at);
  }
}
