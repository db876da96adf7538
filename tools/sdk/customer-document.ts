import { type OpenApiDocument, type Operation, type PathItem } from '../../src/http/openapi/document.js';

/**
 * The document with only the customer operations, their successes, and the schemas that they and their refusals
 * use.
 */
export function customerDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = pathsOf(document, (operation) => 'teamKey' in (operation.security[0] ?? {}));
  const { schemas } = document.components;
  const names = referencedBy(paths, schemas);
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, mapped(item, withoutRefusals)]),
    ),
    components: {
      headers: {},
      securitySchemes: {},
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name))),
    },
  };
}

function pathsOf({ paths }: OpenApiDocument, isWanted: (operation: Operation) => boolean) {
  const found = Object.entries(paths).map(([path, item]) => {
    const wanted = Object.entries(item).filter(([, operation]) => isWanted(operation));
    return [path, Object.fromEntries(wanted)] as const;
  });
  return Object.fromEntries(found.filter(([, item]) => Object.keys(item).length > 0));
}

/** The names of the schemas that a part of the document refers to, also by way of others. */
function referencedBy(part: unknown, schemas: OpenApiDocument['components']['schemas']): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  visit(part);
  return names;
}

function mapped(item: PathItem, change: (operation: Operation) => Operation): PathItem {
  return Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, change(operation)]));
}

/** Examples and headers are no part of the types. */
function withoutRefusals(operation: Operation): Operation {
  const successes = Object.entries(operation.responses).filter(([status]) => status < '300');
  const responses = successes.map(([status, response]) => [status, { ...response, headers: {} }] as const);
  return { ...operation, responses: Object.fromEntries(responses) };
}
