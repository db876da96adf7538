import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConsentsService } from '../../consents/consents.service.js';
import { CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { readSoughtNumber } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { listPage } from '../frame/list-page.js';
import {
  ENROLLMENTS_OF_NUMBER,
  type EnrollmentOfNumberRow,
} from '../enrollments/enrollments-of-number.sql.js';
import { type NumberHistory, numberPage, type NumberRow } from './number.view.js';
import { answerOf, type Frame, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';

const CALLS_A_PAGE = 50;
const MOST_CONSENTS = 10;

const NUMBER = `
  SELECT c.id AS contact_id, c.name AS contact, c.timezone, d.created_at AS listed_at, d.reason AS listed_because,
    w.phone_number IS NOT NULL AS whitelisted, t.whitelist_only
  FROM teams t
  LEFT JOIN contacts c ON c.team_id = t.id AND c.phone_number = $2
  LEFT JOIN do_not_call d ON d.team_id = t.id AND d.phone_number = ANY($3)
  LEFT JOIN whitelist w ON w.team_id = t.id AND w.phone_number = $2
  WHERE t.id = $1`;

/** One number's whole history with one team. */
@Injectable()
export class NumberPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly calls: CallsAdminService,
    private readonly teams: TeamsService,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly consents: ConsentsService,
  ) {}

  /** The page; without a history if the address is refused. */
  async page(request: PageRequest): Promise<PageElement | RefusedPage> {
    const read = await this.frames.tolerant(request);
    const [frame, history] = await readOrRefuse(read, null, () => this.historyOf(read, request));
    return answerOf(frame, numberPage(frame, history));
  }

  private async historyOf({ team: chosen }: Frame, request: PageRequest): Promise<NumberHistory | null> {
    const typed = request.phoneNumber;
    if (chosen === null || typed === null) return null;
    const team = await this.teams.find(chosen.id);
    const phoneNumber = readSoughtNumber(team, typed, 'The number');
    const forms = this.erasedNumbers.formsOf(team, phoneNumber);
    const [history, consents] = await Promise.all([
      this.history(team.id, phoneNumber, forms, request.parameter('cursor')),
      this.consents.list(team, listPage(MOST_CONSENTS, null, { phoneNumber })),
    ]);
    return { ...history, consents };
  }

  /**
   * @param forms in which the number may be on the Do Not Call list. Erased calls of the number are not
   *   shown.
   */
  private async history(
    teamId: string,
    phoneNumber: string,
    forms: string[],
    cursor: string | null,
  ): Promise<Omit<NumberHistory, 'consents'>> {
    const [numbers, enrollments, calls] = await Promise.all([
      this.dataSource.query<NumberRow[]>(NUMBER, [teamId, phoneNumber, forms]),
      this.dataSource.query<EnrollmentOfNumberRow[]>(ENROLLMENTS_OF_NUMBER, [teamId, phoneNumber]),
      this.calls.listWithDecisions(teamId, listPage(CALLS_A_PAGE, cursor, { phoneNumber })),
    ]);
    const ids = [...new Set(calls.items.map(({ agentId }) => agentId))];
    const agents = await this.dataSource.query<{ id: string; name: string }[]>(
      'SELECT id, name FROM voice_agents WHERE team_id = $1 AND id = ANY($2)',
      [teamId, ids],
    );
    const about = numbers[0] as NumberRow;
    return {
      phoneNumber,
      about,
      enrollments,
      calls,
      agents: new Map(agents.map(({ id, name }) => [id, name])),
    };
  }
}
