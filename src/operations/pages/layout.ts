import { FORM_TOKEN } from './form.js';
import { address, html, type Html, type Shown } from './html.js';
import { type Frame } from './page-frame.service.js';
import { STYLE_VERSION } from './style.js';

/** What was done by the form that led here; the address holds the name alone. */
const NOTICES = new Map([
  ['resolved', 'The call is resolved.'],
  ['added', 'The numbers are on the Do Not Call list. Calls that were waiting for them are blocked.'],
  ['removed', 'The number is no longer on the Do Not Call list.'],
  ['paused', 'Paused. Requests are still accepted; nobody is dialed.'],
  ['resumed', 'Resumed. Calls that are due are dialed now.'],
]);

const SECTIONS = [
  ['overview', 'Overview', '/admin'],
  ['numbers', 'Numbers', '/admin/numbers'],
  ['do-not-call', 'Do Not Call', '/admin/do-not-call'],
] as const;

export interface PageContent {
  section: (typeof SECTIONS)[number][0] | null;
  title: string;
  body: Shown;
}

/** A whole page. */
export function layout(frame: Frame, { section, title, body }: PageContent): Html {
  const { request, team, paused } = frame;
  const parameters = { teamId: team?.id, timezone: request.parameter('timezone') };
  const done = NOTICES.get(request.parameter('done') ?? '');
  const links = SECTIONS.map(
    ([name, words, path]) =>
      html`<a href="${address(path, parameters)}" ${name === section && html`aria-current="page"`}
        >${words}</a
      >`,
  );
  return document(
    title,
    html`<header class="top">
        <div>
          <span class="brand">Outdial operations</span>
          <nav>${links}<a href="/admin/queues">Queue</a></nav>
        </div>
      </header>
      <main>
        ${done !== undefined && html`<p class="notice" role="status">${done}</p>`}
        ${paused && html`<p class="notice warn">Everything is paused: nobody is dialed for any team.</p>`}
        ${team?.paused && html`<p class="notice warn">${team.name} is paused: nobody is dialed for it.</p>`}
        ${body}
      </main>`,
  );
}

/** A page that says why there is none. */
export function errorPage(title: string, text: string): Html {
  return document(
    title,
    html`<main>
      <section class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        <p><a href="/admin">To the overview</a></p>
      </section>
    </main>`,
  );
}

function document(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Outdial</title>
        <link rel="icon" href="/admin/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/admin/style.css?v=${STYLE_VERSION}" />
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** A form that changes something; it leads back to the page that it is on. */
export function form({ request }: Frame, action: string, content: Shown, style: 'bar' | '' = ''): Html {
  return html`<form method="post" action="${action}" class="${style}">
    <input type="hidden" name="${FORM_TOKEN}" value="${request.formToken}" />
    <input type="hidden" name="back" value="${request.self}" />
    ${content}
  </form>`;
}

/** Chooses the team; `anyTeam` is what no choice means, where there may be none. */
export function teamSelect({ teams, team }: Frame, anyTeam?: string): Html {
  const listed = team === null || teams.some(({ id }) => id === team.id) ? teams : [team, ...teams];
  const options = listed.map(
    ({ id, name }) => html`<option value="${id}" ${id === team?.id && html`selected`}>${name}</option>`,
  );
  return html`<label
    >Team
    <select name="teamId">
      ${anyTeam !== undefined && html`<option value="">${anyTeam}</option>`} ${options}
    </select></label
  >`;
}

/** A state as a badge in the colour of what it means. */
export function badge(words: string, mood: 'good' | 'warn' | 'bad' | '' = ''): Html {
  return html`<span class="state ${mood}">${words}</span>`;
}
