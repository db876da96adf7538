import { Get, Injectable, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../teams/team-controller.decorator.js';
import { CreateNumberPool, type NumberPoolResource, UpdateNumberPool } from './number-pool.dto.js';
import { NumberPoolsService } from './number-pools.service.js';

/** The routes of number pools, which the operator and a team's key have alike. */
@Injectable()
export abstract class NumberPoolRoutes {
  constructor(private readonly pools: NumberPoolsService) {}

  @Get()
  @ReadScope('agents', 'calls')
  list(@TeamOfRoute() teamId: string, @PageOf() page: PageRequest): Promise<Page<NumberPoolResource>> {
    return this.pools.list(teamId, page);
  }

  @Post()
  @ChangeScope('agents')
  create(
    @TeamOfRoute() teamId: string,
    @JsonBody(CreateNumberPool) fields: CreateNumberPool,
  ): Promise<NumberPoolResource> {
    return this.pools.create(teamId, fields);
  }

  @Get(':id')
  @ReadScope('agents', 'calls')
  get(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<NumberPoolResource> {
    return this.pools.get(teamId, id);
  }

  @Patch(':id')
  @ChangeScope('agents')
  update(
    @TeamOfRoute() teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateNumberPool) fields: UpdateNumberPool,
  ): Promise<NumberPoolResource> {
    return this.pools.update(teamId, id, fields);
  }
}
