import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { KEY_SCOPES } from '../../domain/key-scopes.js';
import { type PageElement } from '../../http/html-page.js';
import { problemsOf } from '../../http/app-error.js';
import { validateBody } from '../../http/validation.js';
import { TeamPhoneNumbersService } from '../../phone-numbers/team-phone-numbers.service.js';
import { CreateApiKey, type NewApiKeyResource } from '../../teams/api-key.dto.js';
import { ApiKeysService } from '../../teams/api-keys.service.js';
import { TeamVoiceAgentsService } from '../../voice-agents/team-voice-agents.service.js';
import { dayIn } from '../design/local-time.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { type Frame, PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { apiKeysPage, KEY_LABELS, type TypedKey } from './api-keys.view.js';
import { fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { firstCommand, type FirstCall } from './first-command.js';

/** Keys of one page. */
const LISTED = 100;
/** Agents and numbers among which an example is looked for. */
const LOOKED_AT = 20;

/** The API keys of a team: their list, a new one, and the end of one. */
@Injectable()
export class ApiKeysPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly keys: ApiKeysService,
    private readonly agents: TeamVoiceAgentsService,
    private readonly numbers: TeamPhoneNumbersService,
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
  ) {}

  async page(request: PageRequest, teamId: string): Promise<PageElement> {
    const frame = await this.frames.of(request);
    return apiKeysPage(frame, {
      keys: await this.list(frame, teamId),
      typed: UNTYPED,
      errors: {},
      created: null,
    });
  }

  /**
   * Makes a key. The page that answers is the only one that shows it. A key that is refused is not made, and the form
   * keeps what was typed.
   *
   * @param origin by which the browser reached this process.
   */
  async create(
    request: PageRequest,
    teamId: string,
    sent: SentFields,
    origin: string,
  ): Promise<PageElement | RefusedPage> {
    const frame = await this.frames.of(request);
    const typed = {
      name: sent.text('name'),
      scopes: sent.all('scopes'),
      expiresAt: sent.text('expiresAt').trim(),
    };
    const read = readKey(frame, typed);
    if (!read.ok) {
      const keys = await this.list(frame, teamId);
      return new RefusedPage(apiKeysPage(frame, { keys, typed, errors: read.errors, created: null }));
    }
    const key = await this.keys.create(teamId, read.fields);
    const [keys, command] = await Promise.all([
      this.list(frame, teamId),
      this.commandOf(teamId, key, origin),
    ]);
    return apiKeysPage(frame, { keys, typed: UNTYPED, errors: {}, created: { key, command } });
  }

  /** @throws AppError `NOT_FOUND`. */
  revoke(teamId: string, keyId: string): Promise<void> {
    return this.keys.revoke(teamId, keyId);
  }

  private list({ request }: Frame, teamId: string) {
    return this.keys.list(teamId, listPage(LISTED, request.parameter('cursor')));
  }

  private async commandOf(teamId: string, { key, scopes }: NewApiKeyResource, origin: string) {
    const call = scopes.includes('calls') ? await this.firstCall(teamId) : null;
    return { ...firstCommand(this.config.publicUrl ?? origin, key, call), mayCall: scopes.includes('calls') };
  }

  /** A call that this team could place: with an agent that has a number, if there is one. */
  private async firstCall(teamId: string): Promise<FirstCall | null> {
    const [{ items: agents }, { items: numbers }] = await Promise.all([
      this.agents.list(teamId, listPage(LOOKED_AT, null)),
      this.numbers.list(teamId, listPage(LOOKED_AT, null)),
    ]);
    const agent = agents.find(({ outboundPhoneNumber: own, numberPoolId: pool }) => own ?? pool) ?? agents[0];
    if (agent === undefined) return null;
    const usable = numbers.find(({ active, outboundEnabled }) => active && outboundEnabled);
    const from =
      agent.outboundPhoneNumber ?? (agent.numberPoolId === null ? usable?.phoneNumber : null) ?? null;
    const carrier = this.carriers.get(agent.carrier ?? this.carriers.defaultName);
    return { agentId: agent.agentId, agentName: agent.name, from, rings: carrier?.banner === undefined };
  }
}

const UNTYPED: TypedKey = { name: '', scopes: [...KEY_SCOPES], expiresAt: '' };

function readKey(
  { zone, now }: Frame,
  { name, scopes, expiresAt }: TypedKey,
): { ok: true; fields: CreateApiKey } | { ok: false; errors: FieldErrors } {
  // A day ends at the end of the day in the team's zone.
  const day = expiresAt === '' ? null : dayIn(zone, expiresAt);
  const until = expiresAt === '' ? null : (day?.to.toISOString() ?? expiresAt);
  const checked = validateBody(CreateApiKey, { name, scopes, expiresAt: until }, { nulls: 'keep' });
  const errors = checked.ok ? {} : fieldErrors(problemsOf(checked), KEY_LABELS);
  if (name.trim() === '') errors.name = 'Enter a name, such as the system that uses the key.';
  if (scopes.length === 0) errors.scopes = 'Tick at least one scope: a key without a scope can do nothing.';
  if (errors.expiresAt !== undefined)
    errors.expiresAt = 'Last day must be a day, such as 2027-03-28, or empty.';
  else if (until !== null && Date.parse(until) <= now.getTime()) {
    errors.expiresAt = 'Last day must not be past: the key would never work.';
  }
  if (checked.ok && Object.keys(errors).length === 0) return { ok: true, fields: checked.value };
  return { ok: false, errors };
}
