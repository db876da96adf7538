import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { keyedRequestOf } from '../../teams/keyed-request.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { answerOf, sendAnswer } from './answers.js';
import { CallErrorFilter } from './call-error.filter.js';
import { TriggerGate } from './trigger-gate.service.js';
import { type TriggerResult } from './command.js';
import { TriggerService } from './trigger.service.js';

/** Contract 4.1. */
@Controller('api/voice-agents/:agentId/calls')
@UseFilters(CallErrorFilter)
export class TriggerController {
  constructor(
    private readonly gate: TriggerGate,
    private readonly trigger: TriggerService,
  ) {}

  @Post()
  async post(
    @Param('agentId') agentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const result = (await this.gate.refusalOf(agentId, request)) ?? (await this.handle(agentId, request));
    sendAnswer(response, answerOf(result, traceOf(request).requestId));
  }

  private async handle(agentId: string, request: Request): Promise<TriggerResult> {
    return this.trigger.trigger({ agentId, ...(await keyedRequestOf(request)) });
  }
}
