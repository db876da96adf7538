/**
 * A Nest endpoint of the trigger's shape that does nothing: what HTTP, JSON and validation cost. Only the
 * benchmark runs it.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Module, Param, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TriggerBody } from './trigger-body.js';

@Controller()
export class BareController {
  @Get('health/ready')
  ready(): string {
    return 'ok';
  }

  @Post('api/voice-agents/:agentId/calls')
  @HttpCode(200)
  trigger(@Param('agentId') agentId: string, @Body(new ValidationPipe()) body: TriggerBody): object {
    return { success: agentId !== '' && body.phoneNumber !== '', callRequestId: randomUUID() };
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create(BareModule, { logger: false });
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void start();
