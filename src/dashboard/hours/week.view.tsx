import { type CallingHours, openPeriods, weekdays } from '../../domain/calling-hours.js';
import { DAY_MS } from '../../domain/openings.js';
import { dayName } from './hours-form.js';
import { hoursInWords } from './hours-words.js';

const LEFT = 44;
const WIDTH = 480;
const ROW = 20;
const HOURS = [0, 6, 12, 18, 24];
/** 1970-01-05, a Monday, in days. */
const MONDAY = 4;

/** Calling hours drawn as a week, a row a day. */
export function WeekChart({ hours }: { hours: CallingHours }) {
  const at = (ms: number) => LEFT + (ms / DAY_MS) * WIDTH;
  const bottom = weekdays.length * ROW;
  return (
    <svg
      class="chart week"
      viewBox={`0 0 ${LEFT + WIDTH + 16} ${bottom + 18}`}
      role="img"
      aria-label={hoursInWords(hours)}
    >
      {weekdays.map((day, n) => (
        <g>
          <text class="side" x={0} y={n * ROW + 14}>
            {dayName(day).slice(0, 3)}
          </text>
          <rect class="closed" x={LEFT} y={n * ROW + 3} width={WIDTH} height={ROW - 6} />
          {openPeriods(hours, () => false, MONDAY + n).map(([from, to]) => (
            <rect class="bar" x={at(from)} y={n * ROW + 3} width={at(to) - at(from)} height={ROW - 6} />
          ))}
        </g>
      ))}
      {HOURS.map((hour) => (
        <text x={at((hour * DAY_MS) / 24)} y={bottom + 14}>{`${String(hour).padStart(2, '0')}:00`}</text>
      ))}
    </svg>
  );
}
