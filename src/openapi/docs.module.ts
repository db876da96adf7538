import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { apiDocument, serversOf } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { DocsPagesController } from './docs-pages.controller.js';
import { DOCS_OPENAPI } from './docs.openapi.js';
import { Documentation } from './documentation.js';

/**
 * The API's document at `/docs`. In come the descriptions that each feature declares; out go pages, guides
 * and JSON of OpenAPI 3.1. No tables. Only the API process imports it.
 */
@Module({
  controllers: [DocsController, DocsPagesController],
  providers: [
    {
      provide: Documentation,
      inject: [Config],
      useFactory: ({ publicUrl }: Config) =>
        new Documentation({ ...apiDocument(DOCS_OPENAPI), servers: serversOf(publicUrl) }),
    },
  ],
})
export class DocsModule {}
