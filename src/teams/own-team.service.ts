import { Injectable } from '@nestjs/common';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { parseNumberInQuery } from '../domain/sought-number.js';
import { type TeamSettingValues } from '../domain/team-settings.js';

/** The settings of a team by which the numbers in its requests are read. */
export interface TeamOfNumbers extends Pick<TeamSettingValues, 'defaultCountry' | 'acceptUnknownRanges'> {
  id: string;
  hasErasedNumbers: boolean;
}

/** A number that a request names. `erased`: the number is an erased number, as lists show it. */
export type StoredNumber =
  { ok: true; number: string; erased: boolean; team: TeamOfNumbers } | { ok: false; message: string };

/** $1 team. */
const TEAM_OF_NUMBERS: Statement = {
  name: 'team_of_numbers',
  text: `
    SELECT id, default_country AS "defaultCountry", accept_unknown_ranges AS "acceptUnknownRanges",
      has_erased_numbers AS "hasErasedNumbers"
    FROM teams WHERE id = $1`,
};

/** Reads the team of a request's key. The statements see only the rows of that team. */
@Injectable()
export class OwnTeamService {
  constructor(private readonly transactions: Transactions) {}

  /** @param teamId of a key that was just looked up. */
  async find(teamId: string): Promise<TeamOfNumbers> {
    const own = this.transactions.within(team(teamId));
    const [row] = await own.read<TeamOfNumbers & Record<string, unknown>>(query(TEAM_OF_NUMBERS, teamId));
    if (row === undefined) throw new Error('The team of the key is gone');
    return row;
  }

  /**
   * The number that a filter names, in any spelling. A stored number may have left the numbering plans, so a
   * text in E.164 is accepted as it is.
   */
  async storedNumber(teamId: string, text: string, field = 'phoneNumber'): Promise<StoredNumber> {
    const own = await this.find(teamId);
    const sought = parseNumberInQuery(own.defaultCountry, text, field);
    return sought.ok ? { ok: true, number: sought.e164, erased: sought.erased, team: own } : sought;
  }
}
