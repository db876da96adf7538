import { type Html, html } from './html.js';

/** A heading with an anchor: a link to itself, which can be copied. */
export function heading(level: 2 | 3 | 4, id: string, text: string | Html): Html {
  const content = html`<a class="anchor" href="#${id}">${text}</a>`;
  switch (level) {
    case 2:
      return html`<h2 id="${id}">${content}</h2>`;
    case 3:
      return html`<h3 id="${id}">${content}</h3>`;
    case 4:
      return html`<h4 id="${id}">${content}</h4>`;
  }
}

/** `Do Not Call` → `do-not-call`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
