import { Delete, Get, HttpCode, Injectable, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../teams/team-controller.decorator.js';
import {
  type CarrierAccountCheck,
  type CarrierAccountResource,
  CreateCarrierAccount,
  UpdateCarrierAccount,
} from './carrier-account.dto.js';
import { CarrierAccountsService } from './carrier-accounts.service.js';

/** The routes of carrier accounts, which the operator and a team's key have alike. */
@Injectable()
export abstract class CarrierAccountRoutes {
  constructor(private readonly accounts: CarrierAccountsService) {}

  @Get()
  @ReadScope('agents')
  list(@TeamOfRoute() teamId: string, @PageOf() page: PageRequest): Promise<Page<CarrierAccountResource>> {
    return this.accounts.list(teamId, page);
  }

  @Post()
  @ChangeScope('agents')
  create(
    @TeamOfRoute() teamId: string,
    @JsonBody(CreateCarrierAccount) fields: CreateCarrierAccount,
  ): Promise<CarrierAccountResource> {
    return this.accounts.create(teamId, fields);
  }

  @Get(':id')
  @ReadScope('agents')
  get(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<CarrierAccountResource> {
    return this.accounts.get(teamId, id);
  }

  @Patch(':id')
  @ChangeScope('agents')
  update(
    @TeamOfRoute() teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateCarrierAccount) fields: UpdateCarrierAccount,
  ): Promise<CarrierAccountResource> {
    return this.accounts.update(teamId, id, fields);
  }

  @Delete(':id')
  @HttpCode(204)
  @ChangeScope('agents')
  delete(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<void> {
    return this.accounts.delete(teamId, id);
  }

  @Post(':id/check')
  @HttpCode(200)
  @ChangeScope('agents')
  check(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<CarrierAccountCheck> {
    return this.accounts.check(teamId, id);
  }
}
