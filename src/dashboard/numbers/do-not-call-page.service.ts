import { Injectable } from '@nestjs/common';
import { DoNotCallService } from '../../suppression/do-not-call.service.js';
import { PlatformDoNotCall } from '../../suppression/platform-do-not-call.service.js';
import { type OptOutNumbers, readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { AppError, invalid } from '../../http/app-error.js';
import { numberInAddress } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Corrections, type DoNotCallList, doNotCallPage } from './do-not-call.view.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, type Frame, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';

const NUMBERS_A_PAGE = 50;
const MAX_REASON = 500;
/** The most numbers of one form; longer lists are sent to the API. */
const MAX_NUMBERS = 1_000;

/** The fields of the form. */
interface SentNumbers {
  numbers: string;
  reason: string;
}

/** What a form adds. */
interface NumbersOfForm {
  phoneNumbers: string[];
  reason: string | null;
}

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
  ) {}

  /** The page; without the list if the address is refused. */
  async page(request: PageRequest): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const [frame, lists] = await readOrRefuse(read, null, async () => ({
      team: await this.listOf(read, request),
      platform: await this.platformList(read, request),
    }));
    return answerOf(frame, doNotCallPage(frame, lists?.team ?? null, lists?.platform));
  }

  /** The platform's own list; null on the pages of a team. */
  private async platformList({ scope, team }: Frame, request: PageRequest): Promise<DoNotCallList | null> {
    if (scope === 'team' || team !== null) return null;
    const entries = await this.platform.list(listPage(NUMBERS_A_PAGE, request.parameter('cursor')));
    return { entries, asked: null, corrections: null };
  }

  private async listOf({ team }: Frame, request: PageRequest): Promise<DoNotCallList | null> {
    if (team === null) return null;
    const [entries, asked] = await Promise.all([
      this.entries(team.id, request.parameter('cursor')),
      this.lookUp(team.id, request.phoneNumber),
    ]);
    return { entries, asked, corrections: null };
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
    const { defaultCountry } = await this.teams.find(teamId);
    const add = (fields: NumbersOfForm) => this.doNotCall.add(teamId, fields, 'request');
    const corrections = await corrected(sent, defaultCountry, add);
    if (corrections === null) return null;
    const [frame, entries] = await Promise.all([this.frames.of(page, teamId), this.entries(teamId, null)]);
    return refusedWith(sent, corrections, doNotCallPage(frame, { entries, asked: null, corrections }));
  }

  remove(teamId: string, phoneNumber: string): Promise<void> {
    return this.doNotCall.remove(teamId, phoneNumber, {}, 'request');
  }

  /** As {@link add}, for the platform's own list. */
  async addToPlatform(sent: SentNumbers, page: PageRequest): Promise<RefusedNumbers | null> {
    const corrections = await corrected(sent, null, (fields) => this.platform.add(fields));
    if (corrections === null) return null;
    const frame = await this.frames.of(page, null);
    const entries = await this.platform.list(listPage(NUMBERS_A_PAGE, null));
    return refusedWith(sent, corrections, doNotCallPage(frame, null, { entries, asked: null, corrections }));
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
    return { phoneNumber, entry };
  }
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
