import { offsetMs } from '../../domain/zones/time-zone.js';
import { count, timeIn } from './local-time.js';

/** An hour of the local clock, and how many calls are due in it. */
export interface Hour {
  start: Date;
  calls: number;
}

/** A day of the local calendar, such as `Fri 2026-11-20`, and its calls. */
export interface Day {
  date: string;
  calls: number;
}

const WIDTH = 960;
const BASE = 150;
const TALLEST = 116;
const GAP = 8;
/** More names of days would touch each other. */
const MOST_NAMED_DAYS = 14;

interface ChartProps {
  hours: Hour[];
  zone: string;
  /** The address of the list of an hour's calls. */
  listOf?: (hour: Hour) => string;
  /** What the chart shows; by default, calls of the next 24 hours. */
  title?: string;
  /** The line in place of a chart without bars. */
  empty?: string;
  /** Whether the first hour is the current one, which is in part over. */
  beginsNow?: boolean;
}

/** Bars by the hour; without calls, one line. */
export function HoursChart({
  hours,
  zone,
  listOf,
  title = 'Calls to run in the next 24 hours by hour',
  empty = 'No call is scheduled within these hours.',
  beginsNow = true,
}: ChartProps) {
  const last = hours.length - 1;
  const bars = hours.map((hour, index): Bar => {
    const { start, calls } = hour;
    const clock = new Date(start.getTime() + offsetMs(zone, start.getTime())).getUTCHours();
    // The first bar names its day. So does a bar that begins at midnight, except the last bar.
    const namesDay = index === 0 || (clock === 0 && index < last);
    return {
      key: { 'data-hour': start.toISOString() },
      isNow: beginsNow && index === 0,
      calls,
      name: timeIn(zone, start),
      tick: String(clock).padStart(2, '0'),
      isMinor: clock % 4 !== 0,
      day: namesDay ? timeIn(zone, start).slice(0, 3) : null,
      list: listOf?.(hour),
    };
  });
  return <Bars bars={bars} title={title} empty={empty} linked={listOf !== undefined} />;
}

/** Bars by the day; without calls, one line. */
export function DaysChart({ days, title, empty }: { days: Day[]; title: string; empty: string }) {
  const every = Math.ceil(days.length / MOST_NAMED_DAYS);
  const bars = days.map(({ date, calls }, index): Bar => {
    const [weekday = '', day = ''] = date.split(' ');
    return {
      key: { 'data-day': day },
      isNow: false,
      calls,
      name: date,
      tick: index % every === 0 ? day.slice(8) : '',
      isMinor: index % (every * 3) !== 0,
      day: index % every === 0 && days.length <= MOST_NAMED_DAYS ? weekday : null,
    };
  });
  return <Bars bars={bars} title={title} empty={empty} linked={false} />;
}

interface Bar {
  /** The attribute with the hour or the day. */
  key: { 'data-hour': string } | { 'data-day': string };
  isNow: boolean;
  calls: number;
  /** Of the hour or the day. */
  name: string;
  /** Under the bar; empty: nothing. */
  tick: string;
  /** Whether a narrow screen has no place for the tick. */
  isMinor: boolean;
  /** Under the tick. */
  day: string | null;
  list?: string;
}

interface BarsProps {
  bars: readonly Bar[];
  title: string;
  empty: string;
  /** Whether bars lead to lists. */
  linked: boolean;
}

/**
 * The bars of a chart. SVG attributes set their sizes, because the policy of the pages allows no inline style. Without
 * calls, there is nothing to see in a chart.
 */
function Bars({ bars, title, empty, linked }: BarsProps) {
  const total = bars.reduce((sum, { calls }) => sum + calls, 0);
  if (total === 0) return <p class="soft">{empty}</p>;
  const most = Math.max(...bars.map(({ calls }) => calls));
  const step = WIDTH / bars.length;
  return (
    <div class="scroll">
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${BASE + 38}`}
        // Parts of an image cannot be links.
        role={linked ? 'group' : 'img'}
        aria-label={`${title}, ${count(total)} in all`}
      >
        <line x1="0" y1={`${BASE}.5`} x2={WIDTH} y2={`${BASE}.5`} />
        {bars.map((one, index) => bar(one, { most, step, index }))}
      </svg>
    </div>
  );
}

interface BarPosition {
  /** The calls of the tallest bar. */
  most: number;
  /** The width of a bar with its gaps. */
  step: number;
  index: number;
}

function bar(one: Bar, position: BarPosition) {
  const isLink = one.list !== undefined && one.calls > 0;
  return (
    <>
      {isLink ? (
        <a href={one.list} aria-label={label(one)}>
          {barOf(one, position)}
        </a>
      ) : (
        barOf(one, position)
      )}
      {textsOf(one, position)}
    </>
  );
}

function label({ name, calls }: Bar): string {
  return `${name}: ${count(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

const heightOf = ({ calls }: Bar, { most }: BarPosition) =>
  calls === 0 ? 0 : Math.max(3, (calls / most) * TALLEST);

function barOf(one: Bar, position: BarPosition) {
  const { step, index } = position;
  const height = heightOf(one, position);
  const gap = Math.min(GAP, step / 4);
  return (
    <g {...one.key} data-calls={one.calls}>
      <title>{label(one)}</title>
      <rect
        class={one.isNow ? 'bar now' : 'bar'}
        x={fixed(index * step + gap / 2)}
        y={fixed(BASE - height)}
        width={fixed(step - gap)}
        height={fixed(height)}
        rx="3"
      />
    </g>
  );
}

/** Beside the bar, not in its link: the link has a name of its own. */
function textsOf(one: Bar, position: BarPosition) {
  const { step, index } = position;
  const { calls, tick, isMinor, day } = one;
  const middle = fixed((index + 0.5) * step);
  return (
    <>
      {calls > 0 && tick !== '' && (
        <text class="figure" x={middle} y={fixed(BASE - heightOf(one, position) - 5)}>
          {short(calls)}
        </text>
      )}
      {tick !== '' && (
        <text class={`hour${index === 0 ? ' first' : isMinor ? ' minor' : ''}`} x={middle} y={BASE + 16}>
          {tick}
        </text>
      )}
      {day !== null && (
        <text class={index === 0 ? 'day first' : 'day'} x={middle} y={BASE + 32}>
          {day}
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
