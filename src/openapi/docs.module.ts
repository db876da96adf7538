import { Module } from '@nestjs/common';
import { apiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { DOCS_OPENAPI } from './docs.openapi.js';
import { Documentation } from './documentation.js';

/** `/docs`; only the API process imports it. */
@Module({
  controllers: [DocsController],
  providers: [{ provide: Documentation, useFactory: () => new Documentation(apiDocument(DOCS_OPENAPI)) }],
})
export class DocsModule {}
