import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { ErrorFilter } from './error.filter.js';
import { OperatorGuard } from './operator.guard.js';

/**
 * A controller of the operator's surface: `path` is below `/api/admin`, and every route needs the operator
 * token.
 */
export function OperatorController(path: string): ClassDecorator {
  return applyDecorators(Controller(`api/admin/${path}`), UseGuards(OperatorGuard), UseFilters(ErrorFilter));
}
