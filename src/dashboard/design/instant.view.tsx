import { isTimeZone } from '../../domain/zones/time-zone.js';
import { timeIn } from './local-time.js';

interface InstantProps {
  /** Of the page. */
  zone: string;
  at: Date | string;
  /** Whether the seconds are shown. */
  seconds?: boolean;
  /** The zone of the called person; the time there is shown beside, where the clocks differ. */
  theirs?: string | null;
}

/** An instant in the zone of the page, such as `Fri 2026-11-20 09:00`. */
export function Instant({ zone, at, seconds = false, theirs = null }: InstantProps) {
  const iso = new Date(at).toISOString();
  const there = isTimeZone(theirs) ? timeThere(zone, theirs, at) : null;
  return (
    <>
      <time dateTime={iso}>
        {timeIn(zone, at)}
        {seconds && `:${iso.slice(17, 19)}`}
      </time>
      {there !== null && (
        <>
          {' '}
          <span class="soft small nowrap" title={theirs ?? undefined}>
            {there} there
          </span>
        </>
      )}
    </>
  );
}

/** @returns null: the clocks are the same. On the same day, the time alone. */
function timeThere(zone: string, theirs: string, at: Date | string): string | null {
  const [here, there] = [timeIn(zone, at), timeIn(theirs, at)];
  if (here === there) return null;
  return here.slice(0, 14) === there.slice(0, 14) ? there.slice(15) : there;
}
