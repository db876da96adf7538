import { type Transitions } from './packed-zones.js';
import { changesIn, yearlyChanges, yearOf } from './yearly-rule.js';

/** The largest distance of a `Date` from the epoch, in milliseconds. */
const MAX_INSTANT = 8.64e15;

/** A time in which the offset does not change: `from` inclusive, `until` exclusive (epoch milliseconds). */
export interface Segment {
  from: number;
  until: number;
  /** Milliseconds that the wall clock is ahead of UTC. */
  offset: number;
}

/** A zone's offsets. After the end of the data, the changes of the last years go on. */
export class Zone {
  private readonly yearly: ReturnType<typeof yearlyChanges>;
  /** Of the last look-up: consecutive decisions are mostly about the same days. */
  private latest: Segment = { from: 0, until: 0, offset: 0 };

  /** @param lastYear the last year of the data. */
  constructor(
    /** As the data write it. A link has the name of the zone that it names. */
    readonly name: string,
    private readonly transitions: Transitions,
    lastYear: number,
  ) {
    this.yearly = yearlyChanges(transitions, lastYear);
  }

  /** Throws a RangeError for an instant that no `Date` has. */
  at(instant: number): Segment {
    const { latest } = this;
    if (instant >= latest.from && instant < latest.until) return latest;
    if (!(Math.abs(instant) <= MAX_INSTANT)) throw new RangeError('not an instant');
    return (this.latest = this.find(instant));
  }

  private find(instant: number): Segment {
    const { starts, offsets } = this.transitions;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= instant) low = middle + 1;
      else high = middle;
    }
    const found = {
      from: starts[low - 1] ?? -Infinity,
      until: starts[low] ?? Infinity,
      offset: offsets[low]!,
    };
    return low === starts.length && this.yearly !== undefined
      ? this.afterData(this.yearly, instant, found)
      : found;
  }

  /** @param last the last segment of the data. */
  private afterData(yearly: NonNullable<Zone['yearly']>, instant: number, last: Segment): Segment {
    const year = yearOf(instant);
    const changes = [year - 1, year, year + 1]
      .flatMap((one) => changesIn(yearly, one))
      .filter(({ at }) => at > last.from);
    const next = changes.findIndex(({ at }) => at > instant);
    const current = changes[next - 1];
    return {
      from: current?.at ?? last.from,
      until: changes[next]?.at ?? Infinity,
      offset: current?.offset ?? last.offset,
    };
  }
}
