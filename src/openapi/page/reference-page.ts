import { type OpenApiDocument } from '../../http/openapi/document.js';
import { CUSTOMER_VARIABLES, type ExampleVariable, OPERATOR_VARIABLES } from '../examples/variables.js';
import { type Guide } from '../guides/guides.js';
import { heading, slugOf } from '../html/heading.js';
import { urlOfOperation } from './addresses.js';
import { type Html, html, prose } from '../html/html.js';
import { type NamedOperation } from './operation-page.js';
import { operationGroups } from './operation-groups.js';
import { code } from '../html/samples.js';

/** What stands between the navigation and the end of the page at `/docs`. */
export function referencePage(document: OpenApiDocument, guides: readonly Guide[]): Html {
  const { info, components } = document;
  const groups = operationGroups(document);
  const operations = groups.flatMap(({ sections }) => sections.flatMap((section) => section.operations));
  const summaries = new Map(operations.map(({ operation }) => [operation.operationId, operation.summary]));
  return html`<h1 id="top">${info.title} API</h1>
    ${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
    <p>For machines: <a href="/docs/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
    ${heading(2, 'guides', 'Guides')}
    <ul class="cards">
      ${guides.map(
        ({ url, title, summary }) => html`<li><a href="${url}">${title}</a> ${prose(summary)}</li>`,
      )}
    </ul>
    ${heading(2, 'variables', 'Variables of the examples')}
    <p>
      Each operation has an example with curl and one in TypeScript, except the requests that only carriers
      send. The examples run without changes if the environment has the variables that they name. The value of
      an id is in the answer of the operation that its row links.
    </p>
    ${code(settingsOf(document), 'Shell')} ${variables(CUSTOMER_VARIABLES, summaries)}
    <p>The examples for the operator, carriers and monitoring also use these variables:</p>
    ${variables(OPERATOR_VARIABLES, summaries)}
    <p>
      The examples in TypeScript are modules for Node 20.19 or later. Examples with a team’s key use the
      client
      <code>@outdial/client</code>, which is in the directory <code>sdk</code> of the source. Other examples
      use <code>fetch</code>.
    </p>
    ${heading(2, 'credentials', 'Credentials')}
    <dl>
      ${Object.entries(components.securitySchemes).map(
        ([name, scheme]) =>
          html`<dt><code>${name}</code></dt>
            <dd>
              <code>${scheme.type === 'apiKey' ? `${scheme.name}: …` : 'Authorization: Bearer …'}</code>
              ${prose(scheme.description)}
            </dd>`,
      )}
    </dl>
    ${groups.map(
      (group) =>
        html`<p class="group">${group.name}</p>
          ${group.sections.map(
            ({ name, description, operations }) =>
              html`${heading(2, slugOf(name), name)}
                <p>${prose(description)}</p>
                <ul class="operations">
                  ${operations.map(operationLink)}
                </ul>`,
          )}`,
    )}`;
}

function operationLink({ method, path, operation }: NamedOperation): Html {
  return html`<li>
    <a href="${urlOfOperation(operation.operationId)}">${prose(operation.summary)}</a>
    <span class="address"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></span>
  </li>`;
}

function settingsOf({ servers: [server] }: OpenApiDocument): string {
  const url = server === undefined || server.url === '/' ? 'http://127.0.0.1:3000' : server.url;
  return `export OUTDIAL_URL=${url}\nexport API_KEY=od_live_…`;
}

/** @param summaries of the operations, by `operationId`. */
function variables(of: readonly ExampleVariable[], summaries: ReadonlyMap<string, string>): Html {
  return html`<table class="variables">
    ${of.map(
      ({ name, meaning, from }) =>
        html`<tr id="variable-${name}">
          <th scope="row"><code>${name}</code></th>
          <td>
            ${prose(meaning)}
            ${from !== undefined && html`From <a href="${urlOfOperation(from)}">${prose(summaries.get(from) ?? from)}</a>`}
          </td>
        </tr>`,
    )}
  </table>`;
}
