import { Injectable } from '@nestjs/common';
import { AppError, invalid, type Problem, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { type Added, AddToWhitelist } from '../../suppression/number-lists.dto.js';
import { WhitelistService } from '../../suppression/whitelist.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { type RefusedNumbers } from './do-not-call-page.service.js';
import { type LookedUpOnWhitelist, type WhitelistCorrections, whitelistPage } from './whitelist.view.js';

const NUMBERS_A_PAGE = 50;
/** The item that a message of the service names, such as `phoneNumbers[3] must not be empty`. */
const ITEM = /^phoneNumbers\[(\d+)\] /;

/** The only numbers that a whitelist-only team calls. */
@Injectable()
export class WhitelistPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly whitelist: WhitelistService,
  ) {}

  /** @throws AppError `NOT_FOUND`. */
  async page(request: PageRequest, teamId: string): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const [{ whitelistOnly }, [frame, list]] = await Promise.all([
      this.teams.find(teamId),
      readOrRefuse(read, null, async () => ({
        entries: await this.whitelist.list(teamId, listPage(NUMBERS_A_PAGE, request.parameter('cursor'))),
        asked: await this.lookUp(teamId, request.phoneNumber),
      })),
    ]);
    const { entries = null, asked = null } = list ?? {};
    return answerOf(frame, whitelistPage(frame, { whitelistOnly, entries, asked, corrections: null }));
  }

  /**
   * Adds numbers, one a line.
   *
   * @returns the page with the lines that were not added, and why; null if everything was added.
   * @throws AppError `NOT_FOUND`.
   */
  async add(request: PageRequest, teamId: string, typed: string): Promise<RefusedNumbers | null> {
    const lines = typed.split('\n').flatMap((line) => line.trim() || []);
    const corrections = await this.corrected(teamId, typed, lines);
    if (corrections === null) return null;
    const [frame, { whitelistOnly }, entries] = await Promise.all([
      this.frames.of(request),
      this.teams.find(teamId),
      this.whitelist.list(teamId, listPage(NUMBERS_A_PAGE, null)),
    ]);
    const isAdded = corrections.problem === null && corrections.rejected.length < lines.length;
    const page = whitelistPage(frame, { whitelistOnly, entries, asked: null, corrections });
    return { status: isAdded ? 200 : 400, page };
  }

  /** @throws AppError `NOT_FOUND` for the team or the number. */
  remove(teamId: string, phoneNumber: string): Promise<void> {
    return this.whitelist.remove(teamId, phoneNumber);
  }

  private async corrected(
    teamId: string,
    typed: string,
    lines: readonly string[],
  ): Promise<WhitelistCorrections | null> {
    const refused = (problem: string) => ({ numbers: typed, problem, added: 0, rejected: [] });
    if (lines.length === 0) return refused('Give at least one phone number.');
    const read = validateBody(AddToWhitelist, { phoneNumbers: [...lines] });
    if (!read.ok) return refused(`${problemsOf(read)[0]?.message.replace(/^\w+/, 'The form')}.`);
    const { added, problems } = await this.added(teamId, read.value);
    const rejected = problems.map((message) => ({
      line: lines[Number(ITEM.exec(message)?.[1])] ?? '',
      why: message.replace(ITEM, ''),
    }));
    if (rejected.length === 0) return null;
    return { numbers: rejected.map(({ line }) => line).join('\n'), problem: null, added, rejected };
  }

  /** The service refuses a list of which no item is a number. */
  private async added(
    teamId: string,
    fields: AddToWhitelist,
  ): Promise<Pick<Added, 'added'> & { problems: string[] }> {
    try {
      const { added, rejected } = await this.whitelist.add(teamId, fields);
      return { added, problems: rejected.map(({ error }) => error) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
      return { added: 0, problems: error.problems.map(({ message }: Problem) => message) };
    }
  }

  private async lookUp(teamId: string, typed: string | null): Promise<LookedUpOnWhitelist | null> {
    if (typed === null) return null;
    try {
      return { phoneNumber: typed, entry: await this.whitelist.get(teamId, typed) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      if (!/\d/.test(typed)) throw invalid('The number is not a valid phone number');
      return { phoneNumber: typed, entry: null };
    }
  }
}
