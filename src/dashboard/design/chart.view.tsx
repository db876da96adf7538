import { offsetMs } from '../../domain/zones/time-zone.js';
import { count, timeIn } from './local-time.js';

/** An hour of the local clock, and how many calls are due in it. */
export interface Hour {
  start: Date;
  calls: number;
}

const WIDTH = 960;
const BASE = 150;
const TALLEST = 116;
const GAP = 8;

interface ChartProps {
  hours: Hour[];
  zone: string;
  /** The address of the list of an hour's calls. */
  listOf?: (hour: Hour) => string;
}

/**
 * Bars by the hour, the current hour first. SVG attributes set their sizes, because the policy of the pages
 * allows no inline style.
 */
export function HoursChart({ hours, zone, listOf }: ChartProps) {
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const total = hours.reduce((sum, { calls }) => sum + calls, 0);
  const step = WIDTH / hours.length;
  return (
    <>
      {total === 0 && <p class="soft">No call is scheduled within these hours.</p>}
      <div class="scroll">
        <svg
          class="chart"
          viewBox={`0 0 ${WIDTH} ${BASE + 38}`}
          // Parts of an image cannot be links.
          role={listOf === undefined ? 'img' : 'group'}
          aria-label={`Calls to run in the next 24 hours by hour, ${total} in all`}
        >
          <line x1="0" y1={`${BASE}.5`} x2={WIDTH} y2={`${BASE}.5`} />
          {hours.map((hour, index) => bar(hour, { zone, most, step, index, last: hours.length - 1, listOf }))}
        </svg>
      </div>
    </>
  );
}

interface BarPosition {
  zone: string;
  /** The calls of the tallest bar. */
  most: number;
  /** The width of an hour. */
  step: number;
  index: number;
  last: number;
  listOf: ChartProps['listOf'];
}

function bar(hour: Hour, position: BarPosition) {
  const { listOf, zone } = position;
  const isLink = listOf !== undefined && hour.calls > 0;
  return (
    <>
      {isLink ? (
        <a href={listOf(hour)} aria-label={label(hour, zone)}>
          {barOf(hour, position)}
        </a>
      ) : (
        barOf(hour, position)
      )}
      {textsOf(hour, position)}
    </>
  );
}

function label({ start, calls }: Hour, zone: string): string {
  return `${timeIn(zone, start)}: ${count(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

const heightOf = ({ calls }: Hour, { most }: BarPosition) =>
  calls === 0 ? 0 : Math.max(3, (calls / most) * TALLEST);

function barOf(one: Hour, position: BarPosition) {
  const { zone, step, index } = position;
  const height = heightOf(one, position);
  return (
    <g data-hour={one.start.toISOString()} data-calls={one.calls}>
      <title>{label(one, zone)}</title>
      <rect
        class={index === 0 ? 'bar now' : 'bar'}
        x={fixed(index * step + GAP / 2)}
        y={fixed(BASE - height)}
        width={fixed(step - GAP)}
        height={fixed(height)}
        rx="3"
      />
    </g>
  );
}

/** Beside the bar, not in its link: the link has a name of its own. */
function textsOf(one: Hour, position: BarPosition) {
  const { zone, step, index, last } = position;
  const { start, calls } = one;
  const height = heightOf(one, position);
  const middle = fixed((index + 0.5) * step);
  const clock = new Date(start.getTime() + offsetMs(zone, start.getTime()));
  const hour = clock.getUTCHours();
  // The first bar names its day. So does a bar that begins at midnight, except the last bar.
  const day = index === 0 || (hour === 0 && index < last);
  return (
    <>
      {calls > 0 && (
        <text class="figure" x={middle} y={fixed(BASE - height - 5)}>
          {short(calls)}
        </text>
      )}
      <text class={`hour${index === 0 ? ' first' : hour % 4 === 0 ? '' : ' minor'}`} x={middle} y={BASE + 16}>
        {String(hour).padStart(2, '0')}
      </text>
      {day && (
        <text class={index === 0 ? 'day first' : 'day'} x={middle} y={BASE + 32}>
          {timeIn(zone, start).slice(0, 3)}
        </text>
      )}
    </>
  );
}

function short(calls: number): string {
  return calls < 10_000 ? String(calls) : `${Math.round(calls / 1_000)}k`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
