import { type Pack } from '../../domain/compliance/pack.js';
import { type OpenApiDocument } from '../../http/openapi/document.js';
import { type JsonSchema } from '../../http/json-schema.js';
import { type Guide } from '../guides/guides.js';
import { anchorOfObject, OBJECTS_URL, urlOfObject, urlOfOperation } from './addresses.js';
import { fieldAnchor } from './fields.js';
import { operationGroups } from './operation-groups.js';
import { urlOfPack } from './pack-pages.js';
import { componentOf } from './schema-text.js';

/**
 * An entry that a search can find: its title, its address, its context and its kind. The page's script reads
 * this shape.
 */
export type SearchEntry = [title: string, url: string, context: string, kind: SearchKind];

type SearchKind = 'guide' | 'operation' | 'heading' | 'field';

/** Everything that can be found, in the order in which equal matches are shown. */
export function searchIndex(
  document: OpenApiDocument,
  guides: readonly Guide[],
  packs: readonly Pack[],
): SearchEntry[] {
  const groups = operationGroups(document);
  const { schemas } = document.components;
  return [
    ...guides.map(({ title, url, summary }): SearchEntry => [
      title,
      url,
      summary.replaceAll('`', ''),
      'guide',
    ]),
    ...guides.flatMap(({ title, url, headings }) =>
      headings.map(({ id, text }): SearchEntry => [text, `${url}#${id}`, title, 'heading']),
    ),
    ...packs.map(({ pack, name }): SearchEntry => [
      `Rules of ${name}`,
      urlOfPack(pack),
      `Pack ${pack}`,
      'guide',
    ]),
    ...groups.flatMap(({ sections }) =>
      sections.flatMap(({ operations }) =>
        operations.map(({ method, path, operation: { operationId, summary } }): SearchEntry => {
          const context = `${method.toUpperCase()} ${path} ${operationId}`;
          return [summary.replaceAll('`', ''), urlOfOperation(operationId), context, 'operation'];
        }),
      ),
    ),
    ...groups.flatMap(({ sections }) =>
      sections.flatMap(({ operations }) =>
        operations.flatMap(({ operation: { operationId, summary, parameters = [], requestBody } }) => {
          const anchors = [
            ...parameters.map(({ name }) => [name, fieldAnchor(operationId, name)] as const),
            ...Object.values(requestBody?.content ?? {})
              .flatMap(({ schema }) => fieldsOf(schema, schemas))
              .map((name) => [name, fieldAnchor(`${operationId}.body`, name)] as const),
          ];
          return anchors.map(([name, anchor]): SearchEntry => {
            return [name, `${urlOfOperation(operationId)}#${anchor}`, summary.replaceAll('`', ''), 'field'];
          });
        }),
      ),
    ),
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      [name, urlOfObject(name), 'Object', 'heading'] satisfies SearchEntry,
      ...fieldsOf(schema, schemas).map((field): SearchEntry => {
        return [field, `${OBJECTS_URL}#${fieldAnchor(anchorOfObject(name), field)}`, name, 'field'];
      }),
    ]),
  ];
}

function fieldsOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): string[] {
  return Object.keys((schemas[componentOf(schema)] ?? schema).properties ?? {});
}
