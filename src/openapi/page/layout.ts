import { ASSETS } from './assets.js';
import { Html, html } from '../html/html.js';

/** A link of the page's navigation. */
export interface NavLink {
  title: string;
  url: string;
}

/** Links under a heading of the navigation. `group` is the name of a part that begins with this section. */
export interface NavSection {
  group?: string;
  name: string;
  links: readonly NavLink[];
}

export interface Layout {
  title: string;
  /** The version of the API. */
  version: string;
  nav: readonly NavSection[];
  /** The address of this page. */
  url: string;
  /** `reference` is wide, `guide` is as wide as text. */
  kind: 'reference' | 'guide';
  main: Html;
}

/**
 * A whole page. It can be read without the script, which adds search, tabs and copy buttons. The page loads
 * files only from this host.
 */
export function layout({ title, version, nav, url, kind, main }: Layout): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${ASSETS.style.url}" />
        <script src="${ASSETS.script.url}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/docs">Outdial <small>API ${version}</small></a>
          <form class="search scripted" role="search">
            <input
              id="search"
              type="search"
              placeholder="Search"
              aria-label="Search the documentation"
              aria-controls="found"
              aria-expanded="false"
              role="combobox"
              autocomplete="off"
              spellcheck="false"
            />
            <kbd aria-hidden="true">/</kbd>
            <ul id="found" role="listbox" aria-label="Results" hidden></ul>
          </form>
          <label class="menu" for="menu">Menu</label>
        </header>
        <input id="menu" class="visually-hidden" type="checkbox" aria-label="Show the menu" />
        <nav aria-label="Guides and operations">${nav.map((section) => navSection(section, url))}</nav>
        <main id="main" class="${kind}">${main}</main>
      </body>
    </html>`;
  return page.markup;
}

function navSection({ group, name, links }: NavSection, current: string): Html {
  return html`${group !== undefined && html`<p class="group">${group}</p>`}
    <p>${name}</p>
    <ul>
      ${links.map(
        ({ title, url }) =>
          html`<li><a href="${url}" ${url === current && new Html('aria-current="page"')}>${title}</a></li>`,
      )}
    </ul>`;
}
