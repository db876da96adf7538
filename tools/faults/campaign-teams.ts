import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { parseDefinition } from '../../src/domain/campaigns/definition/parse-definition.js';
import { type CampaignRecord } from './campaign-history.js';
import { CAMPAIGN_KINDS, type CampaignKind } from './campaign-kinds.js';
import { type Tenant } from './tenants.js';

/** An active campaign, to which contacts are enrolled until it is archived. */
export interface PlayedCampaign extends CampaignRecord {
  kind: CampaignKind;
  team: Tenant;
}

/** The campaigns of a run, also those that were archived. */
export class Campaigns {
  readonly all = new Map<string, PlayedCampaign>();
  readonly open: PlayedCampaign[] = [];

  private constructor(
    private readonly db: Pool,
    readonly teams: readonly Tenant[],
  ) {}

  /** One of each kind. @param teams by the names that the kinds say. */
  static async create(db: Pool, teams: readonly Tenant[]): Promise<Campaigns> {
    const campaigns = new Campaigns(db, teams);
    for (const kind of CAMPAIGN_KINDS) await campaigns.add(kind);
    return campaigns;
  }

  get retryingTeams(): ReadonlySet<string> {
    return new Set(this.teams.filter(({ name }) => name !== 'strict').map(({ teamId }) => teamId));
  }

  /** Traffic enrolls no more contacts in `campaign`. A new campaign of the same kind takes its place. */
  async replace(campaign: PlayedCampaign): Promise<void> {
    await this.add(campaign.kind);
    this.open.splice(this.open.indexOf(campaign), 1);
  }

  async add(kind: CampaignKind): Promise<PlayedCampaign> {
    const team = this.teams.find(({ name }) => name === kind.team);
    if (team === undefined) throw new Error(`no team "${kind.team}"`);
    const id = randomUUID();
    const definition = kind.definition(team.agentId);
    const parsed = parseDefinition(definition);
    if (!parsed.ok) throw new Error(`the campaign "${kind.name}" is no valid one: ${parsed.message}`);
    await this.db.query(
      `WITH version AS (
         INSERT INTO campaign_versions (team_id, campaign_id, number, status, published_at, definition, definition_format)
         VALUES ($1, $2, 1, 'published', now(), $5, $6) RETURNING id
       )
       INSERT INTO campaigns (id, team_id, name, status, pacing, current_version_id)
       SELECT $2, $1, $3, 'active', $4, id FROM version`,
      [team.teamId, id, kind.name, kind.pacing, definition, DEFINITION_FORMAT],
    );
    const campaign = { id, teamId: team.teamId, rules: kind.rules, kind, team };
    this.all.set(id, campaign);
    this.open.push(campaign);
    return campaign;
  }
}
