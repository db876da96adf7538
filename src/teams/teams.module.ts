import { Module } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service.js';
import { TeamsService } from './teams.service.js';

/** The tenants and their keys. */
@Module({ providers: [TeamsService, ApiKeysService], exports: [TeamsService, ApiKeysService] })
export class TeamsModule {}
