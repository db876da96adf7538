import { Injectable } from '@nestjs/common';
import { DoNotCallService } from '../../suppression/do-not-call.service.js';
import { PlatformDoNotCall } from '../../suppression/platform-do-not-call.service.js';
import { type OptOutNumbers, readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { AppError, invalid } from '../../http/app-error.js';
import { numberInAddress } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { Packs } from '../../compliance/packs/packs.service.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type Purpose, PURPOSES } from '../../domain/compliance/pack.js';
import { RegistersService } from '../../registers/registers.service.js';
import { type SentScope } from '../../suppression/do-not-call.service.js';
import { type AddToDoNotCall } from '../../suppression/number-lists.dto.js';
import { TeamVoiceAgentsService } from '../../voice-agents/team-voice-agents.service.js';
import { dayIn } from '../design/local-time.js';
import {
  type Corrections,
  type DoNotCallList,
  doNotCallPage,
  type ListLimits,
  type Registers,
  type TypedLimits,
} from './do-not-call.view.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { fieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, type Frame, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';

const NUMBERS_A_PAGE = 50;
const MAX_REASON = 500;
/** The most numbers of one form; longer lists are sent to the API. */
const MAX_NUMBERS = 1_000;

/** The fields of the form. The limits are empty for an entry of the whole team, and on the platform. */
export interface SentNumbers extends TypedLimits {
  numbers: string;
  reason: string;
}

/** What a form adds. */
interface NumbersOfForm {
  phoneNumbers: string[];
  reason: string | null;
}

/** The fields of the form by those of the API. */
const LABELS = { expiresAt: 'Last day', campaignId: 'Holds for', agentId: 'Holds for', purpose: 'Purpose' };

/** The most campaigns and agents of which one is chosen. */
const MOST_CHOICES = 100;
/** The most entries of a number's history on the page. */
const HISTORY = 50;

/** The page with the form again; `status` is 200 if some of its numbers were added. */
export interface RefusedNumbers {
  status: 200 | 400;
  page: PageElement;
}

/** Looks numbers up on a team's Do Not Call list, and adds and removes numbers. */
@Injectable()
export class DoNotCallPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly doNotCall: DoNotCallService,
    private readonly platform: PlatformDoNotCall,
    private readonly campaigns: CampaignsService,
    private readonly agents: TeamVoiceAgentsService,
    private readonly registers: RegistersService,
    private readonly packs: Packs,
  ) {}

  /** The page; without the list if the address is refused. */
  async page(request: PageRequest): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const [frame, lists] = await readOrRefuse(read, null, async () => ({
      team: await this.listOf(read, request),
      platform: await this.platformList(read, request),
      registers: await this.registersOf(read),
    }));
    return answerOf(frame, doNotCallPage(frame, lists?.team ?? null, lists?.platform, lists?.registers));
  }

  /** The platform's own list; null on the pages of a team. */
  private async platformList({ scope, team }: Frame, request: PageRequest): Promise<DoNotCallList | null> {
    if (scope === 'team' || team !== null) return null;
    const entries = await this.platform.list(listPage(NUMBERS_A_PAGE, request.parameter('cursor')));
    return { ...NO_LIMITS, entries, asked: null, corrections: null };
  }

  /** The public registers, which hold for every team; null on the pages of a team. */
  private async registersOf({ scope, team }: Frame): Promise<Registers | null> {
    if (scope === 'team' || team !== null) return null;
    return { registers: await this.registers.list(), packs: this.packs.all };
  }

  private async listOf({ team }: Frame, request: PageRequest): Promise<DoNotCallList | null> {
    if (team === null) return null;
    const [entries, asked, limits] = await Promise.all([
      this.entries(team.id, request.parameter('cursor')),
      this.lookUp(team.id, request.phoneNumber),
      this.limits(team.id, request),
    ]);
    return { ...limits, entries, asked, corrections: null };
  }

  /**
   * Adds the numbers, one a line or separated by commas. Numbers are added even if other lines hold none. Other
   * columns of a line with a number are ignored.
   *
   * @param page the page that the form is on.
   * @returns that page with the lines that were not added, and why; null if everything was added.
   * @throws AppError `NOT_FOUND` for the team.
   */
  async add(teamId: string, sent: SentNumbers, page: PageRequest): Promise<RefusedNumbers | null> {
    const [frame, { defaultCountry }] = await Promise.all([
      this.frames.of(page, teamId),
      this.teams.find(teamId),
    ]);
    const read = limitsOf(frame, sent);
    const corrections =
      typeof read === 'string'
        ? { ...sent, problem: read, added: 0, rejected: [] }
        : await this.corrected(sent, defaultCountry, (fields) =>
            this.doNotCall.add(teamId, { ...fields, ...read }, 'request'),
          );
    if (corrections === null) return null;
    const [entries, limits] = await Promise.all([this.entries(teamId, null), this.limits(teamId, page)]);
    const list = { ...limits, entries, asked: null, corrections };
    return refusedWith(sent, corrections, doNotCallPage(frame, list));
  }

  /** @param scope of the entry, as the API takes it; by default, that of the whole team. */
  remove(teamId: string, phoneNumber: string, scope: SentScope = {}): Promise<void> {
    return this.doNotCall.remove(teamId, phoneNumber, scope, 'request');
  }

  /** As {@link add}, for the platform's own list. */
  async addToPlatform(sent: SentNumbers, page: PageRequest): Promise<RefusedNumbers | null> {
    const corrections = await this.corrected(sent, null, (fields) => this.platform.add(fields));
    if (corrections === null) return null;
    const frame = await this.frames.of(page, null);
    const entries = await this.platform.list(listPage(NUMBERS_A_PAGE, null));
    return refusedWith(
      sent,
      corrections,
      doNotCallPage(frame, null, { ...NO_LIMITS, entries, asked: null, corrections }),
    );
  }

  removeFromPlatform(phoneNumber: string): Promise<void> {
    return this.platform.remove(phoneNumber);
  }

  private entries(teamId: string, cursor: string | null): Promise<DoNotCallList['entries']> {
    return this.doNotCall.list(teamId, listPage(NUMBERS_A_PAGE, cursor));
  }

  private async lookUp(teamId: string, typed: string | null): Promise<DoNotCallList['asked']> {
    if (typed === null) return null;
    const phoneNumber = numberInAddress(await this.teams.find(teamId), typed);
    if (phoneNumber === null) throw invalid('The number is not a valid phone number');
    const entry = await this.doNotCall.get(teamId, phoneNumber).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
    const history = await this.doNotCall.history(teamId, {
      limit: HISTORY,
      after: null,
      filters: { phoneNumber },
    });
    return { phoneNumber, entry, history: history.items };
  }

  /** The entries that hold only for a part or a time, and what an entry can be limited to. */
  private async limits(teamId: string, request: PageRequest): Promise<ListLimits> {
    const [limited, { items: campaigns }, { items: agents }] = await Promise.all([
      this.doNotCall.limited(teamId, listPage(NUMBERS_A_PAGE, request.parameter('limitedAfter'))),
      this.campaigns.list(teamId, listPage(MOST_CHOICES, null)),
      this.agents.list(teamId, listPage(MOST_CHOICES, null)),
    ]);
    return {
      limited,
      campaigns: campaigns.map(({ id, name }) => [id, name]),
      agents: agents.map(({ agentId, name }) => [agentId, name]),
    };
  }

  /** As {@link corrected}; a refusal by the service is the problem of the form. */
  private async corrected(...given: Parameters<typeof corrected>): Promise<Corrections | null> {
    try {
      return await corrected(...given);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
      return {
        ...given[0],
        problem: `${Object.values(fieldErrors(error.problems, LABELS)).join('. ')}.`,
        added: 0,
        rejected: [],
      };
    }
  }
}

/** The platform's own list has no entries for a part or a time. */
const NO_LIMITS: ListLimits = { limited: { items: [], nextCursor: null }, campaigns: [], agents: [] };

const isPurpose = (text: string): text is Purpose => PURPOSES.some((one) => one === text);

/** What the entries of a form are limited to, or why it cannot be told. */
function limitsOf({ zone }: Frame, sent: TypedLimits): Partial<AddToDoNotCall> | string {
  const [scope = 'team', id = null] = sent.extent.split(':');
  const until = sent.lastDay === '' ? null : dayIn(zone, sent.lastDay)?.to;
  if (until === undefined) return 'Last day must be a day, such as 2027-11-20, or empty.';
  if (sent.purpose !== '' && !isPurpose(sent.purpose)) return 'Choose one of the purposes.';
  return {
    ...(scope === 'campaign' && { scope, campaignId: id }),
    ...(scope === 'agent' && { scope, agentId: id }),
    ...(isPurpose(sent.purpose) && { purpose: sent.purpose }),
    ...(until !== null && { expiresAt: until.toISOString() }),
  };
}

/**
 * Adds the numbers of a form that can be read.
 *
 * @param add returns how many were added.
 * @returns null if everything was added.
 */
async function corrected(
  sent: SentNumbers,
  country: string | null,
  add: (fields: NumbersOfForm) => Promise<{ added: number }>,
): Promise<Corrections | null> {
  const lines = linesOf(sent);
  const problem = problemOf(lines, sent.reason);
  if (problem !== null) return { ...sent, problem, added: 0, rejected: [] };
  const read = lines.map((line) => ({ line, ...numbersOfLine(line, country) }));
  const phoneNumbers = read.flatMap((one) => (one.ok ? one.phoneNumbers : []));
  const rejected = read.flatMap((one) => (one.ok ? [] : { line: one.line, why: one.message.trim() }));
  const reason = sent.reason.trim() || null;
  const { added } = phoneNumbers.length > 0 ? await add({ phoneNumbers, reason }) : { added: 0 };
  if (rejected.length === 0) return null;
  return { ...sent, numbers: rejected.map(({ line }) => line).join('\n'), problem, added, rejected };
}

/** The page with the form again: 200 if some of its lines hold numbers. */
function refusedWith(
  sent: SentNumbers,
  { problem, rejected }: Corrections,
  page: PageElement,
): RefusedNumbers {
  return { status: problem === null && rejected.length < linesOf(sent).length ? 200 : 400, page };
}

const linesOf = ({ numbers }: SentNumbers): string[] =>
  numbers.split('\n').flatMap((line) => line.trim() || []);

/** Of a line with several numbers, all are added; of a row of a table, the first column that is a number. */
function numbersOfLine(line: string, country: string | null): OptOutNumbers {
  const all = line.split(/[,;]+/).map((part) => readOptOutNumbers(part, country, ''));
  const phoneNumbers = all.flatMap((one) => (one.ok ? one.phoneNumbers : []));
  return phoneNumbers.length > 0 ? { ok: true, phoneNumbers } : readOptOutNumbers(line, country, '');
}

/** Why the form is refused as a whole, as a sentence; null if its lines can be read. */
function problemOf(lines: string[], reason: string): string | null {
  if (lines.length === 0) return 'Give at least one phone number.';
  if (lines.length > MAX_NUMBERS)
    return `Give at most ${MAX_NUMBERS} numbers at once; longer lists can be sent to the API.`;
  return reason.length > MAX_REASON ? `The reason must be at most ${MAX_REASON} characters.` : null;
}
