import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { HISTORY_FILTERS } from './history-page.js';
import {
  type AddedToDoNotCall,
  AddToPlatformDoNotCall,
  type DoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';
import { PlatformDoNotCall } from './platform-do-not-call.service.js';

/** The platform's own Do Not Call list, which holds for every team. */
@OperatorController('do-not-call')
export class PlatformDoNotCallAdminController {
  constructor(private readonly entries: PlatformDoNotCall) {}

  @Get()
  list(@PageOf() page: PageRequest): Promise<Page<DoNotCallResource>> {
    return this.entries.list(page);
  }

  @Post()
  add(@JsonBody(AddToPlatformDoNotCall) fields: AddToPlatformDoNotCall): Promise<AddedToDoNotCall> {
    return this.entries.add(fields);
  }

  @Get('history')
  history(
    @PageOf(HISTORY_FILTERS) page: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    return this.entries.history(page);
  }

  @Get(':phoneNumber')
  get(@Param('phoneNumber') phoneNumber: string): Promise<DoNotCallResource> {
    return this.entries.get(phoneNumber);
  }

  @Delete(':phoneNumber')
  @HttpCode(204)
  remove(@Param('phoneNumber') phoneNumber: string): Promise<void> {
    return this.entries.remove(phoneNumber);
  }
}
