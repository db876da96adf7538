import { Injectable } from '@nestjs/common';
import { DataSource, In, type Repository } from 'typeorm';
import { pageByKey } from '../lists/keyset.js';
import { Settlement } from '../campaigns/engine/settlement.service.js';
import { team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { hasErasedForm, isErasedNumber } from '../domain/erased-number.js';
import { readOptOutNumbers } from '../domain/opt-out-numbers.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { notFound } from '../http/app-error.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { type Page, type PageRequest } from '../http/page.js';
import { isE164, numberInAddress, readTeamNumbers } from '../phone-numbers/team-number.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { addBatch, NUMBERS_A_TRANSACTION } from './add-batch.js';
import { DoNotCallJournal } from './do-not-call-journal.service.js';
import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { type AddedToDoNotCall, type AddToDoNotCall, type DoNotCallResource } from './number-lists.dto.js';

const KEY = {
  property: 'phoneNumber',
  of: (row: DoNotCallEntry) => row.phoneNumber,
  isKey: (value: unknown): value is string =>
    isE164(value) || (typeof value === 'string' && hasErasedForm(value)),
} as const;

/** $1 team, $2 all forms of a number. */
const FIND_ON_DO_NOT_CALL: Statement = {
  name: 'find_on_do_not_call',
  text: 'SELECT 1 FROM do_not_call WHERE team_id = $1 AND phone_number = ANY($2::text[])',
};

/** $1 team, $2 all forms of a number. */
const REMOVE_FROM_DO_NOT_CALL: Statement = {
  name: 'remove_from_do_not_call',
  text: 'DELETE FROM do_not_call WHERE team_id = $1 AND phone_number = ANY($2::text[]) RETURNING 1',
};

/** The numbers that a team never dials. */
@Injectable()
export class DoNotCallService {
  private readonly entries: Repository<DoNotCallEntry>;

  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
    private readonly teams: TeamsService,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly journal: DoNotCallJournal,
    private readonly settlement: Settlement,
  ) {
    this.entries = dataSource.getRepository(DoNotCallEntry);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<DoNotCallResource>> {
    await this.teams.find(teamId);
    return pageByKey(this.entries.createQueryBuilder('d').where({ teamId }), request, KEY, resource);
  }

  /**
   * An entry, also after its number was erased.
   *
   * @throws AppError `NOT_FOUND` for the team or the number, `CONFLICT` where erased numbers cannot be
   *   recognized.
   */
  async get(teamId: string, phoneNumber: string): Promise<DoNotCallResource> {
    const { numbers, forms } = this.named(await this.teams.find(teamId), phoneNumber);
    const entry = await this.entries.findOneBy({ teamId, phoneNumber: In(forms) });
    if (entry === null) throw notFound('Phone number');
    const number = isErasedNumber(entry.phoneNumber) ? numbers[0] : entry.phoneNumber;
    return { ...resource(entry), phoneNumber: number };
  }

  /**
   * Adds the numbers, and ends their pending calls as `blocked` and their live enrollments as `exited` in the
   * same transaction. Once this has returned, no further call to the numbers is claimed. A number that is on
   * the list already keeps its reason. Of an item that can be read as several numbers, all are added. Items that
   * hold no number are rejected, and the others are added. Very long lists are added in several transactions.
   * After a failure the request can be repeated.
   *
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` where no item holds a number, `CONFLICT` where
   *   erased numbers cannot be recognized, or `SERVICE_UNAVAILABLE` where the journal cannot be written to.
   */
  async add(teamId: string, fields: AddToDoNotCall): Promise<AddedToDoNotCall> {
    return this.addTo(await this.teams.find(teamId), fields);
  }

  /** {@link add} for a team that is known. */
  async addTo(
    team: TeamOfNumbers,
    { phoneNumbers, reason = null }: AddToDoNotCall,
  ): Promise<AddedToDoNotCall> {
    const { id: teamId } = team;
    const read = await readTeamNumbers(team, phoneNumbers, 'phoneNumbers', readOptOutNumbers);
    const { numbers, listed, rejected } = read;
    let added = 0;
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      const erased = this.listed(team, batch);
      await this.settlement.settleFirst(teamId, 'numbers', batch.flatMap(numbersOfPerson));
      added += await addBatch(this.transactions, this.semaphore, { teamId, numbers: batch, erased, reason });
      // The record is written before the next batch, which may fail. The record includes numbers that were on
      // the list already, because an earlier request may have failed before it reached the journal.
      await this.journal.note('do_not_call.added', teamId, batch);
    }
    return { added, listed, rejected };
  }

  /**
   * @throws AppError as {@link get}, or `SERVICE_UNAVAILABLE` where the journal cannot be written to: the
   *   number then stays listed.
   */
  async remove(teamId: string, phoneNumber: string): Promise<void> {
    await this.removeFrom(await this.teams.find(teamId), phoneNumber);
  }

  /** {@link remove} for a team that is known. */
  async removeFrom(ofTeam: TeamOfNumbers, phoneNumber: string): Promise<void> {
    const { id: teamId } = ofTeam;
    const { numbers, forms } = this.named(ofTeam, phoneNumber);
    const own = this.transactions.within(team(teamId));
    const listed = await own.read(query(FIND_ON_DO_NOT_CALL, teamId, forms));
    if (listed.length === 0) throw notFound('Phone number');
    // The journal comes first. If this write fails, the number stays listed and the request can be repeated.
    await this.journal.note('do_not_call.removed', teamId, numbers);
    const removed = await own.autocommit(query(REMOVE_FROM_DO_NOT_CALL, teamId, forms));
    if (removed.length === 0) throw notFound('Phone number');
  }

  /**
   * The numbers of the person that a path names, first the one in the path, and all forms in which they may be
   * stored. The path may also name an erased number from the list.
   */
  private named(team: TeamOfNumbers, text: string): { numbers: [string, ...string[]]; forms: string[] } {
    if (hasErasedForm(text)) return { numbers: [text], forms: [text] };
    const number = numberInAddress(team, text);
    if (number === null) throw notFound('Phone number');
    const others = numbersOfPerson(number).filter((other) => other !== number);
    return { numbers: [number, ...others], forms: this.erasedNumbers.formsOf(team, number) };
  }

  /**
   * For each number, the erased form under which it may be on the list already; null if it cannot be there.
   */
  private listed(team: TeamOfNumbers, numbers: string[]): (string | null)[] {
    return numbers.map((number) => this.erasedNumbers.formsOf(team, number).find(isErasedNumber) ?? null);
  }
}

function resource({ phoneNumber, reason, createdAt }: DoNotCallEntry): DoNotCallResource {
  return { phoneNumber, reason, createdAt: createdAt.toISOString() };
}
