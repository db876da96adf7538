import { Module } from '@nestjs/common';
import { RedisModule } from '../queue/redis.module.js';
import { HealthService } from './health.service.js';

@Module({ imports: [RedisModule], providers: [HealthService], exports: [HealthService] })
export class HealthModule {}
