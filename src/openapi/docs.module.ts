import { Module } from '@nestjs/common';
import { PacksModule } from '../compliance/packs/packs.module.js';
import { Packs } from '../compliance/packs/packs.service.js';
import { Config } from '../config/config.js';
import { apiDocument, serversOf } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { DocsPagesController } from './docs-pages.controller.js';
import { DOCS_OPENAPI } from './docs.openapi.js';
import { Documentation } from './documentation.js';

/**
 * The API's document at `/docs`. In come the descriptions that each feature declares; out go pages, guides,
 * packs of rules and JSON of OpenAPI 3.1. No tables. Only the API process imports it.
 */
@Module({
  imports: [PacksModule],
  controllers: [DocsController, DocsPagesController],
  providers: [
    {
      provide: Documentation,
      inject: [Config, Packs],
      useFactory: ({ publicUrl }: Config, packs: Packs) =>
        new Documentation({ ...apiDocument(DOCS_OPENAPI), servers: serversOf(publicUrl) }, packs),
    },
  ],
})
export class DocsModule {}
