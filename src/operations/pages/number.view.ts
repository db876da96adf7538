import { type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { moodOf } from '../../domain/narrator/call.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { type Page } from '../../http/page.js';
import { answerOf, decisionsView, historyView } from './decision.view.js';
import { address, html, type Html, type Shown } from './html.js';
import { badge, layout, teamSelect } from './layout.js';
import { timeIn } from './local-time.js';
import { type Frame } from './page-frame.service.js';

/** What is known of a number beside its calls. */
export interface NumberRow {
  contact: string | null;
  timezone: string | null;
  listed_at: Date | null;
  listed_because: string | null;
  whitelisted: boolean;
  whitelist_only: boolean;
}

/** What a team knows of one number. */
export interface NumberHistory {
  phoneNumber: string;
  about: NumberRow;
  calls: Page<CallOfNumber>;
  /** Agents' names by their ids. */
  agents: Map<string, string>;
}

/** One number's whole history; without one, the form that asks for it. */
export function numberPage(frame: Frame, history: NumberHistory | null): Html {
  const body = html` <h1>${history?.phoneNumber ?? 'Numbers'}</h1>
    <p class="soft">Why was this person called, or not?</p>
    <form class="bar" method="get" action="/admin/numbers">
      ${teamSelect(frame, frame.team === null ? 'Choose a team' : undefined)}
      <label
        >Phone number
        <input
          name="phoneNumber"
          type="tel"
          value="${history?.phoneNumber ?? frame.request.phoneNumber}"
          placeholder="+14155552671"
          autocomplete="off"
          required
      /></label>
      <button class="main">Look up</button>
    </form>
    ${history !== null && historySections(frame, history)}`;
  return layout(frame, { section: 'numbers', title: history?.phoneNumber ?? 'Numbers', body });
}

function historySections(frame: Frame, { phoneNumber, about, calls, agents }: NumberHistory): Shown {
  const { zone, team, request } = frame;
  const parameters = { teamId: team?.id, phoneNumber, timezone: request.parameter('timezone') };
  const listed = about.listed_at !== null;
  const next = calls.nextCursor;
  return html` <section class="card" id="about">
      <dl class="facts">
        <dt>Contact</dt>
        <dd>${about.contact ?? (about.timezone === null ? 'No name known' : 'Without a name')}</dd>
        ${
          about.timezone !== null &&
          html`<dt>Their time zone</dt>
            <dd>${about.timezone}</dd>`
        }
        <dt>Do Not Call</dt>
        <dd>
          ${listed ? badge('On the list', 'bad') : 'Not on the list'}
          ${about.listed_at !== null && `since ${timeIn(zone, about.listed_at)}`}${about.listed_because !== null && `: ${about.listed_because}`}
          <a href="${address('/admin/do-not-call', parameters)}">${listed ? 'Remove' : 'Add'}…</a>
        </dd>
        ${
          about.whitelist_only &&
          html`<dt>Whitelist</dt>
            <dd>${about.whitelisted ? 'On the whitelist' : badge('Not on the whitelist', 'bad')}</dd>`
        }
      </dl>
    </section>
    <section class="card" id="calls">
      <h2>Calls</h2>
      <p class="soft small">The newest first, times in ${zone}.</p>
      ${calls.items.length === 0 && html`<p>No call to this number was ever asked for.</p>`}
      ${calls.items.map((call) => callView(frame, call, agents.get(call.agentId)))}
      ${next !== null && html`<p><a href="${address('/admin/numbers', { ...parameters, cursor: next })}">Older calls</a></p>`}
    </section>`;
}

function callView(frame: Frame, call: CallOfNumber, agent: string | undefined): Html {
  const { zone } = frame;
  return html`<article class="call" data-call="${call.id}">
    <div class="head">
      ${badge(stateLabel(call.status), moodOf(call.status))}
      <span>Requested ${timeIn(zone, call.acceptedAt)}</span>
      <span class="soft">${agent}</span>
      <a class="small" href="/admin/calls/${call.id}">Its record</a>
    </div>
    <p>${answerOf(frame, call)}</p>
    <details>
      <summary>Decisions and history</summary>
      ${decisionsView(call, zone)} ${historyView(call, zone)}
    </details>
  </article>`;
}
