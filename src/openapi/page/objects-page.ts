import { type OpenApiDocument } from '../../http/openapi/document.js';
import { type Html, html } from '../html/html.js';
import { anchorOfObject } from './addresses.js';
import { fieldTable } from './fields.js';

/** What stands between the navigation and the end of the page of the objects. */
export function objectsPage({ components }: OpenApiDocument): Html {
  return html`<h1 id="top">Objects</h1>
    <p>What requests and answers contain, by name. The pages of the operations link to them.</p>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<details class="object" id="${anchorOfObject(name)}">
          <summary>${name}</summary>
          ${fieldTable(anchorOfObject(name), schema)}
        </details>`,
    )}`;
}
