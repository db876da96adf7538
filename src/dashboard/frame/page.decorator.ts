import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { PageErrorFilter } from './page-error.filter.js';
import { PageInterceptor } from './page.interceptor.js';
import { PageGuard } from './page.guard.js';

/** A controller of pages at these addresses: routes return HTML. */
export function Pages(...paths: string[]): ClassDecorator {
  return applyDecorators(
    Controller(paths),
    UseGuards(PageGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}

/** Pages of a team: `path` is below `/t/{teamId}`. */
export const TeamPages = (path: string): ClassDecorator => Pages(below('t/:teamId', path));

/** Pages of the platform: `path` is below `/platform`. */
export const PlatformPages = (path: string): ClassDecorator => Pages(below('platform', path));

/** Pages of a team, and the same across all teams for operators. */
export const TeamAndPlatformPages = (path: string): ClassDecorator =>
  Pages(below('t/:teamId', path), below('platform', path));

const below = (base: string, path: string): string => (path === '' ? base : `${base}/${path}`);
