import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { findRow } from '../../lists/rows.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { AppError, invalid } from '../../http/app-error.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { CampaignVersion, DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';
import { CampaignsService } from './campaigns.service.js';
import { keepClaimsOut } from '../definition/claims-lock.js';
import { type LiveAtStep, migrationPlan, type VersionMigrationPlan } from './version-migration.dto.js';

/** $1 version. */
const LIVE_AT_STEPS = `
  SELECT e.step, count(*)::integer AS live FROM enrollments e
  WHERE e.version_id = $1 AND e.status IN ('active', 'paused')
  GROUP BY e.step`;

/** The versions of one campaign between which enrollments move. */
export interface MigrationKeys {
  teamId: string;
  campaignId: string;
  fromVersionId: string;
  toVersionId: string;
}

/** Plans and starts migrations, which move the live enrollments of one version to another. */
@Injectable()
export class VersionMigrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly campaigns: CampaignsService,
    private readonly agents: VoiceAgentsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * The changes that a migration would make. Nothing is written.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or a version, or `INVALID_REQUEST` if both
   *   versions are the same.
   */
  async plan(keys: MigrationKeys): Promise<VersionMigrationPlan> {
    await this.campaigns.find(keys.teamId, keys.campaignId);
    const { plan } = await planOf(this.dataSource.manager, keys);
    return plan;
  }

  /**
   * Starts a migration. The worker moves the enrollments in batches, and decides no enrollment of the
   * campaign until all are moved.
   *
   * @throws AppError as {@link plan}; `CONFLICT` naming the missing steps, for a deleted agent, or while
   *   another migration of one of the versions is under way. No enrollment moves then.
   */
  async migrate(keys: MigrationKeys): Promise<VersionMigrationPlan> {
    await this.campaigns.find(keys.teamId, keys.campaignId);
    return this.dataSource.transaction(async (manager) => {
      await keepClaimsOut(manager, keys.campaignId);
      const { plan, from, to, definition } = await planOf(manager, keys);
      if (plan.missingSteps.length > 0) {
        throw new AppError(
          'CONFLICT',
          `The version has no step ${plan.missingSteps.join(', ')}, where live enrollments are`,
        );
      }
      if (to.migratesTo !== null || (from.migratesTo !== null && from.migratesTo !== to.id)) {
        throw new AppError('CONFLICT', 'Enrollments of one of the versions are being moved to another one');
      }
      await this.checkAgents(manager, keys.teamId, definition);
      await manager.update(CampaignVersion, { id: from.id }, { migratesTo: to.id });
      await this.audit.write(manager, {
        teamId: keys.teamId,
        action: 'campaign_version.migrated',
        target: { type: 'campaign_version', id: from.id },
        after: { campaign_id: keys.campaignId, to: to.id },
      });
      return plan;
    });
  }

  private async checkAgents(
    manager: EntityManager,
    teamId: string,
    definition: CampaignDefinition | null,
  ): Promise<void> {
    const ids = definition?.steps.map(({ agentId }) => agentId) ?? [];
    const own = await this.agents.hold(manager, teamId, ids);
    const missing = ids.find((id) => !own.has(id));
    if (missing !== undefined)
      throw new AppError('CONFLICT', `The voice agent ${missing} of the version was deleted`);
  }
}

async function planOf(
  manager: EntityManager,
  { fromVersionId, toVersionId, teamId, campaignId }: MigrationKeys,
) {
  const versions = manager.getRepository(CampaignVersion);
  const to = await findRow(versions, { teamId, campaignId, id: toVersionId }, 'Campaign version');
  const from = await findRow(versions, { teamId, campaignId, id: fromVersionId }, 'Campaign version');
  if (from.id === to.id) throw invalid('fromVersionId must be another version');
  const rows = await manager.query<LiveAtStep[]>(LIVE_AT_STEPS, [from.id]);
  const definition = definitionOf(to);
  const ids = { fromVersionId: from.id, toVersionId: to.id };
  return { from, to, definition, plan: migrationPlan(ids, definitionOf(from), definition, rows) };
}

/** Null for a version that places no calls. */
function definitionOf({ definition, definitionFormat }: CampaignVersion): CampaignDefinition | null {
  if (definitionFormat !== DEFINITION_FORMAT) return null;
  const parsed = parseDefinition(definition);
  return parsed.ok ? parsed.value : null;
}
