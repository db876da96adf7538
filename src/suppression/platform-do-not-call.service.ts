import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type Repository } from 'typeorm';
import { Settlement } from '../campaigns/engine/settlement.service.js';
import { KeyedSemaphore } from '../database/keyed-semaphore.js';
import { limitLockWaits, LOCK_TEAM_SHARED } from '../database/team-scope.js';
import { type Query, query } from '../database/transactions.js';
import { LOCK_NUMBERS, LOCK_PLATFORM_NUMBERS } from '../dialing/facts/locks.sql.js';
import { readOptOutNumbers } from '../domain/opt-out-numbers.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { type SuppressionSource } from '../domain/limited-entry.js';
import { notFound } from '../http/app-error.js';
import { idCursorOf, type Page, type PageRequest } from '../http/page.js';
import { pageByKey } from '../lists/keyset.js';
import { isE164, spelledInQuery } from '../domain/sought-number.js';
import { numberInAddress, readSoughtNumber, readTeamNumbers } from '../phone-numbers/team-number.js';
import { type TeamOfNumbers } from '../teams/own-team.service.js';
import { DoNotCallJournal } from './do-not-call-journal.service.js';
import { pageOfHistory, type SuppressionEntryRow } from './history-page.js';
import {
  type AddedToDoNotCall,
  type AddToPlatformDoNotCall,
  type DoNotCallResource,
  type SuppressionEntryResource,
} from './number-lists.dto.js';
import { PlatformDoNotCallEntry } from './platform-do-not-call-entry.entity.js';
import { PLATFORM_SUPPRESSION_HISTORY } from './sql/ledger.sql.js';
import {
  ADD_TO_PLATFORM,
  REMOVE_FROM_PLATFORM,
  type TeamOfNumbersRow,
  TEAMS_OF_NUMBERS,
} from './sql/platform.sql.js';
import { ending, REPLAYED } from './suppressing.js';

/** The most numbers of a transaction, which holds a lock of each for the platform and for each team that calls it. */
const NUMBERS_A_TRANSACTION = 50;
/** The most teams whose calls and enrollments one transaction ends. */
const TEAMS_A_TRANSACTION = 20;
/** The permits of these transactions are of no team. */
const PLATFORM = 'platform_do_not_call';

/** Numbers without `+` are read with one, since the platform has no default country. */
const ANY_COUNTRY: TeamOfNumbers = {
  id: PLATFORM,
  defaultCountry: null,
  acceptUnknownRanges: true,
  hasErasedNumbers: false,
};

const KEY = {
  property: 'phoneNumber',
  of: (row: PlatformDoNotCallEntry) => row.phoneNumber,
  isKey: isE164,
} as const;

/** The numbers that no team dials. */
@Injectable()
export class PlatformDoNotCall {
  private readonly entries: Repository<PlatformDoNotCallEntry>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly semaphore: KeyedSemaphore,
    private readonly settlement: Settlement,
    private readonly journal: DoNotCallJournal,
  ) {
    this.entries = dataSource.getRepository(PlatformDoNotCallEntry);
  }

  list(request: PageRequest): Promise<Page<DoNotCallResource>> {
    return pageByKey(this.entries.createQueryBuilder('d'), request, KEY, resource);
  }

  /** @throws AppError `NOT_FOUND` for the number, `INVALID_REQUEST` for a text that can be two numbers. */
  async get(phoneNumber: string): Promise<DoNotCallResource> {
    const entry = await this.entries.findOneBy({ phoneNumber: In(formsOf(phoneNumber)) });
    if (entry === null) throw notFound('Phone number');
    return resource(entry);
  }

  /**
   * Adds the numbers, and ends their pending calls and live enrollments of every team. Once a number is on the list, no
   * team claims a call to it: additions take the platform's lock of the number exclusively, and decisions share it. The
   * calls and enrollments of the first teams end in the same transaction, those of more teams in transactions after it.
   *
   * @throws AppError `INVALID_REQUEST` where no item holds a number, or `SERVICE_UNAVAILABLE` where the journal cannot
   *   be written to.
   */
  async add({ phoneNumbers, reason = null }: AddToPlatformDoNotCall): Promise<AddedToDoNotCall> {
    const read = await readTeamNumbers(ANY_COUNTRY, phoneNumbers, 'phoneNumbers', readOptOutNumbers);
    const { numbers, listed, rejected } = read;
    let added = 0;
    for (let start = 0; start < numbers.length; start += NUMBERS_A_TRANSACTION) {
      const batch = numbers.slice(start, start + NUMBERS_A_TRANSACTION);
      added += await this.addBatch(batch, reason, 'operator');
      await this.journal.ofPlatform('added', batch);
    }
    return { added, listed, rejected };
  }

  /** After a restore, adds numbers of the journal. @returns how many were not on the list. */
  async replay(numbers: string[]): Promise<number> {
    const sorted = numbers.sort();
    let added = 0;
    for (let start = 0; start < sorted.length; start += NUMBERS_A_TRANSACTION) {
      added += await this.addBatch(sorted.slice(start, start + NUMBERS_A_TRANSACTION), REPLAYED, 'operator');
    }
    return added;
  }

  /**
   * @throws AppError as {@link get}, or `SERVICE_UNAVAILABLE` where the journal cannot be written to: the number then
   *   stays listed.
   */
  async remove(phoneNumber: string): Promise<void> {
    const forms = formsOf(phoneNumber);
    const listed = await this.entries.findBy({ phoneNumber: In(forms) });
    if (listed.length === 0) throw notFound('Phone number');
    // The journal comes first. If this write fails, the number stays listed and the request can be repeated.
    await this.journal.ofPlatform('removed', forms);
    const source: SuppressionSource = 'operator';
    const removed = await this.dataSource.transaction((manager) =>
      send(manager, query(REMOVE_FROM_PLATFORM, forms, source)),
    );
    if (removed.length === 0) throw notFound('Phone number');
  }

  /** The ledger of a number of the platform's list, the newest first. @throws AppError `INVALID_REQUEST`. */
  async history(request: PageRequest<'phoneNumber'>): Promise<Page<SuppressionEntryResource>> {
    const spelled = spelledInQuery(request.filters.phoneNumber ?? '');
    const forms = numbersOfPerson(readSoughtNumber(ANY_COUNTRY, spelled, 'phoneNumber'));
    const after = idCursorOf(request);
    const { text } = PLATFORM_SUPPRESSION_HISTORY;
    const rows = await this.dataSource.query<SuppressionEntryRow[]>(text, [forms, after, request.limit + 1]);
    return pageOfHistory(rows, request);
  }

  /** @returns how many numbers were not on the list. */
  private async addBatch(
    numbers: string[],
    reason: string | null,
    source: SuppressionSource,
  ): Promise<number> {
    const forms = numbers.flatMap((number) => numbersOfPerson(number));
    // What earlier calls have caused counts before the entry.
    for (const { team_id: teamId, numbers: known } of await this.teamsOf(
      this.dataSource.manager,
      forms,
      null,
    )) {
      await this.settlement.settleFirst(teamId, 'numbers', known);
    }
    const add = query(ADD_TO_PLATFORM, numbers, reason, source);
    const first = await this.inTransaction(async (manager) => {
      await send(manager, query(LOCK_PLATFORM_NUMBERS, numbers));
      const added = await send(manager, add);
      return { added: added.length, next: await this.endCalls(manager, forms, null) };
    });
    for (let after = first.next; after !== null;) {
      const last = after;
      after = await this.inTransaction((manager) => this.endCalls(manager, forms, last));
    }
    return first.added;
  }

  private inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.semaphore.runWithLocks(PLATFORM, () =>
      this.dataSource.transaction(async (manager) => {
        await send(manager, limitLockWaits());
        return work(manager);
      }),
    );
  }

  /** Ends the calls and enrollments of the next teams. @returns the team to continue after; null: all are done. */
  private async endCalls(
    manager: EntityManager,
    forms: string[],
    after: string | null,
  ): Promise<string | null> {
    const teams = await this.teamsOf(manager, forms, after);
    const some = teams.slice(0, TEAMS_A_TRANSACTION);
    for (const { team_id: teamId, numbers } of some) {
      const locks = [query(LOCK_NUMBERS, teamId, numbers), query(LOCK_TEAM_SHARED, teamId)];
      for (const one of [...locks, ...ending({ teamId, numbers })]) await send(manager, one);
    }
    return teams.length > some.length ? (some.at(-1)?.team_id ?? null) : null;
  }

  private teamsOf(
    manager: EntityManager,
    forms: string[],
    after: string | null,
  ): Promise<TeamOfNumbersRow[]> {
    return manager.query<TeamOfNumbersRow[]>(TEAMS_OF_NUMBERS.text, [forms, after]);
  }
}

function send(manager: EntityManager, { statement, values }: Query): Promise<unknown[]> {
  return manager.query<unknown[]>(statement.text, values);
}

/** All forms of the number that a path names. @throws AppError `NOT_FOUND`, `INVALID_REQUEST`. */
function formsOf(text: string): string[] {
  const number = numberInAddress(ANY_COUNTRY, text);
  if (number === null) throw notFound('Phone number');
  return [...new Set([number, ...numbersOfPerson(number)])];
}

function resource({ phoneNumber, reason, createdAt }: PlatformDoNotCallEntry): DoNotCallResource {
  return { phoneNumber, reason, createdAt: createdAt.toISOString() };
}
