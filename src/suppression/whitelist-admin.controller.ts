import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { WhitelistService } from './whitelist.service.js';
import { type Added, AddToWhitelist, type WhitelistResource } from './number-lists.dto.js';

@OperatorController('teams/:teamId/whitelist')
export class WhitelistAdminController {
  constructor(private readonly entries: WhitelistService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<WhitelistResource>> {
    return this.entries.list(teamId, page);
  }

  @Post()
  add(@Param('teamId') teamId: string, @JsonBody(AddToWhitelist) fields: AddToWhitelist): Promise<Added> {
    return this.entries.add(teamId, fields);
  }

  @Get(':phoneNumber')
  get(
    @Param('teamId') teamId: string,
    @Param('phoneNumber') phoneNumber: string,
  ): Promise<WhitelistResource> {
    return this.entries.get(teamId, phoneNumber);
  }

  @Delete(':phoneNumber')
  @HttpCode(204)
  remove(@Param('teamId') teamId: string, @Param('phoneNumber') phoneNumber: string): Promise<void> {
    return this.entries.remove(teamId, phoneNumber);
  }
}
