import { Controller, Get, Header } from '@nestjs/common';
import { Documentation } from './documentation.js';

/** The API's documentation. It needs no credential, because it contains no data. */
@Controller('docs')
export class DocsController {
  constructor(private readonly documentation: Documentation) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(): string {
    return this.documentation.page;
  }

  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  document(): string {
    return this.documentation.json;
  }
}
