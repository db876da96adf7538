import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { invalid, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { isUuid } from '../../http/validators.js';
import { validateBody } from '../../http/validation.js';
import { CreatePhoneNumber } from '../../phone-numbers/phone-number.dto.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { CreateApiKey } from '../../teams/api-key.dto.js';
import { ApiKeysService } from '../../teams/api-keys.service.js';
import { KeyUses } from '../../teams/key-uses.service.js';
import { readTeamNumber } from '../../phone-numbers/team-number.js';
import { UpdateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { CreateVoiceAgent } from '../../voice-agents/voice-agent.dto.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { problemsOfRefusal } from '../frame/form-errors.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type Attempt, gettingStartedPage, type MadeKey } from './getting-started.view.js';
import { HAS_CALLS, type Progress, PROGRESS } from './progress.sql.js';
import { PageTestCalls } from './page-test-calls.service.js';
import { exampleNumbers } from './places.js';
import { WEEKDAY_HOURS } from './template.js';

type Sent = ReadonlyMap<string, string>;

/** The steps from a team without anything to its first request. Each is made by the service of the API. */
@Injectable()
export class GettingStartedService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly config: Config,
    private readonly carriers: CarrierRegistry,
    private readonly teams: TeamsService,
    private readonly numbers: PhoneNumbersService,
    private readonly agents: VoiceAgentsService,
    private readonly calls: CallsAdminService,
    private readonly testCalls: PageTestCalls,
    private readonly keys: ApiKeysService,
    private readonly keyUses: KeyUses,
  ) {}

  /** Whether the team's first page has anything to tell of calls. */
  async hasCalls(teamId: string): Promise<boolean> {
    const [row] = await this.dataSource.query<{ hasCalls: boolean }[]>(HAS_CALLS, [teamId]);
    return row?.hasCalls === true;
  }

  /** Whether the team still waits for the first request with a key, of which its first page reminds. */
  async waits(teamId: string): Promise<boolean> {
    const { firstRequestAt } = await this.progress(teamId);
    return firstRequestAt === null;
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async page(
    request: PageRequest,
    teamId: string,
    { attempt = null, made = null }: { attempt?: Attempt | null; made?: MadeKey | null } = {},
  ): Promise<PageElement> {
    const [frame, team, progress] = await Promise.all([
      this.frames.of(request),
      this.teams.get(teamId),
      this.progress(teamId),
    ]);
    const asked = request.parameter('call');
    const callId = isUuid(asked) ? asked : progress.firstCallId;
    const call = callId === null ? null : await this.calls.get(teamId, callId);
    const simulated = this.carriers.defaultName === 'simulator';
    const examples = exampleNumbers(team.defaultCountry);
    return gettingStartedPage(frame, { team, progress, call, simulated, examples, attempt, made });
  }

  /** Sets the country, the zone and the countries that may be called. @throws AppError as `TeamsService.update`. */
  async setPlace(teamId: string, sent: Sent): Promise<void> {
    const country = sent.get('defaultCountry') ?? '';
    const reach = sent.get('reach') ?? 'country';
    if (country === '') throw invalid('defaultCountry must be chosen');
    if (reach !== 'country' && reach !== 'any') throw invalid('reach must be country or any');
    const fields = {
      defaultCountry: country,
      timezone: sent.get('timezone') ?? '',
      allowedCountries: reach === 'country' ? [country] : null,
    };
    if (fields.timezone === '') throw invalid('timezone must be chosen');
    const read = validateBody(UpdateTeam, fields, { nulls: 'keep' });
    if (!read.ok) throw invalid(...problemsOf(read));
    await this.teams.update(teamId, read.value);
  }

  /** @throws AppError as `PhoneNumbersService.create`. */
  async addNumber(teamId: string, sent: Sent): Promise<void> {
    const read = validateBody(CreatePhoneNumber, { phoneNumber: sent.get('phoneNumber') ?? '' });
    if (!read.ok) throw invalid(...problemsOf(read));
    await this.numbers.create(teamId, read.value);
  }

  /** @throws AppError as `VoiceAgentsService.create`. */
  async makeAgent(teamId: string, sent: Sent): Promise<void> {
    const { timezone } = await this.teams.get(teamId);
    const read = validateBody(
      CreateVoiceAgent,
      {
        name: sent.get('name') ?? '',
        firstMessageTemplate: sent.get('firstMessageTemplate') ?? '',
        promptTemplate: sent.get('promptTemplate') ?? '',
        outboundPhoneNumber: sent.get('outboundPhoneNumber') || null,
        callingHours: sent.get('hours') === 'any' ? null : WEEKDAY_HOURS,
        timezone,
      },
      { nulls: 'keep' },
    );
    if (!read.ok) throw invalid(...problemsOf(read));
    await this.agents.create(teamId, read.value, 'team');
  }

  /**
   * @returns the id of the call.
   * @throws AppError `INVALID_REQUEST` with the refusal of the call, or `NOT_FOUND` for the agent.
   */
  async placeCall(teamId: string, sent: Sent, trace: RequestTrace): Promise<string> {
    const { agent } = await this.progress(teamId);
    if (agent === null) throw invalid('The team needs an agent first');
    return this.testCalls.place(teamId, agent.id, sent.get('phoneNumber') ?? '', trace);
  }

  /**
   * Makes a key, and the request that uses it.
   *
   * @throws AppError `INVALID_REQUEST` for the name or the number.
   */
  async makeKey(teamId: string, sent: Sent, origin: string): Promise<MadeKey> {
    const [team, { agent }] = await Promise.all([this.teams.find(teamId), this.progress(teamId)]);
    if (agent === null) throw invalid('The team needs an agent first');
    const phoneNumber = readTeamNumber(team, sent.get('phoneNumber') ?? '', 'phoneNumber');
    const read = validateBody(CreateApiKey, { name: sent.get('name') ?? '' });
    if (!read.ok) throw invalid(...problemsOf(read));
    const { key } = await this.keys.create(teamId, read.value);
    return { key, url: `${this.config.publicUrl ?? origin}/api/voice-agents/${agent.id}/calls`, phoneNumber };
  }

  /** The page with a form that was refused. @throws every error that is no refusal of a field. */
  async refused(
    request: PageRequest,
    teamId: string,
    { step, sent, error }: { step: Attempt['step']; sent: Sent; error: unknown },
  ): Promise<PageElement> {
    return this.page(request, teamId, { attempt: { step, sent, problems: problemsOfRefusal(error) } });
  }

  private async progress(teamId: string): Promise<Progress> {
    const read = () => this.dataSource.query<[Progress]>(PROGRESS, [teamId]);
    const [progress] = await read();
    if (progress.key === null || progress.firstRequestAt !== null) return progress;
    // Uses are written once a minute. A person who waits for the first one sees it at once, where this process had it.
    await this.keyUses.write();
    return (await read())[0];
  }
}
