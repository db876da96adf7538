import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { sendJson } from '../../http/send-json.js';
import { ReadScope } from '../../teams/key-scope.decorator.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { answerOf, sendAnswer } from '../trigger/answers.js';
import { CallErrorFilter } from '../trigger/call-error.filter.js';
import { TriggerGate } from '../trigger/trigger-gate.service.js';
import { incomingOf } from '../trigger/trigger.service.js';
import { type ExplainResult, ExplainService } from './explain.service.js';

/** The dry run of contract 4.1. */
@Controller('api/voice-agents/:agentId/calls/explain')
@UseFilters(CallErrorFilter)
export class ExplainController {
  constructor(
    private readonly gate: TriggerGate,
    private readonly explaining: ExplainService,
  ) {}

  @Post()
  @ReadScope('calls')
  async post(
    @Param('agentId') agentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const result = (await this.gate.checkAccess(agentId, request)) ?? (await this.explain(agentId, request));
    if (result.kind === 'explained') sendJson(response, 200, result.explanation);
    else sendAnswer(response, answerOf(result, traceOf(request).requestId));
  }

  private async explain(agentId: string, request: Request): Promise<ExplainResult> {
    return this.explaining.explain(await incomingOf(agentId, request));
  }
}
