import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { readJsonObject } from '../../http/body.js';
import { MAX_CONTRACT_VALUES } from '../../http/json-body.js';
import { admittedKeyOf } from '../../teams/key-of-request.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { idempotencyKeyOf } from '../../idempotency/idempotency.js';
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
    const result = (await this.gate.refusalOf(agentId, request)) ?? (await this.judge(agentId, request));
    sendAnswer(response, answerOf(result));
  }

  private async judge(agentId: string, request: Request): Promise<TriggerResult> {
    const body = await readJsonObject(request, { maxValues: MAX_CONTRACT_VALUES });
    return this.trigger.trigger({
      agentId,
      ...admittedKeyOf(request),
      body,
      // Of method, path and body, which therefore is read first.
      idempotencyKey: idempotencyKeyOf(request),
      trace: traceOf(request),
    });
  }
}
