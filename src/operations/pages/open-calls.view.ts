import { RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, resolutionLabel } from '../../domain/narrator/labels.js';
import { address, html, type Html, type Shown } from './html.js';
import { badge, form } from './layout.js';
import { count, timeIn } from './local-time.js';
import { LISTED, type OverdueRow, type UnknownRow } from './overview.sql.js';
import { type Frame } from './page-frame.service.js';

/** Calls of which only a person can find out what became of them; nothing where there are none. */
export function unknownSection(frame: Frame, calls: UnknownRow[], total: number): Shown {
  if (calls.length === 0) return null;
  const rows = calls.map(
    (call) =>
      html`<article class="call" data-call="${call.id}">
        <div class="head">
          ${numberLink(call.team_id, call.phone_number)}
          <span class="soft">${call.team}</span>
          <a class="small" href="/admin/calls/${call.id}">Its record</a>
        </div>
        <p class="small">
          Claimed ${timeIn(frame.zone, call.claimed_at)},
          ${duration(frame.now.getTime() - call.claimed_at.getTime())} ago.
          ${call.reason !== null && `${reasonLabel(call.reason)}.`} Carrier
          ${call.carrier ?? 'unknown'}${call.carrier_call_id !== null && `, its id ${call.carrier_call_id}`}.
        </p>
        ${resolveForm(frame, call.id)}
      </article>`,
  );
  return html`<section class="card" id="unknown">
    <h2>Unknown outcome</h2>
    <p class="soft small">
      Asked to dial, the carrier never gave a clear answer. These are never dialed again by themselves: look
      the call up at the carrier, then say what became of it.
      ${total > calls.length && `The ${LISTED} oldest of ${count(total)}.`}
    </p>
    ${rows}
  </section>`;
}

/** Says what became of a call in `dial_unknown`; opened first, because it cannot be taken back. */
export function resolveForm(frame: Frame, callRequestId: string): Html {
  const buttons = RESOLUTIONS.map(
    (outcome) => html`<button name="outcome" value="${outcome}">${resolutionLabel(outcome)}</button>`,
  );
  return html`<details>
    <summary>Resolve…</summary>
    ${form(frame, `/admin/calls/${callRequestId}/resolve`, html`<div class="choices">${buttons}</div>`)}
  </details>`;
}

/** Pending calls past their time, the latest first. */
export function overdueSection({ now, zone, team }: Frame, calls: OverdueRow[]): Shown {
  if (calls.length === 0) return null;
  const rows = calls.map(
    (call) =>
      html`<tr data-call="${call.id}">
        <td class="nowrap">${numberLink(call.team_id, call.phone_number)}</td>
        ${team === null && html`<td>${call.team}</td>`}
        <td data-name="Late by" class="nowrap">
          <b>${duration(now.getTime() - call.runs_at.getTime())}</b> ${call.paused && badge('paused', 'warn')}
        </td>
        <td data-name="Its time" class="nowrap">${timeIn(zone, call.runs_at)}</td>
        <td class="nowrap wide">${timeIn(zone, call.expires_at)}</td>
        <td class="nowrap wide">${count(call.wakes)} ×</td>
        <td class="nowrap"><a href="/admin/calls/${call.id}">Its record</a></td>
      </tr>`,
  );
  return html`<section class="card" id="overdue">
    <h2>Overdue</h2>
    <table class="stack">
      <thead>
        <tr>
          <th>Number</th>
          ${team === null && html`<th>Team</th>`}
          <th>Late by</th>
          <th>Its time</th>
          <th>Expires</th>
          <th>Woken again</th>
          <th></th>
        </tr>
      </thead>
      ${rows}
    </table>
    ${calls.length === LISTED && html`<p class="soft small">The ${LISTED} that are latest.</p>`}
  </section>`;
}

export function numberLink(teamId: string, phoneNumber: string): Html {
  return html`<a href="${address('/admin/numbers', { teamId, phoneNumber })}">${phoneNumber}</a>`;
}
