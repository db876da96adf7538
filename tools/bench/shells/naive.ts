/**
 * What the trigger would be if it were written as most would at first. It has repositories in a transaction
 * and a query for each rule, and adds jobs one by one. It has the races that the trigger has not. Only the
 * benchmark runs it.
 */
import 'reflect-metadata';
import { createHash, randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  Headers,
  HttpException,
  type INestApplication,
  Module,
  type OnModuleDestroy,
  Param,
  Post,
  ValidationPipe,
  HttpCode,
  Get,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Queue } from 'bullmq';
import { DataSource, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { CallRequest } from '../../../src/dialing/call-request.entity.js';
import { Contact } from '../../../src/contacts/contact.entity.js';
import { createDataSource } from '../../../src/database/data-source.js';
import { DoNotCallEntry } from '../../../src/suppression/do-not-call-entry.entity.js';
import { WhitelistEntry } from '../../../src/suppression/whitelist-entry.entity.js';
import { isOpen } from '../../../src/domain/calling-hours.js';
import { ENTITIES } from '../../../src/entities.js';
import { PhoneNumber } from '../../../src/phone-numbers/phone-number.entity.js';
import { redisOptionsOf } from '../../../src/queue/redis-options.js';
import { ApiKey } from '../../../src/teams/api-key.entity.js';
import { PlanUsage } from '../../../src/teams/plan-usage.entity.js';
import { Team } from '../../../src/teams/team.entity.js';
import { VoiceAgent } from '../../../src/voice-agents/voice-agent.entity.js';
import { TriggerBody } from './trigger-body.js';

const HOUR_MS = 3_600_000;
const PENDING = ['scheduled', 'queued'];

@Controller()
export class NaiveController implements OnModuleDestroy {
  private readonly queue = new Queue('calls', {
    connection: redisOptionsOf(process.env.REDIS_URL ?? ''),
    prefix: '{naive}',
  });

  constructor(private readonly db: DataSource) {}

  async onModuleDestroy(): Promise<void> {
    await this.queue.close();
    await this.db.destroy();
  }

  @Get('health/ready')
  ready(): string {
    return 'ok';
  }

  @Post('api/voice-agents/:agentId/calls')
  @HttpCode(200)
  async trigger(
    @Param('agentId') agentId: string,
    @Headers('authorization') authorization: string,
    @Body(new ValidationPipe()) body: TriggerBody,
  ): Promise<object> {
    const keyHash = createHash('sha256').update(authorization.replace('Bearer ', '')).digest();
    const call = await this.db.transaction((manager) => this.accept(manager, agentId, keyHash, body));
    await this.queue.add('dial', { callRequestId: call.id, generation: 0 }, { jobId: `call-${call.id}-0` });
    return { success: true, callRequestId: call.id };
  }

  private async accept(db: EntityManager, agentId: string, keyHash: Buffer, body: TriggerBody) {
    const { phoneNumber } = body;
    const now = new Date();
    const key = await db.findOneByOrFail(ApiKey, { keyHash, revokedAt: IsNull() });
    const agent = await db.findOneByOrFail(VoiceAgent, { id: agentId, teamId: key.teamId });
    const team = await db.findOneByOrFail(Team, { id: key.teamId });
    const teamId = team.id;
    await db.findOneByOrFail(PhoneNumber, { teamId, phoneNumber: agent.outboundPhoneNumber ?? '' });
    const contact =
      (await db.findOneBy(Contact, { teamId, phoneNumber })) ?? db.create(Contact, { teamId, phoneNumber });
    await db.save(Object.assign(contact, { name: body.name, email: body.email }));
    if (!isOpen(agent, agent.timezone, now)) throw new HttpException('closed', 500);
    await db.findOneBy(WhitelistEntry, { teamId, phoneNumber });
    const month = `${now.toISOString().slice(0, 7)}-01`;
    await db.findOneBy(PlanUsage, { teamId, month });
    for (const days of [1, 7, 30]) {
      const since = MoreThan(new Date(now.getTime() - days * 24 * HOUR_MS));
      await db.countBy(CallRequest, { teamId, phoneNumber, processedAt: since });
    }
    if (await db.findOneBy(DoNotCallEntry, { teamId, phoneNumber })) throw new HttpException('refused', 500);
    const recently = MoreThan(new Date(now.getTime() - 12 * HOUR_MS));
    await db.findOneBy(CallRequest, { teamId, phoneNumber, processedAt: recently });
    await db.findOneBy(CallRequest, { teamId, phoneNumber, status: In(PENDING) });
    return db.save(
      db.create(CallRequest, {
        id: randomUUID(),
        teamId,
        agentId,
        contactId: contact.id,
        phoneNumber,
        status: 'queued',
        phase: 0,
        variables: { bench: true },
        acceptedAt: now,
        runsAt: now,
        wokenAt: now,
        expiresAt: new Date(now.getTime() + 24 * HOUR_MS),
        history: [{ at: now.toISOString(), from: null, to: 'queued', cause: 'triggered' }],
        decisions: [],
      }),
    );
  }
}

/** The application, which does not listen yet. */
export async function createNaive(databaseUrl: string): Promise<INestApplication> {
  const db = await createDataSource(databaseUrl, { entities: ENTITIES }).initialize();
  @Module({ controllers: [NaiveController], providers: [{ provide: DataSource, useValue: db }] })
  class NaiveModule {}
  return NestFactory.create(NaiveModule, { logger: ['error'] });
}

if (require.main === module) {
  void createNaive(process.env.DATABASE_URL ?? '').then((app) =>
    app.listen(Number(process.env.PORT), '127.0.0.1'),
  );
}
