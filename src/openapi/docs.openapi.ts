import { TEXT_SCHEMA } from '../http/json-schema.js';
import { documented } from '../http/openapi/operation.js';
import { DocsController } from './docs.controller.js';

export const DOCS_OPENAPI = documented(
  DocsController,
  { surface: 'public', tag: 'Documentation' },
  {
    page: {
      id: 'getDocsPage',
      summary: 'Read this documentation as a page',
      success: { description: 'The page.', schema: TEXT_SCHEMA, contentType: 'text/html' },
    },
    document: {
      id: 'getOpenApiDocument',
      summary: 'Read this documentation as an OpenAPI 3.1 document',
      success: {
        description: 'The document.',
        schema: {
          title: 'OpenApiDocument',
          type: 'object',
          properties: {
            openapi: { type: 'string', const: '3.1.0' },
            info: { type: 'object', additionalProperties: true },
            paths: { type: 'object', additionalProperties: true },
          },
          required: ['openapi', 'info', 'paths'],
          additionalProperties: true,
        },
      },
    },
  },
);
