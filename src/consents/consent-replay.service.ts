import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isErasedNumber } from '../domain/erased-number.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';

const NUMBERS_A_PAGE = 5_000;

/** $1 team, $2 the number to begin after, $3 how many. */
const NUMBERS_OF_CONSENTS = `
  SELECT DISTINCT c.phone_number AS number FROM consents c
  WHERE c.team_id = $1 AND c.phone_number > $2 ORDER BY 1 LIMIT $3`;

/** $1 team, $2 numbers, $3 the instant of each. */
const END_UP_TO = `
  INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
  SELECT $1, q.number, q.at, outdial_now() FROM unnest($2::text[], $3::timestamptz[]) AS q (number, at)
  WHERE NOT EXISTS (
    SELECT FROM consent_endings e
    WHERE e.team_id = $1 AND e.phone_number = q.number AND e.consent_id IS NULL AND e.ended_at >= q.at)`;

/** $1 team, $2 consent, $3 instant. */
const REVOKE_AGAIN = `
  INSERT INTO consent_endings (team_id, phone_number, consent_id, ended_at, created_at)
  SELECT c.team_id, c.phone_number, c.id, greatest($3::timestamptz, c.granted_at), outdial_now() FROM consents c
  WHERE c.team_id = $1 AND c.id = $2
    AND NOT EXISTS (
      SELECT FROM consent_endings e
      WHERE e.team_id = c.team_id AND e.consent_id = c.id AND e.ended_at <= $3::timestamptz)`;

/** A revocation in the journal. */
export interface ReplayedRevocation {
  teamId: string;
  consentId: string;
  /** ISO 8601 in UTC. */
  endedAt: string;
}

/** Ends consents of a restored database that the journal says have ended. */
@Injectable()
export class ConsentReplay {
  constructor(
    private readonly dataSource: DataSource,
    private readonly erasedNumbers: ErasedNumbers,
  ) {}

  /**
   * Ends the consents that were given before an opt-out, also if the number was removed from the Do Not Call list
   * later. The journal names numbers by their erased forms, under which the end of a number without a consent stays.
   *
   * @param optOuts the instant of the latest opt-out of each erased form.
   * @throws AppError `CONFLICT` where numbers of this database were erased under another key.
   */
  async endConsents(teamId: string, optOuts: ReadonlyMap<string, Date>): Promise<void> {
    const teams = await this.dataSource.query<unknown[]>('SELECT FROM teams WHERE id = $1', [teamId]);
    // The team was created after the backup.
    if (teams.length === 0 || optOuts.size === 0) return;
    await this.dataSource.transaction((manager) => this.erasedNumbers.noteForms(manager, teamId));
    const ends = new Map(optOuts);
    for (let after = ''; ;) {
      const rows = await this.dataSource.query<{ number: string }[]>(NUMBERS_OF_CONSENTS, [
        teamId,
        after,
        NUMBERS_A_PAGE,
      ]);
      for (const { number } of rows) {
        const at = latest(this.formsOf(teamId, number).flatMap((form) => optOuts.get(form) ?? []));
        if (at !== null) ends.set(number, at);
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.number;
    }
    const numbers = [...ends.keys()];
    for (let start = 0; start < numbers.length; start += NUMBERS_A_PAGE) {
      const page = numbers.slice(start, start + NUMBERS_A_PAGE);
      await this.dataSource.query(END_UP_TO, [teamId, page, page.map((number) => ends.get(number))]);
    }
  }

  /** Revokes consents again. One that was recorded after the backup is lost. */
  async revoke(revocations: readonly ReplayedRevocation[]): Promise<void> {
    for (const { teamId, consentId, endedAt } of revocations)
      await this.dataSource.query(REVOKE_AGAIN, [teamId, consentId, endedAt]);
  }

  private formsOf(teamId: string, number: string): string[] {
    if (isErasedNumber(number)) return [number];
    return numbersOfPerson(number).map((each) => this.erasedNumbers.formOf(teamId, each));
  }
}

function latest(instants: readonly Date[]): Date | null {
  return instants.length === 0 ? null : new Date(Math.max(...instants.map((at) => at.getTime())));
}
