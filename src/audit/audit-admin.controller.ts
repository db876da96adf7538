import { Get } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ALL_AUDIT_FILTERS, type AuditFilter } from './audit-filters.js';
import { AuditList, type AuditRow } from './audit-list.service.js';

@OperatorController('audit')
export class AuditAdminController {
  constructor(private readonly audit: AuditList) {}

  @Get()
  list(
    @PageOf(ALL_AUDIT_FILTERS, { refusedByFilters: true }) page: PageRequest<AuditFilter>,
  ): Promise<Page<AuditRow>> {
    return this.audit.list(page);
  }
}
