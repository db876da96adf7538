import { Get, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { CreateNumberPool, type NumberPoolResource, UpdateNumberPool } from './number-pool.dto.js';
import { NumberPoolsService } from './number-pools.service.js';

@OperatorController('teams/:teamId/number-pools')
export class NumberPoolsAdminController {
  constructor(private readonly pools: NumberPoolsService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<NumberPoolResource>> {
    return this.pools.list(teamId, page);
  }

  @Post()
  create(
    @Param('teamId') teamId: string,
    @JsonBody(CreateNumberPool) fields: CreateNumberPool,
  ): Promise<NumberPoolResource> {
    return this.pools.create(teamId, fields);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<NumberPoolResource> {
    return this.pools.get(teamId, id);
  }

  @Patch(':id')
  update(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateNumberPool) fields: UpdateNumberPool,
  ): Promise<NumberPoolResource> {
    return this.pools.update(teamId, id, fields);
  }
}
