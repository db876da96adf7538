import { Injectable } from '@nestjs/common';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { hasErasedForm } from '../domain/erased-number.js';
import { parseStoredNumber } from '../domain/phone-number.js';
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

const E164 = /^\+[1-9]\d{6,14}$/;

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
    // A plus that a client did not escape arrives as a space.
    const spelled = text.replace(/^ (?=\d)/, '+');
    if (hasErasedForm(spelled)) return { ok: true, number: spelled, erased: true, team: own };
    const parsed = parseStoredNumber(spelled, own.defaultCountry, field);
    if (parsed.ok) return { ok: true, number: parsed.e164, erased: false, team: own };
    return E164.test(spelled) ? { ok: true, number: spelled, erased: false, team: own } : parsed;
  }
}
