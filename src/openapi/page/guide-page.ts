import { type Guide } from '../guides/guides.js';
import { type Html, html } from '../html/html.js';

/** What stands between the navigation and the end of a guide's page. */
export function guidePage(guide: Guide, guides: readonly Guide[]): Html {
  const next = guides[guides.indexOf(guide) + 1];
  return html`<h1 id="top">${guide.title}</h1>
    ${guide.content}
    <p class="next">
      ${next !== undefined && html`Next: <a href="${next.url}">${next.title}</a>. `}
      <a href="/docs">All operations</a>
    </p>`;
}
