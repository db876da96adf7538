import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  IsNull,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { CarrierAccountsService } from '../carrier-accounts/carrier-accounts.service.js';
import { AgentCarrierService } from '../carriers/agent-carrier.service.js';
import { jsonBytesOf, pageByCreation } from '../lists/keyset.js';
import { changeRow, findRow, refuse, sentFields } from '../lists/rows.js';
import { parseClosedDates } from '../domain/calling-hours.js';
import { warned } from '../domain/near-misses.js';
import { parsePhoneNumber } from '../domain/phone-number.js';
import { propertiesNamedIn, warningsAboutTemplates } from '../domain/template-warnings.js';
import { AppError, invalid, notFound, problemOf, problemsOf } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { type Team } from '../teams/team.entity.js';
import { TeamsService } from '../teams/teams.service.js';
import { CAMPAIGNS_WITH_AGENT, DELETE_AGENT, HOLD_AGENTS, LOCK_AGENT } from './agent-uses.sql.js';
import { PROPERTIES_OF_NEWEST, type PropertiesOfNewestRow } from './contact-properties.sql.js';
import {
  type CreateVoiceAgent,
  type UpdateVoiceAgent,
  type VoiceAgentResource,
  voiceAgentResource,
  type WrittenVoiceAgent,
} from './voice-agent.dto.js';
import { VoiceAgent } from './voice-agent.entity.js';

const REFUSALS = {
  fk_voice_agents_number: ['INVALID_REQUEST', 'outboundPhoneNumber is not a phone number of the team'],
  fk_voice_agents_account: ['INVALID_REQUEST', 'carrierAccountId is not a carrier account of the team'],
  fk_voice_agents_pool: ['INVALID_REQUEST', 'numberPoolId is not a number pool of the team'],
} as const;

const BYTES = jsonBytesOf<VoiceAgent>(
  'a',
  'promptTemplate',
  'firstMessageTemplate',
  'callingHours',
  'closedDates',
  'carrierSettings',
);

/** By which routes a request came: those of the operator, or those of a team's key. */
export type Door = 'operator' | 'team';

const EXISTING = { deletedAt: IsNull() };

/** The voice agents of teams. */
@Injectable()
export class VoiceAgentsService {
  private readonly agents: Repository<VoiceAgent>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly teams: TeamsService,
    private readonly carriers: AgentCarrierService,
    private readonly accounts: CarrierAccountsService,
  ) {
    this.agents = dataSource.getRepository(VoiceAgent);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<VoiceAgentResource>> {
    await this.teams.find(teamId);
    const query = this.agents.createQueryBuilder('a').where({ teamId, ...EXISTING });
    return pageByCreation(query, request, voiceAgentResource, BYTES);
  }

  /** @throws AppError `NOT_FOUND` for the team or the agent. */
  async get(teamId: string, id: string): Promise<VoiceAgentResource> {
    await this.teams.find(teamId);
    return voiceAgentResource(await findRow(this.agents, { id, teamId, ...EXISTING }, 'Voice agent'));
  }

  /**
   * @param door of the request. A team's key may name only the `allowedCarriers` of the team.
   * @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` naming the invalid fields. Numbers
   *   and pools of other teams are invalid, too, and so are settings that the carrier refuses.
   */
  async create(teamId: string, fields: CreateVoiceAgent, door: Door): Promise<WrittenVoiceAgent> {
    const team = await this.teams.find(teamId);
    const accountProblem = await this.accountProblem(teamId, fields);
    const columns = this.columnsOf(team, fields, { door, carrier: fields, accountProblem });
    const row = this.agents.create({ ...columns, teamId });
    const { id } = await this.saving(teamId, fields, (agents) => agents.save(row));
    return this.withWarnings(teamId, await this.get(teamId, id));
  }

  /**
   * Changes the fields that were sent. The change applies from the next firing, also to waiting calls. An agent
   * whose carrier is no longer allowed keeps it; a change of the carrier or its settings is then refused.
   *
   * @throws AppError as {@link create}, and `NOT_FOUND` for the agent.
   */
  async update(teamId: string, id: string, fields: UpdateVoiceAgent, door: Door): Promise<WrittenVoiceAgent> {
    const team = await this.teams.find(teamId);
    const changesCarrier =
      fields.carrier !== undefined ||
      fields.carrierAccountId !== undefined ||
      fields.carrierSettings !== undefined;
    const carrier = changesCarrier ? { ...(await this.get(teamId, id)), ...sentFields(fields) } : undefined;
    const accountProblem = carrier ? await this.accountProblem(teamId, carrier) : null;
    const columns = this.columnsOf(team, fields, {
      door,
      carrier,
      accountProblem,
    }) as QueryDeepPartialEntity<VoiceAgent>;
    const agent = await this.saving(teamId, fields, (agents) =>
      changeRow(agents, { id, teamId, ...EXISTING }, columns, 'Voice agent'),
    );
    return this.withWarnings(teamId, voiceAgentResource(agent));
  }

  /**
   * Saves an agent in a transaction, in which the account that it is to name is not deleted.
   *
   * @throws AppError `INVALID_REQUEST` naming the account, number or pool that the team does not have (any more).
   */
  private async saving<T>(
    teamId: string,
    { carrierAccountId = null }: UpdateVoiceAgent,
    save: (agents: Repository<VoiceAgent>) => Promise<T>,
  ): Promise<T> {
    const saved = this.dataSource.transaction(async (manager) => {
      if (carrierAccountId !== null && !(await this.accounts.hold(manager, teamId, carrierAccountId)))
        throw new AppError(...REFUSALS.fk_voice_agents_account);
      return save(manager.withRepository(this.agents));
    });
    return saved.catch(refuse(REFUSALS));
  }

  /** Why the agent cannot name its carrier account; null if it can, or names none. */
  private async accountProblem(teamId: string, agent: UpdateVoiceAgent): Promise<string | null> {
    const { carrier = null, carrierAccountId = null } = agent;
    return carrierAccountId === null ? null : this.accounts.problemWith(teamId, carrier, carrierAccountId);
  }

  /**
   * An agent with the warnings about its templates, as a write returns it.
   *
   * @throws AppError as {@link get}.
   */
  async getWithWarnings(teamId: string, id: string): Promise<WrittenVoiceAgent> {
    return this.withWarnings(teamId, await this.get(teamId, id));
  }

  private async withWarnings(teamId: string, agent: VoiceAgentResource): Promise<WrittenVoiceAgent> {
    const named = propertiesNamedIn(agent);
    const sql = PROPERTIES_OF_NEWEST;
    const [newest] =
      named.length === 0 ? [] : await this.dataSource.query<PropertiesOfNewestRow[]>(sql, [teamId, named]);
    const found = new Set(newest?.found);
    const properties = { hasContacts: newest?.any ?? false, has: (name: string) => found.has(name) };
    return { ...agent, ...warned(warningsAboutTemplates(agent, properties)) };
  }

  /**
   * Deletes an agent, but keeps its row for its calls. Calls that were accepted before are still placed. No
   * new call names the agent.
   *
   * @throws AppError `NOT_FOUND` for the team or the agent. `CONFLICT` with the `campaigns`, if live versions
   *   of campaigns name the agent.
   */
  async delete(teamId: string, id: string): Promise<void> {
    await this.teams.find(teamId);
    if (!isUuid(id)) throw notFound('Voice agent');
    await this.dataSource.transaction(async (manager) => {
      const [agent] = await manager.query<{ id: string }[]>(LOCK_AGENT, [teamId, id]);
      if (agent === undefined) throw notFound('Voice agent');
      const campaigns = await manager.query<{ id: string }[]>(CAMPAIGNS_WITH_AGENT, [teamId, agent.id]);
      if (campaigns.length > 0) throw inUse(campaigns.map((campaign) => campaign.id));
      await manager.query(DELETE_AGENT, [teamId, id]);
    });
  }

  /**
   * @param manager of the transaction that stores the ids. Until this transaction ends, none of the returned
   *   agents is deleted.
   * @returns those of the ids that are agents of the team, in lower case.
   */
  async hold(manager: EntityManager, teamId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await manager.query<{ id: string }[]>(HOLD_AGENTS, [teamId, ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * @param carrier the agent's carrier and settings, if they are to be checked. A carrier checks its own
   *   settings. A carrier that is not configured here is refused.
   * @throws AppError `INVALID_REQUEST` naming every invalid field.
   */
  private columnsOf(
    team: Team,
    fields: UpdateVoiceAgent,
    {
      door,
      carrier,
      accountProblem,
    }: { door: Door; carrier: UpdateVoiceAgent | undefined; accountProblem: string | null },
  ): Partial<VoiceAgent> {
    const { closedDates, outboundPhoneNumber } = fields;
    const dates = closedDates && parseClosedDates(closedDates);
    const number =
      typeof outboundPhoneNumber === 'string'
        ? parsePhoneNumber(outboundPhoneNumber, team.defaultCountry, 'outboundPhoneNumber')
        : undefined;
    const problem =
      carrier &&
      ((door === 'team' ? notAllowed(team, carrier.carrier ?? null) : null) ??
        accountProblem ??
        this.carriers.problemWith(
          carrier.carrier ?? null,
          carrier.carrierSettings ?? {},
          (carrier.carrierAccountId ?? null) !== null,
        ));
    const problems = [
      ...(number === undefined ? [] : problemsOf(number)),
      ...(problem ? [problemOf(problem)] : []),
    ];
    if (problems.length > 0) throw invalid(...problems);
    return sentFields({
      ...fields,
      closedDates: dates?.ok ? dates.value : undefined,
      outboundPhoneNumber: number?.ok ? number.e164 : outboundPhoneNumber,
    });
  }
}

/** Why a team's key may not name a carrier; null if it may. The default carrier needs no name. */
function notAllowed({ allowedCarriers }: Team, name: string | null): string | null {
  if (name === null || allowedCarriers === null || allowedCarriers.includes(name)) return null;
  const allowed = allowedCarriers.length === 0 ? '' : `one of ${allowedCarriers.join(', ')}, or `;
  return `carrier is not allowed for this team: it must be ${allowed}null`;
}

const MAX_NAMED = 3;

function inUse(campaigns: string[]): AppError {
  const more = campaigns.length > MAX_NAMED ? ` and ${campaigns.length - MAX_NAMED} more` : '';
  const message = `The voice agent is in use by campaigns: ${campaigns.slice(0, MAX_NAMED).join(', ')}${more}`;
  return new AppError('CONFLICT', message, { reason: 'AGENT_IN_USE', campaigns });
}
