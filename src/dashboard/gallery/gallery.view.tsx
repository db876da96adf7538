import { type ComponentChildren } from 'preact';
import { DaysChart, HoursChart } from '../design/chart.view.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import { Instant } from '../design/instant.view.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { Figures } from '../design/figures.view.js';
import { Badge, Choice, type Mood, PhoneField } from '../frame/controls.js';
import { WEEKDAY_HOURS } from '../getting-started/template.js';
import { HoursEditor } from '../hours/hours-editor.view.js';
import { typedHoursOf } from '../hours/hours-form.js';
import { WeekChart } from '../hours/week.view.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

const MOODS: [Mood, string][] = [
  ['good', 'Completed'],
  ['warn', 'Paused'],
  ['bad', 'Blocked'],
  ['', 'Scheduled'],
];
const HOUR_MS = 3_600_000;
const STATES = [
  ['queued', 'Queued'],
  ['scheduled', 'Scheduled'],
] as const;

const DAYS = [12, 30, 0, 7].map((calls, index) => ({ date: `Mon 2026-11-${20 + index}`, calls }));

/** Every component of the pages, with made-up content. */
export function galleryPage(frame: Frame) {
  const hours = Array.from({ length: 24 }, (_, n) => ({
    start: new Date(frame.now.getTime() + n * HOUR_MS),
    calls: (n * 7) % 23,
  }));
  return (
    <Layout frame={frame} section={null} title="Design">
      <h1>Design</h1>
      <p class="soft">
        The components of the pages. A page is built of these and brings no style of its own.
      </p>
      <p class="notice" role="status">
        The call is canceled.
      </p>
      <p class="notice warn">Northwind Clinics is paused: no call is dialed for it.</p>
      <p class="notice bad">day must be a date, such as 2026-11-20</p>
      <div class="tiles">
        {MOODS.slice(0, 3).map(([mood, name]) => (
          <div class={`tile ${mood}`}>
            <span class="name">{name}</span>
            <b>1,234</b>
          </div>
        ))}
      </div>
      <Part title="Badges">
        <p class="choices">
          {MOODS.map(([mood, name]) => (
            <Badge mood={mood}>{name}</Badge>
          ))}
        </p>
      </Part>
      <Part title="Times and numbers">
        <p>
          <Instant zone={frame.zone} at={frame.now} theirs="Asia/Tokyo" /> ·{' '}
          <PhoneNumber number="+14155550142" /> · <PhoneNumber number="+493012345678" />
        </p>
      </Part>
      <Part title="Filter bar">
        <FilterBar action="/design" set={setFilters({ State: 'Queued' })} without="/design">
          <Choice label="State" name="status" chosen="queued" options={STATES} />
          <PhoneField value={null} />
        </FilterBar>
      </Part>
      <Part title="Form rows and buttons">
        <p>
          <label>
            Reason, if any
            <input name="reason" autocomplete="off" />
          </label>
        </p>
        <p>
          <label>
            Phone numbers, one a line
            <textarea name="phoneNumbers" />
          </label>
        </p>
        <div class="choices">
          <button class="main" type="button">
            Save
          </button>
          <button type="button">Show</button>
          <button class="danger" type="button">
            Yes, cancel it
          </button>
        </div>
      </Part>
      <Part title="Confirmation">
        <details>
          <summary>Cancel this call…</summary>
          <p class="soft small">The call will not be dialed. This cannot be undone.</p>
          <button class="danger" type="button">
            Yes, cancel it
          </button>
        </details>
      </Part>
      <Part title="Table">
        <table class="stack">
          <thead>
            <tr>
              <th>Number</th>
              <th>State</th>
              <th class="number">Calls</th>
            </tr>
          </thead>
          {MOODS.map(([mood, name]) => (
            <tr>
              <td>+1 415 555 0142</td>
              <td data-name="State">
                <Badge mood={mood}>{name}</Badge>
              </td>
              <td class="number" data-name="Calls">
                1,234
              </td>
            </tr>
          ))}
        </table>
      </Part>
      <Part title="Empty state">
        <p>No call is like this.</p>
      </Part>
      <div class="cards">
        <Part title="Facts">
          <dl class="facts">
            <dt>Agent</dt>
            <dd>Reminder agent</dd>
            <dt>Called from</dt>
            <dd>+1 415 555 0100</dd>
          </dl>
        </Part>
        <Part title="Timeline">
          <ol class="history">
            <li>
              <span class="soft nowrap">Fri 2026-11-20 10:00</span>
              <span>Requested → Queued</span>
            </li>
            <li>
              <span class="soft nowrap">Fri 2026-11-20 10:01</span>
              <span>Dialing → Completed</span>
            </li>
          </ol>
        </Part>
        <Figures id="figures" title="Figures" counts={{ hours: 12, pause: 3 }} label={(name) => name}>
          Counts by name, the largest first.
        </Figures>
      </div>
      <Part title="Chart">
        <HoursChart hours={hours} zone={frame.zone} />
        <DaysChart days={DAYS} title="Dials by day" empty="No call is dialed." />
        <DaysChart
          days={[]}
          title="Dials by day"
          empty="No call is dialed: a chart without bars is one line."
        />
      </Part>
      <Part title="Week of calling hours">
        <WeekChart hours={WEEKDAY_HOURS} />
        <form method="get" action="/design">
          <HoursEditor name="hours" typed={typedHoursOf(WEEKDAY_HOURS)} errors={{}} action="/design" />
        </form>
      </Part>
      <Part title="Text">
        <pre>{'Hello, this is a reminder.'}</pre>
      </Part>
    </Layout>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
