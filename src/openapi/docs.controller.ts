import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Documentation } from './documentation.js';
import { sendPage, sendServed } from './send-served.js';

/** The API's documentation. It needs no credential, because it contains no data. */
@Controller('docs')
export class DocsController {
  constructor(private readonly documentation: Documentation) {}

  @Get()
  page(@Req() request: Request, @Res() response: Response): void {
    sendPage(request, response, this.documentation.page);
  }

  @Get('openapi.json')
  document(@Req() request: Request, @Res() response: Response): void {
    sendServed(request, response, this.documentation.json, 'application/json');
  }
}
