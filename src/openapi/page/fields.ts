import { type JsonSchema } from '../../http/json-schema.js';
import { type Parameter } from '../../http/openapi/document.js';
import { type Html, html, prose } from '../html/html.js';
import { urlOfObject } from './addresses.js';
import { componentOf, kindOf } from './schema-text.js';

/** A table of parameters or fields; each row has the anchor `<id>.<name>`. */
export function parameterTable(id: string, parameters: readonly Parameter[]): Html {
  return table(
    id,
    parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      note: required ? place : `${place}, optional`,
      schema: { ...schema, description },
    })),
  );
}

/** The fields of an object, or the kind of another value. */
export function fieldTable(id: string, schema: JsonSchema): Html {
  if (schema.properties === undefined) return html`<p>${kind(schema)}</p>`;
  const { required = [], additionalProperties } = schema;
  const rows = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    note: required.includes(name) ? 'required' : '',
    schema: property,
  }));
  if (typeof additionalProperties === 'object')
    rows.push({ name: 'any other key', note: '', schema: additionalProperties });
  return html`${table(id, rows)}${additionalProperties === false && html`<p>No other keys.</p>`}`;
}

/** The kind of a value, with links to objects. */
export function kind(schema: JsonSchema): Html {
  if (schema.anyOf) {
    return html`${schema.anyOf.map((part, index) => html`${index > 0 && ' or '}${kind(part)}`)}`;
  }
  if (schema.$ref) return html`<a href="${urlOfObject(componentOf(schema))}">${componentOf(schema)}</a>`;
  if (schema.items?.$ref) return html`list of ${kind(schema.items)}`;
  if (schema.contentSchema) return html`lines of ${kind(schema.contentSchema)}`;
  return html`${kindOf(schema)}`;
}

/** The anchor of a parameter or a field. */
export const fieldAnchor = (id: string, name: string) => `${id}.${name.replaceAll(' ', '-')}`;

function table(id: string, rows: readonly { name: string; note: string; schema: JsonSchema }[]): Html {
  return html`<table class="fields">
    ${rows.map(
      ({ name, note, schema }) =>
        html`<tr id="${fieldAnchor(id, name)}">
          <th scope="row"><code>${name}</code> ${note !== '' && html`<small>${note}</small>`}</th>
          <td class="kind">${kind(schema)}</td>
          <td>${schema.description && prose(schema.description)}</td>
        </tr>`,
    )}
  </table>`;
}
