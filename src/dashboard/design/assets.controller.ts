import { Controller, Get, Header } from '@nestjs/common';
import { HTMX } from './htmx.js';
import { SCRIPT } from './script.js';
import { ICON, STYLE } from './style.js';

const KEPT = 'public, max-age=604800';

/** The style sheet, the scripts and the icon of the pages. They need no session, because error pages use them, too. */
@Controller('assets')
export class AssetsController {
  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', KEPT)
  style(): string {
    return STYLE;
  }

  @Get('htmx.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  htmx(): string {
    return HTMX;
  }

  @Get('app.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', KEPT)
  script(): string {
    return SCRIPT;
  }

  @Get('icon.svg')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', KEPT)
  icon(): string {
    return ICON;
  }
}
