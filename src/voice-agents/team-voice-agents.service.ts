import { Injectable } from '@nestjs/common';
import {
  exactInstant,
  fitting,
  type FittingRow,
  pageOfPositioned,
  positionOf,
  type PositionedRow,
} from '../lists/newest-first.js';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type VoiceAgentResource, voiceAgentResource } from './voice-agent.dto.js';
import { type VoiceAgent } from './voice-agent.entity.js';

/** An agent as its team's list shows it: without its templates and its carrier settings. */
export interface TeamVoiceAgent extends Omit<
  VoiceAgentResource,
  'promptTemplate' | 'firstMessageTemplate' | 'carrierSettings'
> {
  /** The same as `id`. */
  agentId: string;
}

/**
 * A page of a team's agents that are not deleted. $1 team, $2 instant and $3 id after which the page begins,
 * $4 how many rows.
 */
export const LIST_VOICE_AGENTS: Statement = {
  name: 'list_voice_agents',
  text: fitting(`
      SELECT row_number() OVER (ORDER BY a.created_at DESC, a.id DESC) AS n,
        ${exactInstant('a.created_at')} AS at, a.id AS key, a.id, a.name, a.timezone, a.calling_hours AS "callingHours",
        a.closed_dates AS "closedDates", a.outbound_phone_number AS "outboundPhoneNumber",
        a.number_pool_id AS "numberPoolId", a.carrier, a.carrier_account_id AS "carrierAccountId",
        a.purpose, a.created_at AS "createdAt",
        coalesce(octet_length(a.calling_hours::text), 0) + octet_length(a.closed_dates::text) AS bytes
      FROM voice_agents a
      WHERE a.team_id = $1 AND a.deleted_at IS NULL AND (a.created_at, a.id) < ($2::timestamptz, $3::uuid)
      ORDER BY a.created_at DESC, a.id DESC
      LIMIT $4`),
};

type AgentRow = VoiceAgent & PositionedRow & FittingRow & Record<string, unknown>;

/** The voice agents of a team, for requests with the team's API key. */
@Injectable()
export class TeamVoiceAgentsService {
  constructor(private readonly transactions: Transactions) {}

  /** Lists the newest first. @throws AppError `INVALID_REQUEST` for the cursor of another list. */
  async list(teamId: string, request: PageRequest): Promise<Page<TeamVoiceAgent>> {
    const { at, key } = positionOf(request);
    const page = query(LIST_VOICE_AGENTS, teamId, at, key, request.limit + 1);
    const rows = await this.transactions.within(team(teamId)).read<AgentRow>(page);
    return pageOfPositioned(request, rows, viewOf, Number(rows[0]?.found ?? 0));
  }
}

function viewOf(row: AgentRow): TeamVoiceAgent {
  const agent = voiceAgentResource(row);
  return {
    agentId: agent.id,
    id: agent.id,
    name: agent.name,
    timezone: agent.timezone,
    callingHours: agent.callingHours,
    closedDates: agent.closedDates,
    outboundPhoneNumber: agent.outboundPhoneNumber,
    numberPoolId: agent.numberPoolId,
    carrier: agent.carrier,
    carrierAccountId: agent.carrierAccountId,
    purpose: agent.purpose,
    createdAt: agent.createdAt,
  };
}
