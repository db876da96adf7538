import { Get } from '@nestjs/common';
import { notFound } from '../../http/app-error.js';
import { Pages } from './page.decorator.js';
import { Needs } from './page-need.js';

/** Answers addresses of the dashboard at which there is no page. It comes after all other pages. */
@Pages('t', 't/:teamId/*address', 'platform/*address')
export class UnknownPagesController {
  @Get()
  @Needs('signed-in')
  unknown(): never {
    throw notFound('Page');
  }
}
