import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OperatorCallList } from '../../calls/records/operator-list.service.js';
import { joinProblems, problemOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { isUuid } from '../../http/validators.js';
import { TeamsService } from '../../teams/teams.service.js';
import { readCallFilters, sentFilters, type SentCallFilters } from './call-filters.js';
import {
  AGENT_NAMED,
  AGENTS_OF_TEAM,
  CAMPAIGN_NAMED,
  CAMPAIGNS_OF_TEAM,
  type NamedRow,
} from './call-list-page.sql.js';
import { type CallChoices, callListPage, type ShownCalls } from './call-list.view.js';
import { type PageRequest, refusalText } from './form.js';
import { listPage } from './list-page.js';
import { type Frame, PageFrame } from './page-frame.service.js';

const CALLS_A_PAGE = 50;

/** The page; `status` is 400 if a filter is refused. */
export interface AnsweredList {
  status: 200 | 400;
  page: PageElement;
}

/** Calls of one team or of all teams, by filters in the address. */
@Injectable()
export class CallListPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly calls: OperatorCallList,
  ) {}

  /** The list. If a filter is refused, the page names it. */
  async page(request: PageRequest): Promise<AnsweredList> {
    const sent = sentFilters(request);
    const chosen = {
      agent: await this.named(AGENT_NAMED, sent.agentId),
      campaign: await this.named(CAMPAIGN_NAMED, sent.campaignId),
    };
    const teamOfChosen = chosen.agent?.team_id ?? chosen.campaign?.team_id ?? null;
    const teamId = request.parameter('teamId') ?? teamOfChosen;
    const { problem: fault, ...frameOnly } = await this.frames.tolerant(request, teamId, {
      anyTeam: true,
    });
    const frame = { ...frameOnly, problem: null };
    const faults = [fault ?? undefined, ...faultsOfNames(frame, sent, chosen)];
    const { calls, problem } = await this.read(frame, request, sent, faults);
    const choices = await this.choicesOf(frame, chosen);
    return {
      status: problem === null ? 200 : 400,
      page: callListPage(frame, { sent, choices, calls, problem }),
    };
  }

  private async read(
    frame: Frame,
    request: PageRequest,
    sent: SentCallFilters,
    before: (string | undefined)[],
  ): Promise<Pick<ShownCalls, 'calls' | 'problem'>> {
    const faults = [...before];
    try {
      const country = frame.team && (await this.teams.find(frame.team.id)).defaultCountry;
      const filters = readCallFilters(frame, sent, country);
      const page = listPage(CALLS_A_PAGE, request.parameter('cursor'));
      if (faults.every((fault) => fault === undefined))
        return { calls: await this.calls.list(filters, page), problem: null };
    } catch (error) {
      faults.push(refusalText(error));
    }
    const problems = faults.flatMap((fault) => (fault === undefined ? [] : [problemOf(fault)]));
    return { calls: null, problem: joinProblems(problems) };
  }

  private async named(statement: string, id: string | undefined): Promise<NamedRow | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await this.dataSource.query<NamedRow[]>(statement, [id]);
    return row;
  }

  /** The choices of the form: agents and campaigns are offered once the team is chosen. */
  private async choicesOf({ team }: Frame, { agent, campaign }: Chosen): Promise<CallChoices> {
    if (team === null) return { agents: [], campaigns: [] };
    const [agents, campaigns] = await Promise.all(
      [AGENTS_OF_TEAM, CAMPAIGNS_OF_TEAM].map((text) =>
        this.dataSource.query<NamedRow[]>(text, [team.id]),
      ) as [Promise<NamedRow[]>, Promise<NamedRow[]>],
    );
    return {
      agents: withChosen(agents, team.id, agent),
      campaigns: withChosen(campaigns, team.id, campaign),
    };
  }
}

/** The agent and the campaign that the address names, where they exist. */
interface Chosen {
  agent: NamedRow | undefined;
  campaign: NamedRow | undefined;
}

/**
 * The faults of an agent or a campaign that does not exist or is of another team. Malformed ids are refused
 * with the other filters.
 */
function faultsOfNames({ team }: Frame, sent: SentCallFilters, { agent, campaign }: Chosen): string[] {
  const isOther = (id: string | undefined, row: NamedRow | undefined) =>
    isUuid(id) && (row === undefined || (team !== null && row.team_id !== team.id));
  return [
    ...(isOther(sent.agentId, agent) ? ['agentId must be the id of a voice agent of the team'] : []),
    ...(isOther(sent.campaignId, campaign) ? ['campaignId must be the id of a campaign of the team'] : []),
  ];
}

function withChosen(rows: NamedRow[], teamId: string, chosen: NamedRow | undefined): NamedRow[] {
  if (chosen === undefined || chosen.team_id !== teamId) return rows;
  return rows.some(({ id }) => id === chosen.id) ? rows : [chosen, ...rows];
}
