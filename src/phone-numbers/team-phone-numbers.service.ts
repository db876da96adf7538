import { Injectable } from '@nestjs/common';
import { exactInstant, pageOfPositioned, positionOf, type PositionedRow } from '../lists/newest-first.js';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type PhoneNumberResource, phoneNumberResource } from './phone-number.dto.js';
import { type PhoneNumber } from './phone-number.entity.js';

/**
 * A page of a team's phone numbers. $1 team, $2 instant and $3 id after which the page begins, $4 how many
 * rows.
 */
export const LIST_PHONE_NUMBERS: Statement = {
  name: 'list_phone_numbers',
  text: `
    SELECT ${exactInstant('n.created_at')} AS at, n.id AS key, n.id, n.phone_number AS "phoneNumber", n.active,
      n.outbound_enabled AS "outboundEnabled", n.created_at AS "createdAt"
    FROM phone_numbers n
    WHERE n.team_id = $1 AND (n.created_at, n.id) < ($2::timestamptz, $3::uuid)
    ORDER BY n.created_at DESC, n.id DESC
    LIMIT $4`,
};

/** The phone numbers of a team, for requests with the team's API key. */
@Injectable()
export class TeamPhoneNumbersService {
  constructor(private readonly transactions: Transactions) {}

  /** Lists the newest first. @throws AppError `INVALID_REQUEST` for the cursor of another list. */
  async list(teamId: string, request: PageRequest): Promise<Page<PhoneNumberResource>> {
    const { at, key } = positionOf(request);
    const page = query(LIST_PHONE_NUMBERS, teamId, at, key, request.limit + 1);
    const own = this.transactions.within(team(teamId));
    const rows = await own.read<PhoneNumber & PositionedRow & Record<string, unknown>>(page);
    return pageOfPositioned(request, rows, phoneNumberResource);
  }
}
