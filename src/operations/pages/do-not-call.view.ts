import { type DoNotCallService } from '../../do-not-call/do-not-call.service.js';
import { type Page } from '../../http/page.js';
import { address, html, type Html, type Shown } from './html.js';
import { badge, form, layout, teamSelect } from './layout.js';
import { timeIn } from './local-time.js';
import { numberLink } from './open-calls.view.js';
import { type TeamRow } from './overview.sql.js';
import { type Frame } from './page-frame.service.js';

/** An entry as it is shown. */
export type Entry = Awaited<ReturnType<DoNotCallService['get']>>;

/** What the page shows of one team's list; `entry` is null where the number that was asked for is not on it. */
export interface DoNotCallList {
  entries: Page<Entry>;
  asked: { phoneNumber: string; entry: Entry | null } | null;
  /** What came of a form of which some lines are no numbers. */
  corrections: (Added & { reason: string }) | null;
}

type Added = Awaited<ReturnType<DoNotCallService['add']>>;

/** A team's Do Not Call list; without a team, the form that asks for one. */
export function doNotCallPage(frame: Frame, list: DoNotCallList | null): Html {
  const { team } = frame;
  const body = html` <h1>Do Not Call</h1>
    <p class="soft">A number on the list is never dialed by its team, from the moment it is added.</p>
    <form class="bar" method="get" action="/admin/do-not-call">
      ${teamSelect(frame, team === null ? 'Choose a team' : undefined)}
      <label
        >Phone number
        <input
          name="phoneNumber"
          type="tel"
          value="${list?.asked?.phoneNumber ?? frame.request.phoneNumber}"
          placeholder="+14155552671"
          autocomplete="off"
      /></label>
      <button class="main">Look up</button>
    </form>
    ${team !== null && list !== null && [lookedUp(frame, team, list), addSection(frame, team, list), listSection(frame, team, list)]}`;
  return layout(frame, { section: 'do-not-call', title: 'Do Not Call', body });
}

function lookedUp(frame: Frame, team: TeamRow, { asked }: DoNotCallList): Shown {
  if (asked === null) return null;
  const { phoneNumber, entry } = asked;
  return html`<section class="card" id="looked-up">
    <h2>
      ${numberLink(team.id, phoneNumber)}
      ${entry === null ? badge('Not on the list', 'good') : badge('On the list', 'bad')}
    </h2>
    ${
      entry === null
        ? html`<p class="soft">${team.name} may dial it as far as this list goes.</p>`
        : html`<p>${reasonOf(entry)}, added ${timeIn(frame.zone, entry.createdAt)}.</p>
            ${removeForm(frame, team, entry)}`
    }
  </section>`;
}

function addSection(frame: Frame, team: TeamRow, { asked, corrections }: DoNotCallList): Html {
  const lookedUp = asked !== null && asked.entry === null ? asked.phoneNumber : '';
  const suggested = corrections?.rejected.map(({ phoneNumber }) => phoneNumber).join('\n') ?? lookedUp;
  return html`<section class="card" id="add">
    <h2>Add numbers for ${team.name}</h2>
    ${corrections !== null && rejectedLines(corrections)}
    ${form(
      frame,
      `/admin/teams/${team.id}/do-not-call`,
      html`<p>
          <label
            >Phone numbers, one a line <textarea name="phoneNumbers" required>${suggested}</textarea>
          </label>
        </p>
        <p>
          <label
            >Reason, if any
            <input name="reason" maxlength="500" value="${corrections?.reason}" autocomplete="off"
          /></label>
        </p>
        <button class="main">Add to Do Not Call</button>`,
    )}
  </section>`;
}

function rejectedLines({ added, rejected }: Added): Html {
  return html`<p class="notice warn" role="alert">
      Numbers added: ${added}. Lines that are no phone number: ${rejected.length}. Correct them here, and add
      them again.
    </p>
    <ul>
      ${rejected.map(
        ({ phoneNumber, error }) =>
          html`<li><code>${phoneNumber}</code> ${error.replace(/^phoneNumbers\[\d+\] /, '')}</li>`,
      )}
    </ul>`;
}

function listSection(frame: Frame, team: TeamRow, { entries }: DoNotCallList): Html {
  const rows = entries.items.map(
    (entry) =>
      html`<tr>
        <td class="nowrap">${numberLink(team.id, entry.phoneNumber)}</td>
        <td>${reasonOf(entry)}</td>
        <td class="nowrap" data-name="Added">${timeIn(frame.zone, entry.createdAt)}</td>
        <td>${removeForm(frame, team, entry)}</td>
      </tr>`,
  );
  const parameters = { teamId: team.id, timezone: frame.request.parameter('timezone') };
  return html`<section class="card" id="list">
    <h2>The list</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">It is empty.</p>`
        : html`<table class="stack">
            <thead>
              <tr>
                <th>Number</th>
                <th>Reason</th>
                <th>Added</th>
                <th></th>
              </tr>
            </thead>
            ${rows}
          </table>`
    }
    ${
      entries.nextCursor !== null &&
      html`<p>
        <a href="${address('/admin/do-not-call', { ...parameters, cursor: entries.nextCursor })}"
          >More numbers</a
        >
      </p>`
    }
  </section>`;
}

/** Opened first: whoever is removed may be called again. */
function removeForm(frame: Frame, team: TeamRow, { phoneNumber }: Entry): Html {
  return html`<details>
    <summary>Remove…</summary>
    ${form(
      frame,
      `/admin/teams/${team.id}/do-not-call/remove`,
      html`<input type="hidden" name="phoneNumber" value="${phoneNumber}" />
        <button class="danger">Yes, it may be called again</button>`,
    )}
  </details>`;
}

function reasonOf({ reason }: Entry): string {
  return reason ?? 'No reason given';
}
