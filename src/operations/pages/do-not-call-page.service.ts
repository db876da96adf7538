import { Injectable } from '@nestjs/common';
import { DoNotCallService } from '../../do-not-call/do-not-call.service.js';
import { AppError, invalid } from '../../http/app-error.js';
import { parsePageRequest } from '../../http/page.js';
import { readTeamNumber } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type DoNotCallList, doNotCallPage } from './do-not-call.view.js';
import { type PageRequest } from './form.js';
import { type PageElement } from './render.js';
import { PageFrame } from './page-frame.service.js';

const NUMBERS_A_PAGE = 50;
const MAX_REASON = 500;
/** Of one form; longer lists go through the API. */
const MAX_NUMBERS = 1_000;

/** Looking numbers up on a team's Do Not Call list, adding and removing them. */
@Injectable()
export class DoNotCallPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly doNotCall: DoNotCallService,
  ) {}

  /** @throws AppError `NOT_FOUND` for the team, or `INVALID_REQUEST` for the number. */
  async page(request: PageRequest): Promise<PageElement> {
    const frame = await this.frames.of(request);
    if (frame.team === null) return doNotCallPage(frame, null);
    const cursor = request.parameter('cursor');
    const [entries, lookedUp] = await Promise.all([
      this.entries(frame.team.id, cursor),
      this.lookUp(frame.team.id, request.phoneNumber),
    ]);
    return doNotCallPage(frame, { entries, asked: lookedUp, corrections: null });
  }

  /**
   * Adds the numbers, one a line.
   *
   * @param page the page that the form is on.
   * @returns that page with the lines that are no numbers, to correct them; null where all lines are numbers.
   * @throws AppError naming what is wrong, where no line is a number.
   */
  async add(
    teamId: string,
    { numbers, reason }: { numbers: string; reason: string },
    page: PageRequest,
  ): Promise<PageElement | null> {
    const phoneNumbers = numbers.split(/[\n,;]+/).flatMap((line) => line.trim() || []);
    if (phoneNumbers.length === 0) throw invalid('Give at least one phone number');
    if (phoneNumbers.length > MAX_NUMBERS)
      throw invalid(`Give at most ${MAX_NUMBERS} numbers at once; longer lists can be sent to the API`);
    if (reason.length > MAX_REASON) throw invalid(`The reason must be at most ${MAX_REASON} characters`);
    const { added, rejected } = await this.doNotCall.add(teamId, {
      phoneNumbers,
      reason: reason.trim() || null,
    });
    if (rejected.length === 0) return null;
    const [frame, entries] = await Promise.all([this.frames.of(page, teamId), this.entries(teamId, null)]);
    return doNotCallPage(frame, { entries, asked: null, corrections: { added, rejected, reason } });
  }

  remove(teamId: string, phoneNumber: string): Promise<void> {
    return this.doNotCall.remove(teamId, phoneNumber);
  }

  private entries(teamId: string, cursor: string | null): Promise<DoNotCallList['entries']> {
    const page = { limit: String(NUMBERS_A_PAGE), ...(cursor !== null && { cursor }) };
    return this.doNotCall.list(teamId, parsePageRequest(page, []));
  }

  private async lookUp(teamId: string, typed: string | null): Promise<DoNotCallList['asked']> {
    if (typed === null) return null;
    const phoneNumber = readTeamNumber(await this.teams.find(teamId), typed, 'The number');
    const entry = await this.doNotCall.get(teamId, phoneNumber).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
    return { phoneNumber, entry };
  }
}
