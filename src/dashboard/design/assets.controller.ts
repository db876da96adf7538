import { Controller, Get, Header } from '@nestjs/common';
import { ICON, STYLE } from './style.js';

const KEPT = 'public, max-age=604800';

/** The style sheet and icon of the pages. They need no password, because error pages use them, too. */
@Controller('assets')
export class AssetsController {
  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', KEPT)
  style(): string {
    return STYLE;
  }

  @Get('icon.svg')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', KEPT)
  icon(): string {
    return ICON;
  }
}
