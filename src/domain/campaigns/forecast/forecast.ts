import { type ForecastEnrollment, type ForecastScene } from './scene.js';
import { type ForecastDial, Play } from './play.js';
import { type Counts, type ForecastHour } from './tally.js';

/** The forecast of a version's enrollments, if calls end as assumed. Instants are ISO 8601 in UTC. */
export interface Forecast {
  enrollments: number;
  dials: number;
  /** Hours without a dial and without a refusal are absent. */
  dialsByHour: ForecastHour[];
  /** Calls that end before `until`, by outcome. */
  outcomes: Counts;
  firstDialAt: string | null;
  lastDialAt: string | null;
  /** When the last enrollment ends; null if some are live at `until`. */
  finish: string | null;
  /** Enrollments that end, by reason. */
  ended: Counts;
  /** Enrollments that are live at `until`, and what they wait for. */
  live: number;
  waitingFor: Counts;
  /** How often each rule prevented a due attempt. */
  skipped: Counts;
  /** The calls that are under way at the start. */
  activeAtStart: number;
  /**
   * Until when more calls are active than the limits allow, because they were under way at the start. Null if
   * the limits hold all the time.
   */
  overLimitUntil: string | null;
  /** The most calls that are active at one instant, also above the limits. */
  concurrencyPeak: number;
  /**
   * The most calls that are active at one instant without the limit `concurrency`. The campaign's own limit
   * still applies.
   */
  concurrencyNeeded: number;
}

/**
 * Plays a version once, and if concurrency slots are short, once more without their limit.
 * @param onDial is called for every dial.
 */
export function forecast(
  scene: ForecastScene,
  enrollments: readonly ForecastEnrollment[],
  onDial?: (dial: ForecastDial) => void,
): Forecast {
  const play = new Play(scene, enrollments, onDial).run();
  const { tally, peak, live, waitingFor, activeAtStart, overLimitUntil } = play;
  const isShort = tally.skipped.concurrency !== undefined && peak >= scene.concurrency;
  const needed = isShort ? new Play({ ...scene, concurrency: Infinity }, enrollments).run().peak : peak;
  return {
    enrollments: enrollments.length,
    dials: tally.dials,
    dialsByHour: tally.byHour(),
    outcomes: tally.outcomes,
    firstDialAt: isoOf(tally.firstDialAt),
    lastDialAt: isoOf(tally.lastDialAt),
    finish: live === 0 ? isoOf(tally.lastEndAt) : null,
    ended: tally.ended,
    live,
    waitingFor,
    skipped: tally.skipped,
    activeAtStart,
    overLimitUntil: isoOf(overLimitUntil),
    concurrencyPeak: peak,
    concurrencyNeeded: needed,
  };
}

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());
