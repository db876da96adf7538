import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { DoNotCallService } from './do-not-call.service.js';
import { type AddedToDoNotCall, AddToDoNotCall, type DoNotCallResource } from './number-lists.dto.js';

@OperatorController('teams/:teamId/do-not-call')
export class DoNotCallAdminController {
  constructor(private readonly entries: DoNotCallService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<DoNotCallResource>> {
    return this.entries.list(teamId, page);
  }

  @Post()
  add(
    @Param('teamId') teamId: string,
    @JsonBody(AddToDoNotCall) fields: AddToDoNotCall,
  ): Promise<AddedToDoNotCall> {
    return this.entries.add(teamId, fields);
  }

  @Get(':phoneNumber')
  get(
    @Param('teamId') teamId: string,
    @Param('phoneNumber') phoneNumber: string,
  ): Promise<DoNotCallResource> {
    return this.entries.get(teamId, phoneNumber);
  }

  @Delete(':phoneNumber')
  @HttpCode(204)
  remove(@Param('teamId') teamId: string, @Param('phoneNumber') phoneNumber: string): Promise<void> {
    return this.entries.remove(teamId, phoneNumber);
  }
}
