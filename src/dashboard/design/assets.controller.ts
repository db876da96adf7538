import { Controller, Get, Header } from '@nestjs/common';
import { HTMX } from './htmx.js';
import { KEYS } from './keys.js';
import { ICON, STYLE } from './style.js';

const KEPT = 'public, max-age=604800';

/** The style sheet, the scripts and the icon of the pages. They need no password, because error pages use them, too. */
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

  @Get('keys.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', KEPT)
  keys(): string {
    return KEYS;
  }

  @Get('icon.svg')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', KEPT)
  icon(): string {
    return ICON;
  }
}
