import { Delete, Get, HttpCode, Injectable, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../teams/team-controller.decorator.js';
import {
  CreateVoiceAgent,
  UpdateVoiceAgent,
  type VoiceAgentResource,
  type WrittenVoiceAgent,
} from './voice-agent.dto.js';
import { type Door, VoiceAgentsService } from './voice-agents.service.js';

/** The routes of single voice agents, which the operator and a team's key have alike. */
@Injectable()
export abstract class VoiceAgentRoutes {
  protected abstract readonly door: Door;

  constructor(protected readonly agents: VoiceAgentsService) {}

  @Post()
  @ChangeScope('agents')
  create(
    @TeamOfRoute() teamId: string,
    @JsonBody(CreateVoiceAgent) fields: CreateVoiceAgent,
  ): Promise<WrittenVoiceAgent> {
    return this.agents.create(teamId, fields, this.door);
  }

  @Get(':id')
  @ReadScope('agents', 'calls')
  get(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<VoiceAgentResource> {
    return this.agents.get(teamId, id);
  }

  @Patch(':id')
  @ChangeScope('agents')
  update(
    @TeamOfRoute() teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateVoiceAgent) fields: UpdateVoiceAgent,
  ): Promise<WrittenVoiceAgent> {
    return this.agents.update(teamId, id, fields, this.door);
  }

  @Delete(':id')
  @HttpCode(204)
  @ChangeScope('agents')
  delete(@TeamOfRoute() teamId: string, @Param('id') id: string): Promise<void> {
    return this.agents.delete(teamId, id);
  }
}
