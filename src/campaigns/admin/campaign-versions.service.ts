import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { jsonBytesOf, pageByKey } from '../../lists/keyset.js';
import { findRow, refuse } from '../../lists/rows.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { definitionFaults } from '../../domain/campaigns/definition/definition-faults.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { AppError, invalid, type Problem, problemOf } from '../../http/app-error.js';
import { type Page, type PageRequest } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { TeamsService } from '../../teams/teams.service.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import {
  type CampaignVersionResource,
  campaignVersionResource,
  type CreateCampaignVersion,
  type PublishedCampaignVersionResource,
  type UpdateCampaignVersion,
} from './campaign-version.dto.js';
import { CampaignVersion, DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';
import { Campaign } from '../definition/campaign.entity.js';
import { CampaignsService } from './campaigns.service.js';
import { type PublicationWarning, publicationWarnings } from '../definition/publication-warnings.js';
import { ENROLLED_BY_VERSION } from './campaign-stats.sql.js';
import { keepClaimsOut } from '../definition/claims-lock.js';

const KEY = {
  property: 'number',
  of: (row: CampaignVersion) => String(row.number),
  isKey: (value: unknown) => typeof value === 'string' && /^\d{1,9}$/.test(value),
} as const;

const BYTES = jsonBytesOf<CampaignVersion>('v', 'definition');

const REFUSALS = {
  uq_campaign_versions_one_draft: ['CONFLICT', 'The campaign already has a draft'],
} as const;

/** What {@link CampaignVersionsService.check} finds. */
interface CheckedDefinition {
  problems: Problem[];
  warnings: PublicationWarning[];
}

interface VersionKeys {
  teamId: string;
  campaignId: string;
  id: string;
}

/**
 * A step at which live enrollments of a version are, and which a new definition lacks. $1 version, $2 the
 * keys of the steps of the new definition.
 */
const OCCUPIED_STEP = `
  SELECT e.step FROM enrollments e
  WHERE e.version_id = $1 AND e.status IN ('active', 'paused') AND e.step IS NOT NULL AND e.step <> ALL($2::text[])
  LIMIT 1`;

/** Has the live enrollments of a version decided by its new definition. $1 version. */
const DECIDE_AGAIN = `
  UPDATE enrollments SET settle_at = least(settle_at, outdial_now()) WHERE version_id = $1 AND status IN ('active', 'paused')`;

/** Versions of campaigns: at most one draft, and published versions, of which one is current. */
@Injectable()
export class CampaignVersionsService {
  private readonly versions: Repository<CampaignVersion>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly campaigns: CampaignsService,
    private readonly agents: VoiceAgentsService,
    private readonly teams: TeamsService,
  ) {
    this.versions = dataSource.getRepository(CampaignVersion);
  }

  /** @throws AppError `NOT_FOUND` for the team or the campaign. */
  async list(
    teamId: string,
    campaignId: string,
    request: PageRequest,
  ): Promise<Page<CampaignVersionResource>> {
    await this.campaigns.find(teamId, campaignId);
    const query = this.versions.createQueryBuilder('v').where({ teamId, campaignId });
    const page = await pageByKey(query, request, KEY, (version) => version, BYTES);
    return { ...page, items: await this.resources(page.items) };
  }

  /** @throws AppError `NOT_FOUND` for the team, the campaign or the version. */
  async get(teamId: string, campaignId: string, id: string): Promise<CampaignVersionResource> {
    await this.campaigns.find(teamId, campaignId);
    return this.resource(await this.find(this.dataSource.manager, { teamId, campaignId, id }));
  }

  /**
   * Begins the draft.
   *
   * @throws AppError `NOT_FOUND` for the team or the campaign, `INVALID_REQUEST` naming the path of what is
   *   wrong in the definition, or `CONFLICT` when there is a draft.
   */
  async create(
    teamId: string,
    campaignId: string,
    { definition }: CreateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    await this.campaigns.find(teamId, campaignId);
    const parsed = parsedDefinition(definition);
    const creation = this.dataSource.transaction(async (manager) => {
      await lockCampaign(manager, campaignId);
      await this.checkAgents(manager, teamId, parsed);
      const newest = await manager.maximum(CampaignVersion, 'number', { campaignId });
      const { identifiers } = await manager.insert(CampaignVersion, {
        teamId,
        campaignId,
        number: (newest ?? 0) + 1,
        status: 'draft',
        ...validated(definition),
      });
      return identifiers[0]?.id as string;
    });
    return this.get(teamId, campaignId, await creation.catch(refuse(REFUSALS)));
  }

  /**
   * @throws AppError `NOT_FOUND` for the team, the campaign or the version, `INVALID_REQUEST` naming the path
   *   of what is wrong in the definition, or `CONFLICT` if the version is not a draft, or if the definition
   *   lacks a step at which live enrollments are.
   */
  async update(
    teamId: string,
    campaignId: string,
    id: string,
    { definition }: UpdateCampaignVersion,
  ): Promise<CampaignVersionResource> {
    await this.campaigns.find(teamId, campaignId);
    const keys = { teamId, campaignId, id };
    if (definition !== undefined && isUuid(id)) {
      if (await this.replaceDefinition(keys, definition)) return this.get(teamId, campaignId, id);
    }
    const version = await this.find(this.dataSource.manager, keys);
    if (version.status !== 'draft' || definition !== undefined) throw notADraft('changed');
    return this.resource(version);
  }

  /**
   * Makes the draft current. Earlier enrollments stay on their version. `warnings` name what is probably
   * unintended in the definition; they do not prevent the publication.
   *
   * @throws AppError `NOT_FOUND` for the team, the campaign or the version, or `CONFLICT` if the version is
   *   not a draft.
   */
  async publish(teamId: string, campaignId: string, id: string): Promise<PublishedCampaignVersionResource> {
    await this.campaigns.find(teamId, campaignId);
    const published = await this.dataSource.transaction(async (manager) => {
      await lockCampaign(manager, campaignId);
      const version = await this.find(manager, { teamId, campaignId, id });
      if (version.status !== 'draft') throw notADraft('published');
      await manager.update(CampaignVersion, { id }, { status: 'published', publishedAt: () => 'now()' });
      await manager.update(Campaign, { id: campaignId }, { currentVersionId: id });
      return version;
    });
    const { retryWithinRedialWindow } = await this.teams.find(teamId);
    const warnings = publicationWarnings(published, retryWithinRedialWindow);
    return { ...(await this.get(teamId, campaignId, id)), warnings };
  }

  /**
   * What would be refused of a draft with this definition, one fault for each of its parts, and else the warnings with
   * which it would be published. Stores nothing.
   *
   * @throws AppError `NOT_FOUND` for the team.
   */
  async check(teamId: string, definition: Record<string, unknown>): Promise<CheckedDefinition> {
    const { retryWithinRedialWindow } = await this.teams.find(teamId);
    const parsed = parseDefinition(definition);
    if (!parsed.ok) {
      const problems = definitionFaults(definition).map((fault) => problemOf(`definition.${fault}`));
      return { problems, warnings: [] };
    }
    const foreign = await this.foreignAgents(this.dataSource.manager, teamId, parsed.value);
    const problems = foreign.map((index) => problemOf(isForeign(index)));
    const version = { definition, definitionFormat: DEFINITION_FORMAT };
    return { problems, warnings: publicationWarnings(version, retryWithinRedialWindow) };
  }

  /** @returns whether the version is a draft. */
  private replaceDefinition(keys: VersionKeys, definition: Record<string, unknown>): Promise<boolean> {
    const parsed = parsedDefinition(definition);
    return this.dataSource.transaction(async (manager) => {
      await keepClaimsOut(manager, keys.campaignId);
      await this.checkAgents(manager, keys.teamId, parsed);
      // If a concurrent request has published the draft, the update changes no row.
      const draft = { ...keys, status: 'draft' as const };
      const { affected } = await manager.update(CampaignVersion, draft, validated(definition));
      if (!affected) return false;
      const left = parsed.steps.map(({ key }) => key);
      const [occupied] = await manager.query<{ step: string }[]>(OCCUPIED_STEP, [keys.id, left]);
      if (occupied !== undefined) throw isOccupied(occupied.step);
      await manager.query(DECIDE_AGAIN, [keys.id]);
      return true;
    });
  }

  private async checkAgents(
    manager: EntityManager,
    teamId: string,
    definition: CampaignDefinition,
  ): Promise<void> {
    const [foreign] = await this.foreignAgents(manager, teamId, definition);
    if (foreign !== undefined) throw invalid(isForeign(foreign));
  }

  /** The positions of the steps whose agent is not one of the team. */
  private async foreignAgents(
    manager: EntityManager,
    teamId: string,
    { steps }: CampaignDefinition,
  ): Promise<number[]> {
    const ids = steps.map(({ agentId }) => agentId);
    const own = await this.agents.hold(manager, teamId, ids);
    return steps.flatMap(({ agentId }, index) => (own.has(agentId) ? [] : [index]));
  }

  private find(manager: EntityManager, keys: VersionKeys): Promise<CampaignVersion> {
    return findRow(manager.getRepository(CampaignVersion), keys, 'Campaign version');
  }

  private async resource(version: CampaignVersion): Promise<CampaignVersionResource> {
    const [resource] = await this.resources([version]);
    return resource as CampaignVersionResource;
  }

  private async resources(versions: CampaignVersion[]): Promise<CampaignVersionResource[]> {
    const [first] = versions;
    const counts = await this.dataSource.query<{ version_id: string; enrolled: number }[]>(
      ENROLLED_BY_VERSION,
      [first?.teamId, first?.campaignId],
    );
    const enrolled = new Map(counts.map((row) => [row.version_id, row.enrolled]));
    return versions.map((version) => campaignVersionResource(version, enrolled.get(version.id) ?? 0));
  }
}

/**
 * Creations and publications of the versions of one campaign run one after the other. Enrolling does not wait
 * for this lock.
 */
async function lockCampaign(manager: EntityManager, campaignId: string): Promise<void> {
  await manager.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [campaignId]);
}

const validated = (definition: Record<string, unknown>) =>
  ({ definition, definitionFormat: DEFINITION_FORMAT }) as QueryDeepPartialEntity<CampaignVersion>;

const notADraft = (done: string) => new AppError('CONFLICT', `Only a draft can be ${done}`);

const isForeign = (step: number) => `definition.steps[${step}].agentId is not a voice agent of the team`;

const isOccupied = (step: string) =>
  new AppError('CONFLICT', `Live enrollments of the draft are at the step ${step}, so it must stay`);

/** @throws AppError `INVALID_REQUEST` naming the path. */
function parsedDefinition(definition: Record<string, unknown>): CampaignDefinition {
  const parsed = parseDefinition(definition);
  if (!parsed.ok) throw invalid(`definition.${parsed.message}`);
  return parsed.value;
}
