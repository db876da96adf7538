import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';
import { OperationsGuard } from './operations.guard.js';

/**
 * A controller of operations pages: `path` is below `/admin`, routes return HTML, and every route needs the
 * password.
 */
export function OperationsPage(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path === '' ? 'admin' : `admin/${path}`),
    UseGuards(OperationsGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}
