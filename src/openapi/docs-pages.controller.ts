import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { notFound } from '../http/app-error.js';
import { Documentation } from './documentation.js';
import { ASSETS } from './page/assets.js';
import { sendPage, sendServed } from './send-served.js';

const KEPT = 'public, max-age=604800';

/** The pages of operations and objects, the guides, the packs of rules, and the files that the pages load. These routes are no part of the API. */
@Controller('docs')
export class DocsPagesController {
  constructor(private readonly documentation: Documentation) {}

  @Get('operations/:id')
  operation(@Param('id') id: string, @Req() request: Request, @Res() response: Response): void {
    const page = this.documentation.operation(id);
    if (page === null) throw notFound('Operation');
    sendPage(request, response, page);
  }

  @Get('objects')
  objects(@Req() request: Request, @Res() response: Response): void {
    sendPage(request, response, this.documentation.objects);
  }

  @Get('guides/:name')
  guide(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const page = this.documentation.guide(name);
    if (page === null) throw notFound('Guide');
    sendPage(request, response, page);
  }

  @Get('packs')
  packs(@Req() request: Request, @Res() response: Response): void {
    sendPage(request, response, this.documentation.packList);
  }

  @Get('packs/:name')
  pack(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const page = this.documentation.pack(name);
    if (page === null) throw notFound('Pack');
    sendPage(request, response, page);
  }

  @Get('search.json')
  search(@Req() request: Request, @Res() response: Response): void {
    sendServed(request, response, this.documentation.search, 'application/json');
  }

  @Get('assets/style.css')
  @Header('Content-Type', ASSETS.style.type)
  @Header('Cache-Control', KEPT)
  style(): string {
    return ASSETS.style.text;
  }

  @Get('assets/script.js')
  @Header('Content-Type', ASSETS.script.type)
  @Header('Cache-Control', KEPT)
  script(): string {
    return ASSETS.script.text;
  }
}
