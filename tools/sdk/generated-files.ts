import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { apiDocument } from '../../src/openapi/api-document.js';
import { CLIENT_METHODS } from '../../src/openapi/client-methods.js';
import { type OpenApiDocument } from '../../src/http/openapi/document.js';
import { repositoryRoot } from '../services/paths.js';
import { customerDocument } from './customer-document.js';

const HEAD = '// Written by `npm run sdk:types` from the API’s OpenAPI document. Do not edit.\n\n';

/**
 * The files of the client that follow from the API's document, by their path from the root.
 *
 * @throws Error where the client has no method for a customer operation.
 */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = customerDocument(apiDocument());
  return {
    'sdk/src/generated/schema.ts': HEAD + (await typesOf(document)),
    'sdk/src/generated/routes.ts': HEAD + routesOf(document),
  };
}

async function typesOf(document: OpenApiDocument): Promise<string> {
  const program = spawn(process.execPath, [join(repositoryRoot(), 'tools/sdk/print-types.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify(document));
  const ended = once(program, 'close') as Promise<[code: number | null]>;
  const types = await text(program.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`print-types.mjs ended with ${code}`);
  return types;
}

/** What a request needs to know of its operation, which types do not tell. */
function routesOf({ paths }: OpenApiDocument): string {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [] }]) => {
      if (CLIENT_METHODS[operationId] === undefined)
        throw new Error(`${operationId} has no method in src/openapi/client-methods.ts`);
      const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
      const route = `method: '${method.toUpperCase()}', path: '${path}', isKeyed: ${isKeyed}`;
      return `  ${operationId}: { ${route} },\n`;
    }),
  );
  return `export const ROUTES = {\n${routes.sort().join('')}} as const;\n`;
}
