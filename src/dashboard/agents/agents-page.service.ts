import { Injectable } from '@nestjs/common';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { mayDo } from '../../domain/permissions.js';
import { problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { NumberPoolsService } from '../../phone-numbers/number-pools.service.js';
import { TeamPhoneNumbersService } from '../../phone-numbers/team-phone-numbers.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { TeamVoiceAgentsService } from '../../voice-agents/team-voice-agents.service.js';
import { CreateVoiceAgent, UpdateVoiceAgent } from '../../voice-agents/voice-agent.dto.js';
import { type Door, VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { type FieldErrors, problemsOfRefusal } from '../frame/form-errors.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { WEEKDAY_HOURS } from '../getting-started/template.js';
import { addedDate } from '../hours/closed-dates.js';
import { EDIT, editOf } from '../hours/hours-editor.view.js';
import { editedHours } from '../hours/hours-form.js';
import {
  agentErrors,
  type AgentField,
  agentIn,
  changesIn,
  digestsOf,
  readDigests,
  readTypedAgent,
  type TypedAgent,
  typedAgentOf,
} from './agent-form.js';
import { type AgentChoices, agentFormPage, PREVIEW_FOR } from './agent-form.view.js';
import { AgentPreviews } from './agent-preview.service.js';
import { agentsPage } from './agents.view.js';
import { type Preview } from './preview.view.js';

const AGENTS_A_PAGE = 50;
/** The most numbers or pools among which a form lets one choose. */
const MOST_CHOICES = 100;

/** The form that is shown: a new agent, or a change of one. */
interface ShownForm {
  agent: { id: string; name: string } | null;
  typed: TypedAgent;
  before: Record<AgentField, string> | null;
  errors?: FieldErrors;
  preview?: Preview | null;
}

/** The list of a team's agents, and the form that creates and changes them. */
@Injectable()
export class AgentsPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly agents: VoiceAgentsService,
    private readonly ofTeam: TeamVoiceAgentsService,
    private readonly numbers: TeamPhoneNumbersService,
    private readonly pools: NumberPoolsService,
    private readonly accounts: CarrierAccountsService,
    private readonly carriers: CarrierRegistry,
    private readonly previews: AgentPreviews,
  ) {}

  async list(request: PageRequest, teamId: string): Promise<PageElement> {
    const frame = await this.frames.of(request);
    const agents = await this.ofTeam.list(teamId, listPage(AGENTS_A_PAGE, request.parameter('cursor')));
    const pools = await this.pools.list(teamId, listPage(MOST_CHOICES, null));
    return agentsPage({
      frame,
      agents,
      pools: new Map(pools.items.map(({ id, name }) => [id, name])),
      defaultCarrier: this.carriers.defaultName,
    });
  }

  /** The form of a new agent. It begins with Monday to Friday, nine to five. */
  async newForm(request: PageRequest, teamId: string): Promise<PageElement> {
    const { timezone } = await this.teams.find(teamId);
    const typed = typedAgentOf(
      { name: '', timezone, callingHours: WEEKDAY_HOURS },
      this.carriers.defaultName,
    );
    return this.form(request, teamId, { agent: null, typed, before: null });
  }

  /** @throws AppError `NOT_FOUND` for the agent. */
  async editForm(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const agent = await this.agents.get(teamId, id);
    const typed = typedAgentOf(agent, this.carriers.defaultName);
    return this.form(request, teamId, { agent, typed, before: digestsOf(typed) });
  }

  /**
   * Creates the agent, or shows the form again: where it is refused, and for a button that changes the form.
   *
   * @returns the id of the agent, or the page.
   */
  async create(
    request: PageRequest,
    teamId: string,
    sent: SentFields,
  ): Promise<string | PageElement | RefusedPage> {
    const typed = readTypedAgent(sent, this.carriers.defaultName);
    const shown = { agent: null, typed, before: null };
    if (sent.has(EDIT)) return this.edited(request, teamId, shown, sent);
    const read = validateBody(CreateVoiceAgent, agentIn(typed), { nulls: 'keep' });
    try {
      if (!read.ok) return await this.refused(request, teamId, shown, agentErrors(problemsOf(read), typed));
      return (await this.agents.create(teamId, read.value, doorOf(request))).id;
    } catch (error) {
      return this.refused(request, teamId, shown, agentErrors(problemsOfRefusal(error), typed));
    }
  }

  /**
   * Changes the fields that were changed in the form, or shows the form again as {@link create}.
   *
   * @returns `saved`, `same` where nothing differs, or the page.
   * @throws AppError `NOT_FOUND` for the agent.
   */
  async save(
    request: PageRequest,
    teamId: string,
    id: string,
    sent: SentFields,
  ): Promise<'saved' | 'same' | PageElement | RefusedPage> {
    const agent = await this.agents.get(teamId, id);
    const typed = readTypedAgent(sent, this.carriers.defaultName);
    const before = readDigests(sent);
    const shown = { agent, typed, before };
    if (sent.has(EDIT)) return this.edited(request, teamId, shown, sent);
    const changes = changesIn(typed, before);
    if (Object.keys(changes).length === 0) return 'same';
    const read = validateBody(UpdateVoiceAgent, changes, { nulls: 'keep' });
    try {
      if (!read.ok) return await this.refused(request, teamId, shown, agentErrors(problemsOf(read), typed));
      await this.agents.update(teamId, id, read.value, doorOf(request));
      return 'saved';
    } catch (error) {
      return this.refused(request, teamId, shown, agentErrors(problemsOfRefusal(error), typed));
    }
  }

  /** The form after one of its buttons. */
  private async edited(
    request: PageRequest,
    teamId: string,
    shown: ShownForm,
    sent: SentFields,
  ): Promise<PageElement> {
    const { typed } = shown;
    const asked = sent.text(PREVIEW_FOR);
    const isPreview = editOf('preview', sent.text(EDIT)) !== null;
    const preview = isPreview ? await this.previews.of(teamId, typed, asked) : null;
    const hours = editOf('callingHours', sent.text(EDIT));
    const dates = editOf('closedDates', sent.text(EDIT));
    return this.form(request, teamId, {
      ...shown,
      preview,
      typed: {
        ...typed,
        ...(hours !== null && { callingHours: editedHours(typed.callingHours, hours) }),
        ...(dates !== null && { closedDates: addedDate(typed.closedDates) }),
      },
    });
  }

  private async refused(
    request: PageRequest,
    teamId: string,
    shown: ShownForm,
    errors: FieldErrors,
  ): Promise<RefusedPage> {
    return new RefusedPage(await this.form(request, teamId, { ...shown, errors }));
  }

  private async form(request: PageRequest, teamId: string, shown: ShownForm): Promise<PageElement> {
    const [frame, choices] = await Promise.all([this.frames.of(request), this.choices(teamId, request)]);
    return agentFormPage({ errors: {}, preview: null, ...shown, frame, choices });
  }

  private async choices(teamId: string, { role }: PageRequest): Promise<AgentChoices> {
    const all = listPage(MOST_CHOICES, null);
    const [{ allowedCarriers }, numbers, pools, accounts] = await Promise.all([
      this.teams.find(teamId),
      this.numbers.list(teamId, all),
      this.pools.list(teamId, all),
      this.accounts.list(teamId, all),
    ]);
    const isAllowed = (name: string) =>
      mayDo(role, 'teams') || allowedCarriers === null || allowedCarriers.includes(name);
    return {
      numbers:
        numbers.nextCursor === null ? numbers.items.map(({ phoneNumber }) => phoneNumber).sort() : null,
      pools: pools.nextCursor === null ? pools.items : null,
      accounts: accounts.items,
      carriers: CARRIER_NAMES.filter((name) => this.carriers.get(name) !== undefined && isAllowed(name)),
      defaultCarrier: this.carriers.defaultName,
    };
  }
}

/** An operator may name every carrier, as by the operator's API. */
const doorOf = ({ role }: PageRequest): Door => (mayDo(role, 'teams') ? 'operator' : 'team');
