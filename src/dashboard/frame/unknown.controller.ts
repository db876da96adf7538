import { Get } from '@nestjs/common';
import { notFound } from '../../http/app-error.js';
import { Pages } from './page.decorator.js';
import { Needs } from './page-need.js';

/** Answers addresses of the dashboard at which there is no page. It comes after all other pages. */
@Pages('t/:teamId', 'platform')
export class UnknownPagesController {
  @Get('*address')
  @Needs('signed-in')
  unknown(): never {
    throw notFound('Page');
  }
}
