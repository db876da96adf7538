import { Module } from '@nestjs/common';
import { ComplianceModule } from '../compliance/compliance.module.js';
import { ApiKeysService } from './api-keys.service.js';
import { OwnKeyService } from './own-key.service.js';
import { OwnTeamService } from './own-team.service.js';
import { TeamsService } from './teams.service.js';

/**
 * The tenants, their API keys and plan limits. In come operators' changes; out goes the team that a request
 * or a call belongs to. Tables: `teams`, `api_keys`, `plan_usage` (in which calls are counted).
 */
@Module({
  imports: [ComplianceModule],
  providers: [TeamsService, ApiKeysService, OwnTeamService, OwnKeyService],
  exports: [TeamsService, ApiKeysService, OwnTeamService, OwnKeyService],
})
export class TeamsModule {}
