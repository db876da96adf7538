import { type ComponentChildren } from 'preact';
import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type ForecastService } from '../../campaigns/forecast/forecast.service.js';
import { endLabel, waitLabel } from '../../domain/narrator/enrollment.js';
import { outcomeLabel } from '../../domain/narrator/labels.js';
import { address } from '../design/address.js';
import { DaysChart, type Hour, HoursChart } from '../design/chart.view.js';
import { PostForm } from '../frame/controls.js';
import { Figures } from '../design/figures.view.js';
import { Layout } from '../frame/layout.js';
import { count, timeIn } from '../design/local-time.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

type Forecast = Awaited<ReturnType<ForecastService['of']>>;

type Chances = Omit<Parameters<ForecastService['of']>[1]['assume'], 'seconds'>;

/** The fields of the form, as they were typed; the outcomes in percent. */
export type ForecastFields = Record<
  'days' | 'concurrency' | keyof Chances | 'seconds' | 'contacts' | 'seed',
  string
>;

/** What the page shows of a forecast. */
export interface ShownForecast {
  campaign: Awaited<ReturnType<CampaignsService['get']>>;
  version: Awaited<ReturnType<CampaignVersionsService['get']>>;
  fields: ForecastFields;
  /** Why the version was not played, as a sentence. */
  problem: string | null;
  /** Null until the version was played. */
  forecast: Forecast | null;
}

/** The length of the date of `timeIn`, such as `Fri 2026-11-20`. */
const DATE = 14;

const LABELS: Record<keyof ForecastFields, string> = {
  days: 'Days, from now',
  concurrency: 'Active calls at a time',
  completed: 'Completed, %',
  no_answer: 'No answer, %',
  busy: 'Busy, %',
  voicemail: 'Voicemail, %',
  declined: 'Declined, %',
  network_blocked: 'Blocked by a network, %',
  seconds: 'Seconds a call',
  contacts: 'Made-up contacts',
  seed: 'Seed',
};

/** The form of a forecast, and what was played. */
export function forecastPage(frame: Frame, shown: ShownForecast) {
  const { campaign, version, fields, problem, forecast } = shown;
  const page = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  return (
    <Layout frame={frame} section="campaigns" title={`Forecast, ${campaign.name}`}>
      <h1>Forecast of version {version.number}</h1>
      <p class="soft small">
        <a href={address(page, { timezone: frame.request.parameter('timezone') })}>{campaign.name}</a> ·
        played with simulated time; no call is placed
      </p>
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <section class="card" id="assumptions">
        <h2>Assumptions</h2>
        <PostForm frame={frame} action={`${page}/versions/${version.id}/forecast`}>
          <div class="fields">
            {(Object.keys(LABELS) as (keyof ForecastFields)[]).map((name) => (
              <label>
                {LABELS[name]}
                <input
                  name={name}
                  type="number"
                  min={name === 'days' || name === 'concurrency' || name === 'seconds' ? '1' : '0'}
                  value={fields[name]}
                  required={name !== 'contacts'}
                />
              </label>
            ))}
          </div>
          <p class="soft small">
            The rest of the calls fail. Without made-up contacts, the live enrollments of the version are
            played. The same seed draws the same outcomes.
          </p>
          <button class="main">Play</button>
        </PostForm>
      </section>
      {forecast !== null && <Played frame={frame} forecast={forecast} />}
    </Layout>
  );
}

function Played({ frame: { zone }, forecast }: { frame: Frame; forecast: Forecast }) {
  const { enrollments, dials, finish, live, concurrencyPeak, concurrencyNeeded } = forecast;
  const tiles: [string, ComponentChildren][] = [
    [`Dials for ${count(enrollments)} ${enrollments === 1 ? 'enrollment' : 'enrollments'}`, count(dials)],
    ['Live at the end', count(live)],
    [`Most active calls at a time; ${count(concurrencyNeeded)} without the limit`, count(concurrencyPeak)],
    ['The last enrollment ends', finish === null ? 'Later' : <Instant zone={zone} at={finish} />],
  ];
  const { activeAtStart, overLimitUntil } = forecast;
  return (
    <>
      {overLimitUntil !== null && (
        <p class="notice warn" id="over-limit">
          {count(activeAtStart)} calls are active at the start, more than the limit allows. None is dialed
          until <Instant zone={zone} at={overLimitUntil} />.
        </p>
      )}
      <div class="tiles" id="played">
        {tiles.map(([name, figure]) => (
          <div class="tile">
            <span class="name">{name}</span>
            <b>{figure}</b>
          </div>
        ))}
      </div>
      <section class="card" id="chart">
        <h2>Dials by {isShort(forecast) ? 'hour' : 'day'}</h2>
        <Chart zone={zone} forecast={forecast} />
        <p class="soft small">In {zone}.</p>
      </section>
      <div class="cards">
        <Days zone={zone} forecast={forecast} />
        <Figures id="skipped" title="Not dialed when due" counts={forecast.skipped} label={waitLabel}>
          The due attempts that each rule prevented.
        </Figures>
        <Figures id="outcomes" title="Outcomes" counts={forecast.outcomes} label={outcomeLabel}>
          Calls that ended, as the assumptions drew them.
        </Figures>
        <Figures id="ends" title="Ended" counts={forecast.ended} label={endLabel}>
          Enrollments that end, by the reason.
        </Figures>
      </div>
    </>
  );
}

const HOUR_MS = 3_600_000;
/** Dials of so many hours are shown by the hour. */
const MOST_HOURS = 48;
const NO_DIALS = 'No call is dialed in this time.';

/** The hours between the first and the last dial. */
function spanOf({ dialsByHour }: Forecast): Hour[] {
  const dialed = dialsByHour.filter(({ dials }) => dials > 0);
  const instants = dialed.map(({ hour }) => new Date(hour).getTime());
  const dials = new Map(dialed.map((one, index) => [instants[index], one.dials]));
  const [first, last] = [instants[0], instants.at(-1)];
  if (first === undefined || last === undefined) return [];
  const hours = Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, n) => first + n * HOUR_MS);
  return hours.map((start) => ({ start: new Date(start), calls: dials.get(start) ?? 0 }));
}

const isShort = (forecast: Forecast): boolean => spanOf(forecast).length <= MOST_HOURS;

function Chart({ zone, forecast }: { zone: string; forecast: Forecast }) {
  const hours = spanOf(forecast);
  if (hours.length <= MOST_HOURS)
    return <HoursChart hours={hours} zone={zone} title="Dials by hour" empty={NO_DIALS} beginsNow={false} />;
  // An hour of the forecast is one of UTC, and counts for the day in which it begins.
  const days = new Map<string, number>();
  for (const { start, calls } of hours) {
    const date = timeIn(zone, start).slice(0, DATE);
    days.set(date, (days.get(date) ?? 0) + calls);
  }
  const bars = [...days].map(([date, calls]) => ({ date, calls }));
  return <DaysChart days={bars} title="Dials by day" empty={NO_DIALS} />;
}

/** Dials by day of the page's zone. */
function Days({ zone, forecast: { dialsByHour } }: { zone: string; forecast: Forecast }) {
  const days = new Map<string, { dials: number; most: number }>();
  for (const { hour, dials } of dialsByHour) {
    const name = timeIn(zone, hour).slice(0, DATE);
    const day = days.get(name) ?? { dials: 0, most: 0 };
    days.set(name, { dials: day.dials + dials, most: Math.max(day.most, dials) });
  }
  const rows = [...days].filter(([, { dials }]) => dials > 0);
  return (
    <section class="card" id="days">
      <h2>Dials by day</h2>
      {rows.length === 0 && <p class="soft">None.</p>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Day</th>
              <th class="number">Dials</th>
              <th class="number">Busiest hour</th>
            </tr>
          </thead>
          {rows.map(([name, { dials, most }]) => (
            <tr>
              <td class="nowrap">{name}</td>
              <td class="number">{count(dials)}</td>
              <td class="number">{count(most)}</td>
            </tr>
          ))}
        </table>
      )}
      <p class="soft small">In {zone}.</p>
    </section>
  );
}
