import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { type CarrierCheck } from '../../carriers/carrier.js';
import { CarrierCheckService } from '../../carriers/carrier-check.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { NumberPoolsService } from '../../phone-numbers/number-pools.service.js';
import { TeamPhoneNumbersService } from '../../phone-numbers/team-phone-numbers.service.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { type VoiceAgentResource } from '../../voice-agents/voice-agent.dto.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { errorsOfRefusal } from '../frame/form-errors.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type AboutAgent, agentPage } from './agent.view.js';
import { AgentPreviews } from './agent-preview.service.js';
import { type Preview } from './preview.view.js';
import { PageTestCalls } from '../getting-started/page-test-calls.service.js';

/** A check asks the carrier about each number, so it asks about these at most. */
const MOST_NUMBERS = 100;

/** $1 team, $2 campaigns. */
const CAMPAIGN_NAMES = `
  SELECT id, name FROM campaigns WHERE team_id = $1 AND id = ANY($2::uuid[]) ORDER BY created_at, id LIMIT 20`;

/** One agent of a team: what it is, what it says to a contact, its check and its test call. */
@Injectable()
export class AgentPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly agents: VoiceAgentsService,
    private readonly previews: AgentPreviews,
    private readonly numbers: TeamPhoneNumbersService,
    private readonly pools: NumberPoolsService,
    private readonly accounts: CarrierAccountsService,
    private readonly carriers: CarrierRegistry,
    private readonly checks: CarrierCheckService,
    private readonly testCalls: PageTestCalls,
  ) {}

  /** The page, with a preview if the address names a contact. @throws AppError `NOT_FOUND` for the agent. */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement | RefusedPage> {
    const typed = request.parameter('contact');
    const agent = await this.agents.get(teamId, id);
    const preview = typed === null ? null : await this.previews.of(teamId, agent, typed);
    const page = await this.shown(request, teamId, id, {}, preview);
    return preview === null || preview.problem === null ? page : new RefusedPage(page);
  }

  /** Checks the agent's carrier with its settings and its numbers, without a call. */
  async check(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const agent = await this.agents.get(teamId, id);
    return this.shown(request, teamId, id, { check: await this.checkOf(teamId, agent) });
  }

  /** @returns the id of the call, or the page with the refusal. */
  async testCall(
    request: PageRequest,
    teamId: string,
    id: string,
    phoneNumber: string,
    trace: RequestTrace,
  ): Promise<string | RefusedPage> {
    const { id: agentId } = await this.agents.get(teamId, id);
    try {
      return await this.testCalls.place(teamId, agentId, phoneNumber, trace);
    } catch (error) {
      const errors = errorsOfRefusal(error, { phoneNumber: 'The number' });
      const testCall = { phoneNumber, error: Object.values(errors).join('; ') };
      return new RefusedPage(await this.shown(request, teamId, id, { testCall }));
    }
  }

  /** @returns the page if campaigns use the agent; null: it is deleted. @throws AppError `NOT_FOUND`. */
  async delete(request: PageRequest, teamId: string, id: string): Promise<RefusedPage | null> {
    try {
      await this.agents.delete(teamId, id);
      return null;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      const { campaigns } = error.details;
      const usedBy = await this.dataSource.query<{ id: string; name: string }[]>(CAMPAIGN_NAMES, [
        teamId,
        campaigns,
      ]);
      return new RefusedPage(await this.shown(request, teamId, id, { usedBy }));
    }
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    id: string,
    about: AboutAgent,
    preview: Preview | null = null,
  ): Promise<PageElement> {
    const [frame, agent] = await Promise.all([
      this.frames.of(request),
      this.agents.getWithWarnings(teamId, id),
    ]);
    const { numberPoolId, carrierAccountId } = agent;
    const [pool, account] = await Promise.all([
      numberPoolId === null ? null : this.pools.get(teamId, numberPoolId),
      carrierAccountId === null ? null : this.accounts.get(teamId, carrierAccountId),
    ]);
    const defaultCarrier = this.carriers.defaultName;
    return agentPage({ frame, agent, pool, account, defaultCarrier, preview, about });
  }

  private async checkOf(teamId: string, agent: VoiceAgentResource): Promise<CarrierCheck> {
    const { carrierAccountId, carrierSettings } = agent;
    const numbers = await this.numbersOf(teamId, agent);
    if (carrierAccountId !== null) {
      return this.accounts.check(teamId, carrierAccountId, { settings: carrierSettings, numbers });
    }
    const name = CARRIER_NAMES.find((one) => one === (agent.carrier ?? this.carriers.defaultName));
    if (name === undefined) throw notFound('Carrier');
    return this.checks.check(name, numbers, true, { settings: [carrierSettings] });
  }

  /** The numbers that the agent calls from; without its own, those of the team. */
  private async numbersOf(
    teamId: string,
    { numberPoolId, outboundPhoneNumber }: VoiceAgentResource,
  ): Promise<string[]> {
    if (numberPoolId !== null) {
      const { phoneNumbers } = await this.pools.get(teamId, numberPoolId);
      return phoneNumbers.slice(0, MOST_NUMBERS);
    }
    if (outboundPhoneNumber !== null) return [outboundPhoneNumber];
    const { items } = await this.numbers.list(teamId, listPage(MOST_NUMBERS, null));
    return items
      .filter(({ active, outboundEnabled }) => active && outboundEnabled)
      .map(({ phoneNumber }) => phoneNumber);
  }
}
