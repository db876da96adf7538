import { Injectable } from '@nestjs/common';
import { exactInstant, pageOfPositioned, positionOf, type PositionedRow } from '../lists/newest-first.js';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { hasErasedForm } from '../domain/erased-number.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isE164 } from '../domain/sought-number.js';
import { OwnTeamService } from '../teams/own-team.service.js';
import { DoNotCallService, type SentScope } from './do-not-call.service.js';
import {
  type AddedToDoNotCall,
  type AddToDoNotCall,
  type DoNotCallResource,
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';

/** Reads the index of the team's list. $1 team, $2 instant and $3 number to begin after, $4 how many. */
export const LIST_DO_NOT_CALL: Statement = {
  name: 'list_do_not_call',
  text: `
    SELECT ${exactInstant('d.created_at')} AS at, d.phone_number AS key, d.reason, d.created_at AS "createdAt"
    FROM do_not_call d
    WHERE d.team_id = $1 AND (d.created_at, d.phone_number) < ($2::timestamptz, $3)
    ORDER BY d.created_at DESC, d.phone_number DESC
    LIMIT $4`,
};

const FROM_START = { at: 'infinity', key: '' };

const isNumber = (value: unknown): value is string =>
  isE164(value) || (typeof value === 'string' && hasErasedForm(value));

interface ListedNumberRow extends PositionedRow, Record<string, unknown> {
  reason: string | null;
  createdAt: Date;
}

/**
 * Reads and changes the Do Not Call list of a team, for requests with the team's API key. The rules are those
 * of the operator's requests.
 */
@Injectable()
export class TeamDoNotCallService {
  constructor(
    private readonly transactions: Transactions,
    private readonly ownTeam: OwnTeamService,
    private readonly entries: DoNotCallService,
  ) {}

  /** The newest first. @throws AppError `INVALID_REQUEST` for the cursor of another list. */
  async list(teamId: string, request: PageRequest): Promise<Page<DoNotCallResource>> {
    const { at, key } = positionOf(request, isNumber, FROM_START);
    const page = query(LIST_DO_NOT_CALL, teamId, at, key, request.limit + 1);
    const rows = await this.transactions.within(team(teamId)).read<ListedNumberRow>(page);
    return pageOfPositioned(request, rows, ({ key: phoneNumber, reason, createdAt }) => ({
      phoneNumber,
      reason,
      createdAt: createdAt.toISOString(),
    }));
  }

  /** @throws AppError as {@link DoNotCallService.add}. */
  async add(teamId: string, fields: AddToDoNotCall): Promise<AddedToDoNotCall> {
    return this.entries.addTo(await this.ownTeam.find(teamId), fields, 'request');
  }

  /** @throws AppError as {@link DoNotCallService.remove}. */
  async remove(teamId: string, phoneNumber: string, scope: SentScope): Promise<void> {
    return this.entries.removeFrom(await this.ownTeam.find(teamId), phoneNumber, scope, 'request');
  }

  /** @throws AppError as {@link DoNotCallService.history}. */
  async history(
    teamId: string,
    request: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    return this.entries.historyOf(await this.ownTeam.find(teamId), request);
  }

  /** @throws AppError as {@link DoNotCallService.limited}. */
  limited(teamId: string, request: PageRequest): Promise<Page<LimitedDoNotCallResource>> {
    return this.entries.limitedOf(teamId, request);
  }
}
