import { type JsonSchema } from '../http/json-schema.js';
import {
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type ResponseObject,
} from '../http/openapi/document.js';
import { DOCS_STYLE } from './docs-style.js';
import { Html, html, prose } from './html.js';
import { componentOf, kindOf } from './schema-text.js';

type Schemas = Record<string, JsonSchema>;
type Named = { method: string; path: string; operation: Operation };

/** The document as one page without scripts, so that it reads anywhere, and loads nothing else. */
export function docsPage(document: OpenApiDocument): string {
  const { info, paths, tags, 'x-tagGroups': tagGroups } = document;
  const { schemas } = document.components;
  const operations: Named[] = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = tags
    .map((tag) => ({ ...tag, of: operations.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ of }) => of.length > 0);
  const groups = tagGroups.map((group) => ({
    name: group.name,
    sections: sections.filter(({ name }) => group.tags.includes(name)),
  }));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} API ${info.version}</title>
        <style>
          ${new Html(DOCS_STYLE)}
        </style>
      </head>
      <body>
        <nav aria-label="Routes">
          <p class="brand"><a href="#top">${info.title}</a> <small>API ${info.version}</small></p>
          ${groups.map(
            (group) =>
              html`<p class="group">${group.name}</p>
                ${group.sections.map(
                  ({ name, of }) =>
                    html`<p>${name}</p>
                      <ul>
                        ${of.map(({ operation }) => html`<li>${link(operation)}</li>`)}
                      </ul>`,
                )}`,
          )}
        </nav>
        <main id="top">
          <h1>${info.title} API</h1>
          ${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
          <p>For machines: <a href="/docs/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
          <h2>Credentials</h2>
          <dl>
            ${Object.entries(document.components.securitySchemes).map(
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
                  ({ name, description, of }) =>
                    html`<h2>${name}</h2>
                      <p>${prose(description)}</p>
                      ${of.map((named) => section(named, schemas))}`,
                )}`,
          )}
          <h2>Objects</h2>
          ${Object.entries(schemas).map(
            ([name, schema]) =>
              html`<details class="object" id="schema-${name}">
                <summary>${name}</summary>
                ${fields(schema)}
              </details>`,
          )}
        </main>
      </body>
    </html>`;
  return page.markup;
}

const link = ({ operationId, summary }: Operation) => html`<a href="#${operationId}">${prose(summary)}</a>`;

function section({ method, path, operation }: Named, schemas: Schemas): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const credentials = operation.security.flatMap(Object.keys);
  return html`<section id="${operationId}">
    <h3><a href="#${operationId}">${prose(summary)}</a></h3>
    <p class="address"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
    ${description && html`<p>${prose(description)}</p>`}
    ${credentials.length > 0 && html`<p>Credentials: ${credentials.map((name) => html`<code>${name}</code> `)}</p>`}
    ${
      parameters.length > 0 &&
      html`<h4>Parameters</h4>
        ${parameterTable(parameters)}`
    }
    ${
      requestBody &&
      Object.values(requestBody.content).map(
        (media) =>
          html`<h4>Body</h4>
            ${fields(resolve(media.schema, schemas))}${examples(media)}`,
      )
    }
    <h4>Answers</h4>
    ${Object.entries(responses).map(([status, response]) => answer(status, response))}
  </section>`;
}

function answer(status: string, { description, headers, content = {} }: ResponseObject): Html {
  const media = Object.values(content);
  const others = Object.keys(headers).filter((name) => name !== 'X-Request-Id');
  return html`<details>
    <summary><b class="s${status.slice(0, 1)}">${status}</b> ${prose(description)}</summary>
    ${media.map(({ schema }) => html`<p>Body: ${kind(schema)}</p>`)}
    ${others.length > 0 && html`<p>Headers: ${others.map((name) => html`<code>${name}</code> `)}</p>`}
    ${media.map(examples)}
  </details>`;
}

function parameterTable(parameters: Parameter[]): Html {
  return table(
    parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      note: required ? place : `${place}, optional`,
      schema: { ...schema, description },
    })),
  );
}

function fields(schema: JsonSchema): Html {
  if (schema.properties === undefined) return html`<p>${kind(schema)}</p>`;
  const { required = [], additionalProperties } = schema;
  const rows = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    note: required.includes(name) ? 'required' : '',
    schema: property,
  }));
  if (typeof additionalProperties === 'object')
    rows.push({ name: 'any other key', note: '', schema: additionalProperties });
  return html`${table(rows)}${additionalProperties === false && html`<p>No other keys.</p>`}`;
}

function table(rows: { name: string; note: string; schema: JsonSchema }[]): Html {
  return html`<div class="scroll">
    <table>
      ${rows.map(
        ({ name, note, schema }) =>
          html`<tr>
            <th scope="row"><code>${name}</code> ${note !== '' && html`<small>${note}</small>`}</th>
            <td>${kind(schema)}</td>
            <td>${schema.description && prose(schema.description)}</td>
          </tr>`,
      )}
    </table>
  </div>`;
}

function kind(schema: JsonSchema): Html {
  if (schema.anyOf) {
    return html`${schema.anyOf.map((part, index) => html`${index > 0 && ' or '}${kind(part)}`)}`;
  }
  if (schema.$ref) return html`<a href="#schema-${componentOf(schema)}">${componentOf(schema)}</a>`;
  if (schema.items?.$ref) return html`list of ${kind(schema.items)}`;
  if (schema.contentSchema) return html`lines of ${kind(schema.contentSchema)}`;
  return html`${kindOf(schema)}`;
}

function examples({ examples: named = {} }: MediaType): Html {
  return html`${Object.entries(named).map(
    ([name, { value }]) =>
      html`<figure>
        <figcaption>${name}</figcaption>
        <pre>${JSON.stringify(value, null, 2)}</pre>
      </figure>`,
  )}`;
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schemas[componentOf(schema)] ?? schema;
}
