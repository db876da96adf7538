import { Get, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { CreateTeam, type TeamResource, UpdateTeam } from './team.dto.js';
import { TeamsService } from './teams.service.js';

@OperatorController('teams')
export class TeamsAdminController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  list(@PageOf() page: PageRequest): Promise<Page<TeamResource>> {
    return this.teams.list(page);
  }

  @Post()
  create(@JsonBody(CreateTeam) fields: CreateTeam): Promise<TeamResource> {
    return this.teams.create(fields);
  }

  @Get(':teamId')
  get(@Param('teamId') teamId: string): Promise<TeamResource> {
    return this.teams.get(teamId);
  }

  @Patch(':teamId')
  update(@Param('teamId') teamId: string, @JsonBody(UpdateTeam) fields: UpdateTeam): Promise<TeamResource> {
    return this.teams.update(teamId, fields);
  }

  @Post(':teamId/pause')
  pause(@Param('teamId') teamId: string): Promise<TeamResource> {
    return this.teams.setPaused(teamId, true);
  }

  @Post(':teamId/resume')
  resume(@Param('teamId') teamId: string): Promise<TeamResource> {
    return this.teams.setPaused(teamId, false);
  }
}
