import { Injectable } from '@nestjs/common';
import { DataSource, In, type Repository } from 'typeorm';
import { pageByKey } from '../lists/keyset.js';
import { pageOfPositioned, positionOf, type PositionedRow } from '../lists/newest-first.js';
import { Settlement } from '../campaigns/engine/settlement.service.js';
import { team } from '../database/team-scope.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { hasErasedForm, isErasedNumber } from '../domain/erased-number.js';
import { readOptOutNumbers } from '../domain/opt-out-numbers.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { type SuppressionSource } from '../domain/limited-entry.js';
import { invalid, notFound } from '../http/app-error.js';
import { ErasedNumbers } from '../erasure/erased-numbers.service.js';
import { idCursorOf, type Page, type PageRequest } from '../http/page.js';
import { isE164, parseNumberInQuery } from '../domain/sought-number.js';
import { numberInAddress, readTeamNumbers } from '../phone-numbers/team-number.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { addBatch, NUMBERS_A_TRANSACTION } from './add-batch.js';
import { DoNotCallJournal } from './do-not-call-journal.service.js';
import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { limitsOf, scopeOf, type SentLimits } from './entry-limits.js';
import { pageOfHistory, type SuppressionEntryRow } from './history-page.js';
import {
  type AddedToDoNotCall,
  type AddToDoNotCall,
  type DoNotCallResource,
  type LimitedDoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';
import { type EntryLimits } from './suppressing.js';
import { LIST_LIMITED, SUPPRESSION_HISTORY } from './sql/ledger.sql.js';
import { FIND_ON_DO_NOT_CALL, REMOVE_FROM_DO_NOT_CALL } from './sql/opt-out.sql.js';

const KEY = {
  property: 'phoneNumber',
  of: (row: DoNotCallEntry) => row.phoneNumber,
  isKey: (value: unknown): value is string =>
    isE164(value) || (typeof value === 'string' && hasErasedForm(value)),
} as const;

/** $1 team. */
const HONOURS_PURPOSES: Statement = {
  name: 'honours_purposes',
  text: 'SELECT do_not_call_by_purpose AS honours FROM teams WHERE id = $1',
};

/** $1 team, $2 campaign or null, $3 agent or null. */
const FIND_SCOPE: Statement = {
  name: 'find_suppression_scope',
  text: `
    SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM campaigns WHERE team_id = $1 AND id = $2) AS campaign,
      $3::uuid IS NULL OR EXISTS (SELECT FROM voice_agents WHERE team_id = $1 AND id = $3) AS agent`,
};

/** The parameters that name the scope of entries, as they were sent. */
export interface SentScope {
  scope?: unknown;
  campaignId?: unknown;
  agentId?: unknown;
}

interface LimitedRow extends LimitedDoNotCallResource, PositionedRow, Record<string, unknown> {}

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
   * An entry for a campaign ends only its enrollments, and an entry for an agent only the calls of the agent.
   *
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` where no item holds a number or a limit is
   *   malformed, `CONFLICT` where erased numbers cannot be recognized, or `SERVICE_UNAVAILABLE` where the journal
   *   cannot be written to.
   */
  async add(
    teamId: string,
    fields: AddToDoNotCall,
    source: SuppressionSource = 'operator',
  ): Promise<AddedToDoNotCall> {
    return this.addTo(await this.teams.find(teamId), fields, source);
  }

  /** {@link add} for a team that is known. */
  async addTo(
    team: TeamOfNumbers,
    { phoneNumbers, reason = null, purpose = null, ...sent }: AddToDoNotCall,
    source: SuppressionSource,
  ): Promise<AddedToDoNotCall> {
    const { id: teamId } = team;
    const limits = await this.limitsOf(teamId, { ...sent, purpose });
    const read = await readTeamNumbers(team, phoneNumbers, 'phoneNumbers', readOptOutNumbers);
    const { numbers, listed, rejected } = read;
    let added = 0;
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      const erased = this.listed(team, batch);
      await this.settlement.settleFirst(teamId, 'numbers', batch.flatMap(numbersOfPerson));
      const addition = { teamId, numbers: batch, erased, reason, source, purpose, limits };
      added += await addBatch(this.transactions, this.semaphore, addition);
      // The record is written before the next batch, which may fail. The record includes numbers that were on
      // the list already, because an earlier request may have failed before it reached the journal.
      await this.journal.added(teamId, batch, { source, purpose, limits });
    }
    return { added, listed, rejected };
  }

  /**
   * @throws AppError as {@link get}, or `SERVICE_UNAVAILABLE` where the journal cannot be written to: the
   *   number then stays listed.
   */
  async remove(
    teamId: string,
    phoneNumber: string,
    sent: SentScope = {},
    source: SuppressionSource = 'operator',
  ): Promise<void> {
    await this.removeFrom(await this.teams.find(teamId), phoneNumber, sent, source);
  }

  /** {@link remove} for a team that is known. */
  async removeFrom(
    ofTeam: TeamOfNumbers,
    phoneNumber: string,
    sent: SentScope,
    source: SuppressionSource,
  ): Promise<void> {
    const { id: teamId } = ofTeam;
    const scope = scopeOf(sent);
    const { numbers, forms } = this.named(ofTeam, phoneNumber);
    const own = this.transactions.within(team(teamId));
    const entries = [teamId, forms, scope.scope, scope.campaignId, scope.agentId];
    const listed = await own.read(query(FIND_ON_DO_NOT_CALL, ...entries));
    if (listed.length === 0) throw notFound('Phone number');
    // The journal comes first. If this write fails, the number stays listed and the request can be repeated.
    await this.journal.removed(teamId, numbers, scope);
    const removed = await own.autocommit(query(REMOVE_FROM_DO_NOT_CALL, ...entries, source));
    if (removed.length === 0) throw notFound('Phone number');
  }

  /**
   * The entries of a number in the ledger, the newest first.
   *
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` for the number or the cursor, `CONFLICT` as {@link get}.
   */
  async history(
    teamId: string,
    request: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    return this.historyOf(await this.teams.find(teamId), request);
  }

  /** {@link history} for a team that is known. */
  async historyOf(
    ofTeam: TeamOfNumbers,
    request: PageRequest<'phoneNumber'>,
  ): Promise<Page<SuppressionEntryResource>> {
    const sought = parseNumberInQuery(ofTeam.defaultCountry, request.filters.phoneNumber ?? '');
    if (!sought.ok) throw invalid(sought.message);
    const { forms } = this.named(ofTeam, sought.e164);
    const own = this.transactions.within(team(ofTeam.id));
    const after = idCursorOf(request);
    const rows = query(SUPPRESSION_HISTORY, forms, after, request.limit + 1, ofTeam.id);
    return pageOfHistory(await own.read<SuppressionEntryRow>(rows), request);
  }

  /**
   * The entries that hold only for a campaign, an agent, a purpose or a time and have not expired, the newest first.
   *
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` for the cursor of another list.
   */
  async limited(teamId: string, request: PageRequest): Promise<Page<LimitedDoNotCallResource>> {
    await this.teams.find(teamId);
    return this.limitedOf(teamId, request);
  }

  /** {@link limited} for a team that is known. */
  async limitedOf(teamId: string, request: PageRequest): Promise<Page<LimitedDoNotCallResource>> {
    const { at, key } = positionOf(request);
    const page = query(LIST_LIMITED, teamId, at, key, request.limit + 1);
    const rows = await this.transactions.within(team(teamId)).read<LimitedRow>(page);
    return pageOfPositioned(request, rows, ({ at: _, key: __, ...entry }) => entry);
  }

  /** @throws AppError `INVALID_REQUEST` naming the field that is malformed, or that names no row of the team. */
  private async limitsOf(teamId: string, sent: SentLimits): Promise<EntryLimits | undefined> {
    const own = this.transactions.within(team(teamId));
    const [setting] =
      (sent.purpose ?? null) === null
        ? []
        : await own.read<{ honours: boolean }>(query(HONOURS_PURPOSES, teamId));
    const limits = limitsOf(sent, setting?.honours === true);
    if (limits === undefined || limits.scope === 'team') return limits;
    const asked = query(FIND_SCOPE, teamId, limits.campaignId, limits.agentId);
    const [found] = await own.read<{ campaign: boolean; agent: boolean }>(asked);
    if (found?.campaign !== true) throw invalid('campaignId is not the id of a campaign of the team');
    if (!found.agent) throw invalid('agentId is not the id of an agent of the team');
    return limits;
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
