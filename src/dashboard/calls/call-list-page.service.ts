import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type OperatorCallFilters,
  OperatorCallList,
  type OperatorCallRow,
} from '../../calls/records/operator-list.service.js';
import { invalid, joinProblems, problemOf } from '../../http/app-error.js';
import { type PageReader } from '../../http/export.js';
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
import { type PageRequest, refusalText } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { type Frame, PageFrame } from '../frame/page-frame.service.js';

const CALLS_A_PAGE = 50;

/** A call in the file of a list. Instants are ISO 8601 in UTC. */
export interface DownloadedCall {
  callRequestId: string;
  team: string;
  phoneNumber: string;
  contact: string | null;
  status: string;
  reason: string | null;
  acceptedAt: string;
  runsAt: string;
  endedAt: string | null;
  agent: string;
  campaign: string | null;
}

/** The columns of the file, in their order. */
export const DOWNLOAD_COLUMNS = [
  'callRequestId',
  'team',
  'phoneNumber',
  'contact',
  'status',
  'reason',
  'acceptedAt',
  'runsAt',
  'endedAt',
  'agent',
  'campaign',
] satisfies (keyof DownloadedCall)[];

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
    const { frame, sent, chosen, filters, problem: refused } = await this.asked(request);
    let calls: ShownCalls['calls'] = null;
    let problem = refused;
    try {
      const page = listPage(CALLS_A_PAGE, request.parameter('cursor'));
      if (filters !== null) calls = await this.calls.list(filters, page);
    } catch (error) {
      problem = joined([problem ?? undefined, refusalText(error)]);
    }
    const choices = await this.choicesOf(frame, chosen);
    return {
      status: problem === null ? 200 : 400,
      page: callListPage(frame, { sent, choices, calls, problem }),
    };
  }

  /** Reads the pages of the same list for a file. @throws AppError `INVALID_REQUEST` naming what is refused. */
  async download(request: PageRequest): Promise<PageReader<DownloadedCall>> {
    const { filters, problem } = await this.asked(request);
    if (filters === null) throw invalid(problem ?? '');
    return async (part) => {
      const { items, nextCursor } = await this.calls.list(filters, part);
      return { items: items.map(downloaded), nextCursor };
    };
  }

  /** What the address asks for; without `filters`, `problem` says what is refused. */
  private async asked(request: PageRequest): Promise<AskedCalls> {
    const sent = sentFilters(request);
    const chosen = {
      agent: await this.named(AGENT_NAMED, request.teamId, sent.agentId),
      campaign: await this.named(CAMPAIGN_NAMED, request.teamId, sent.campaignId),
    };
    const teamOfChosen = chosen.agent?.team_id ?? chosen.campaign?.team_id ?? null;
    const teamId = request.parameter('teamId') ?? teamOfChosen;
    const { problem: fault, ...frameOnly } = await this.frames.tolerant(request, teamId, {
      anyTeam: true,
    });
    const frame = { ...frameOnly, problem: null };
    const faults = [fault ?? undefined, ...faultsOfNames(frame, sent, chosen)];
    let filters: OperatorCallFilters | null = null;
    try {
      const country = frame.team && (await this.teams.find(frame.team.id)).defaultCountry;
      filters = readCallFilters(frame, sent, country);
    } catch (error) {
      faults.push(refusalText(error));
    }
    const problem = joined(faults);
    return { frame, sent, chosen, filters: problem === null ? filters : null, problem };
  }

  private async named(
    statement: string,
    teamId: string | null,
    id: string | undefined,
  ): Promise<NamedRow | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await this.dataSource.query<NamedRow[]>(statement, [id, teamId]);
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

/** A list as the address asks for it. */
interface AskedCalls {
  frame: Frame;
  sent: SentCallFilters;
  chosen: Chosen;
  filters: OperatorCallFilters | null;
  problem: string | null;
}

function joined(faults: readonly (string | undefined)[]): string | null {
  const problems = faults.flatMap((fault) => (fault === undefined ? [] : [problemOf(fault)]));
  return problems.length === 0 ? null : joinProblems(problems);
}

function downloaded(row: OperatorCallRow): DownloadedCall {
  return {
    callRequestId: row.id,
    team: row.team,
    phoneNumber: row.phone_number,
    contact: row.contact,
    status: row.status,
    reason: row.reason,
    acceptedAt: row.accepted_at.toISOString(),
    runsAt: row.runs_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    agent: row.agent,
    campaign: row.campaign,
  };
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
