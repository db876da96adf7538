import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';
import { StaffGuard } from './staff.guard.js';

/** A controller of operations pages: `path` is below `/admin`, routes return HTML, and every route needs the password. */
export function StaffPage(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path === '' ? 'admin' : `admin/${path}`),
    UseGuards(StaffGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}
