import { Get } from '@nestjs/common';
import { notFound } from '../../http/app-error.js';
import { OperationsPage } from './operations-page.decorator.js';

/** Answers addresses below `/admin` at which there is no page. It comes after all other pages. */
@OperationsPage()
export class UnknownPagesController {
  @Get('*address')
  unknown(): never {
    throw notFound('Page');
  }
}
