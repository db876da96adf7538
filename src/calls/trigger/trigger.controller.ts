import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { sendAnswer } from './answers.js';
import { CallErrorFilter } from './call-error.filter.js';
import { TriggerService } from './trigger.service.js';

/** Contract 4.1. */
@Controller('api/voice-agents/:agentId/calls')
@UseFilters(CallErrorFilter)
export class TriggerController {
  constructor(private readonly trigger: TriggerService) {}

  @Post()
  async post(
    @Param('agentId') agentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendAnswer(response, await this.trigger.answer(agentId, request));
  }
}
