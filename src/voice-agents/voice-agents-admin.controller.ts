import { Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import {
  CreateVoiceAgent,
  UpdateVoiceAgent,
  type VoiceAgentResource,
  type WrittenVoiceAgent,
} from './voice-agent.dto.js';
import { VoiceAgentsService } from './voice-agents.service.js';

@OperatorController('teams/:teamId/voice-agents')
export class VoiceAgentsAdminController {
  constructor(private readonly agents: VoiceAgentsService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<VoiceAgentResource>> {
    return this.agents.list(teamId, page);
  }

  @Post()
  create(
    @Param('teamId') teamId: string,
    @JsonBody(CreateVoiceAgent) fields: CreateVoiceAgent,
  ): Promise<WrittenVoiceAgent> {
    return this.agents.create(teamId, fields);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<VoiceAgentResource> {
    return this.agents.get(teamId, id);
  }

  @Patch(':id')
  update(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdateVoiceAgent) fields: UpdateVoiceAgent,
  ): Promise<WrittenVoiceAgent> {
    return this.agents.update(teamId, id, fields);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Param('teamId') teamId: string, @Param('id') id: string): Promise<void> {
    return this.agents.delete(teamId, id);
  }
}
