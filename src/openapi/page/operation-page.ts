import { type JsonSchema } from '../../http/json-schema.js';
import { type MediaType, type Operation, type ResponseObject } from '../../http/openapi/document.js';
import { curlOf } from '../examples/curl.js';
import { exampleRequestOf } from '../examples/example-request.js';
import { SENT_BY_OTHERS } from '../examples/other-examples.js';
import { typescriptOf } from '../examples/typescript.js';
import { fieldTable, kind, parameterTable } from './fields.js';
import { heading } from '../html/heading.js';
import { type Html, html, prose } from '../html/html.js';
import { code, samples } from '../html/samples.js';
import { componentOf } from './schema-text.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface NamedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/**
 * The page of an operation. Where there is room, the samples are at the right; else they are above the
 * fields.
 */
export function operationPage({ method, path, operation }: NamedOperation, schemas: Schemas): Html {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  const credentials = [...new Set(operation.security.flatMap(Object.keys))];
  return html`<section class="operation">
    <div>
      <h1 id="${id}">${prose(summary)}</h1>
      <p class="address"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
      ${description && html`<p>${prose(description)}</p>`}
      ${
        credentials.length > 0 &&
        html`<p>
          Credentials:
          ${credentials.map((name) => html`<a href="/docs#credentials"><code>${name}</code></a> `)}
        </p>`
      }
    </div>
    <div class="example">${sampleOf({ method, path, operation })}${bodyExamples(requestBody?.content)}</div>
    <div>
      ${
        parameters.length > 0 &&
        html`${heading(2, `${id}-parameters`, 'Parameters')}${parameterTable(id, parameters)}`
      }
      ${
        requestBody &&
        html`${heading(2, `${id}-body`, 'Body')}${Object.entries(requestBody.content).map(
          ([type, { schema }]) => {
            const note = type === 'application/json' ? false : html`<p><code>${type}</code></p>`;
            return html`${note}${fieldTable(`${id}.body`, resolve(schema, schemas))}`;
          },
        )}`
      }
      ${heading(2, `${id}-answers`, 'Answers')}
      ${Object.entries(responses).map(([status, response]) => answer(status, response))}
    </div>
  </section>`;
}

function sampleOf({ method, path, operation }: NamedOperation): Html {
  const request = exampleRequestOf(method, path, operation);
  if (request === null) return html`<p class="note">${SENT_BY_OTHERS[operation.operationId]}</p>`;
  return samples([
    { language: 'curl', source: curlOf(request) },
    { language: 'typescript', source: typescriptOf(request) },
  ]);
}

function bodyExamples(content: Record<string, MediaType> = {}): Html | false {
  const found = Object.values(content).flatMap(({ examples = {} }) => Object.entries(examples));
  if (found.length === 0) return false;
  return html`<details>
    <summary>Bodies</summary>
    ${found.map(([name, { value }]) => code(JSON.stringify(value, null, 2), name))}
  </details>`;
}

function answer(status: string, { description, headers, content = {} }: ResponseObject): Html {
  const media = Object.values(content);
  const others = Object.keys(headers).filter((name) => name !== 'X-Request-Id');
  return html`<details>
    <summary><b class="s${status.slice(0, 1)}">${status}</b> ${prose(description)}</summary>
    ${media.map(({ schema }) => html`<p>Body: ${kind(schema)}</p>`)}
    ${others.length > 0 && html`<p>Headers: ${others.map((name) => html`<code>${name}</code> `)}</p>`}
    ${media.flatMap(({ examples = {} }) =>
      Object.entries(examples).map(
        ([name, { value }]) =>
          html`<figure>
            <figcaption>${name}</figcaption>
            <pre>${JSON.stringify(value, null, 2)}</pre>
          </figure>`,
      ),
    )}
  </details>`;
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schemas[componentOf(schema)] ?? schema;
}
